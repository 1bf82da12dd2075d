// The headers of requests and responses, as the document describes them.

import type { Operation } from '../operation.ts';
import { limits } from '../primitives.ts';
import type { JsonObject, JsonValue } from './json.ts';

const text: JsonObject = { type: 'string' };
const seconds: JsonObject = { type: 'integer', minimum: 0 };

const headersOfAnswers: Readonly<Record<string, readonly [description: string, schema?: JsonObject]>> = {
  'X-Request-Id': [
    "Id of the request, also in the server's log. If the caller sends a valid id, it is used.",
  ],
  'X-Ignored-Parameters': [
    'Query parameters and fields of the body that the operation does not know, at most 20, percent-encoded and separated by ' +
      'commas. They had no effect. Absent if there are none.',
  ],
  'X-RateLimit-Limit': ['Maximum number of requests a minute.', { type: 'integer' }],
  'X-RateLimit-Remaining': ['Requests left in the current window.', { type: 'integer' }],
  'X-RateLimit-Reset': ['Seconds until the window allows more requests.', seconds],
  'Retry-After': ['Whole seconds to wait before sending the request again.', seconds],
  'WWW-Authenticate': ['The ways to send a key.'],
  'Idempotency-Replayed': [
    '`true` if this is the response to an earlier request with the same Idempotency-Key.',
    { type: 'string', enum: ['true'] },
  ],
  ETag: ['Identifies this version, for If-None-Match.'],
  'Content-Disposition': ['The name of the file, as an attachment.'],
  'Content-Range': ['Position of these bytes in the file, and size of the file.'],
  'Accept-Ranges': ['`bytes`: ranges of the file can be requested.'],
};

const notAlways: ReadonlySet<string> = new Set(['Idempotency-Replayed', 'X-Ignored-Parameters']);

/** Headers of responses, for `components.headers`. If one is declared, it is always sent, unless it is in {@link notAlways}. */
export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(headersOfAnswers).map(([name, [description, schema = text]]): [string, JsonObject] => [
    name,
    { description, schema, required: !notAlways.has(name) },
  ]),
);

const everywhere = [
  'X-Request-Id',
  'X-Ignored-Parameters',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const onStatus: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Responses that are not kept for a retry: a refused or failed request may succeed later. */
const isNeverReplayed = (status: number): boolean => [401, 409, 422, 429].includes(status) || status >= 500;

/** The headers of a response, as references. */
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

export function requestHeaders({ name, access, idempotency, etag, ranges }: Operation): JsonValue[] {
  const header = (named: string, description: string, schema = text, example?: string): JsonObject => ({
    name: named,
    in: 'header',
    required: false,
    description,
    schema,
    ...(example !== undefined && { example }),
  });
  const isPublic = access === 'public';
  const period = idempotency === 'secret' ? 'for 10 minutes, because it contains a secret' : 'for 24 hours';
  const guarded = isPublic ? ' At least 32 characters, because its replay shows a key.' : '';
  const keyLength = { minLength: isPublic ? 32 : 1, maxLength: limits.idempotencyKeyLength };
  return [
    name === 'bootstrap' && header('X-Bootstrap-Token', 'The bootstrap token, if the server asks for one.'),
    idempotency &&
      header(
        'Idempotency-Key',
        `Makes retries safe: a request with the same key and body gets the first response again (${period}).${guarded}`,
        { type: 'string', ...keyLength },
      ),
    !isPublic &&
      header(
        'If-Match',
        'Proceed only if this is the current ETag; otherwise, return 412. Only snapshots and files have one.',
      ),
    etag &&
      header(
        'If-None-Match',
        'The ETag of the version that the caller has. If it is current, the response is 304.',
      ),
    ranges &&
      header(
        'Range',
        'One range of bytes to send. For several, the response is the whole file.',
        text,
        'bytes=1048576-',
      ),
    ranges &&
      header(
        'If-Range',
        'Send the range only if this is still the ETag of the file; otherwise the whole file.',
      ),
    header('X-Request-Id', 'An id that you choose for this request.', {
      type: 'string',
      pattern: '^[A-Za-z0-9._:/+=@-]{1,128}$',
    }),
  ].filter((each) => typeof each === 'object');
}
