// The headers of requests and answers, as the document describes them.

import type { Operation } from '../operation.ts';
import { limits } from '../primitives.ts';
import type { JsonObject, JsonValue } from './json.ts';

const text: JsonObject = { type: 'string' };
const seconds: JsonObject = { type: 'integer', minimum: 0 };

const headersOfAnswers: Readonly<
  Record<string, { readonly description: string; readonly schema: JsonObject }>
> = {
  'X-Request-Id': {
    description: "Id of the request, also in the server's log; a well-formed one from the caller is kept.",
    schema: text,
  },
  'X-Ignored-Parameters': {
    description:
      'Query parameters and fields of the body that the operation does not know, at most 20, percent-encoded and separated by ' +
      'commas. They changed nothing. Left out where there are none.',
    schema: text,
  },
  'X-RateLimit-Limit': { description: 'Most requests a minute.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': { description: 'Seconds until the window has more room.', schema: seconds },
  'Retry-After': { description: 'Whole seconds after which the same request may succeed.', schema: seconds },
  'WWW-Authenticate': { description: 'How a key is sent.', schema: text },
  'Idempotency-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: { description: 'Names this version, for If-None-Match.', schema: text },
  'Content-Disposition': { description: 'The name of the file, as an attachment.', schema: text },
  'Content-Range': { description: 'Which bytes these are, and how many there are in all.', schema: text },
  'Accept-Ranges': { description: '`bytes`: parts of the file can be asked for.', schema: text },
};

const notAlways: ReadonlySet<string> = new Set(['Idempotency-Replayed', 'X-Ignored-Parameters']);

/** Headers of answers, for `components.headers`. Where one is declared it is always sent, unless it is in {@link notAlways}. */
export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(headersOfAnswers).map(([name, header]): [string, JsonObject] => [
    name,
    { ...header, required: !notAlways.has(name) },
  ]),
);

const everywhere = [
  ...['X-Request-Id', 'X-Ignored-Parameters'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
];
const onStatus: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Answers that are not kept for a retry: whoever was refused may be let in later, and what failed may succeed. */
const isNeverReplayed = (status: number): boolean => [401, 409, 422, 429].includes(status) || status >= 500;

/** The headers of an answer, as references. */
export function answerHeaders(operation: Operation, status: number): JsonObject {
  const succeeded = status < 400;
  const names = [
    ...everywhere,
    ...(onStatus[status] ?? []),
    ...(operation.idempotency && !isNeverReplayed(status) ? ['Idempotency-Replayed'] : []),
    ...(succeeded && operation.etag ? ['ETag'] : []),
    ...(succeeded && status !== 304 && operation.response === 'binary' ? ['Content-Disposition'] : []),
    ...(succeeded && operation.ranges ? ['Accept-Ranges'] : []),
    ...(status === 206 ? ['Content-Range'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that a request may carry beside its key. */
export function requestHeaders(operation: Operation): JsonValue[] {
  const header = (
    name: string,
    description: string,
    schema: JsonObject = text,
    example?: string,
  ): JsonObject => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  });
  const kept =
    operation.idempotency === 'secret' ? 'for 10 minutes, since it holds a secret' : 'for 24 hours';
  return [
    ...(operation.name === 'bootstrap'
      ? [header('X-Bootstrap-Token', 'The token of a server whose bootstrap is `token`.')]
      : []),
    ...(operation.idempotency
      ? [
          header(
            'Idempotency-Key',
            `Makes retries safe: the same key and body get the first answer again (${kept}).${
              operation.access === 'public' ? ' At least 32 characters, since its replay shows a key.' : ''
            }`,
            {
              type: 'string',
              minLength: operation.access === 'public' ? 32 : 1,
              maxLength: limits.idempotencyKeyLength,
            },
          ),
        ]
      : []),
    ...(operation.access === 'public'
      ? []
      : [
          header(
            'If-Match',
            'Go on only if this is the ETag of what is there; 412 otherwise. Snapshots and files have one.',
          ),
        ]),
    ...(operation.etag
      ? [
          header(
            'If-None-Match',
            'The ETag of a version that the caller has: answered with 304 when it is current.',
          ),
        ]
      : []),
    ...(operation.ranges
      ? [
          header(
            'Range',
            'One range of bytes to send. Several are answered with the whole.',
            text,
            'bytes=1048576-',
          ),
          header(
            'If-Range',
            'Send the range only if this is still the ETag of the file; otherwise the whole.',
          ),
        ]
      : []),
    header('X-Request-Id', 'An id of your own for this request.', {
      type: 'string',
      pattern: '^[A-Za-z0-9._:/+=@-]{1,128}$',
    }),
  ];
}
