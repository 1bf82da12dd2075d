// Checks responses against the contract: the operation's schema in strict form (only declared fields), or an error that the
// operation may return.

import { errorBody, errorCodes, type Operation } from '@envsnap/shared';
import { errorsByStatus } from '@envsnap/shared/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Schema = Exclude<Operation['response'], 'binary'>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv, ['uuid', 'date-time']);
const validators = new Map<Schema, ValidateFunction>();

/** The problem of a value under its schema; undefined if there is none. Objects may have only declared fields. */
function describeDeviation(schema: Schema, value: unknown): string | undefined {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(schema.toJSONSchema({ io: 'output', unrepresentable: 'any' }));
    validators.set(schema, validate);
  }
  if (!validate(value)) return ajv.errorsText(validate.errors);
  const parsed = schema.safeParse(value);
  return parsed.success ? undefined : JSON.stringify(parsed.error.issues);
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Responses that every route may give. */
const always = ['malformed_request', 'route_not_found', 'method_not_allowed', 'headers_too_large'] as const;

/** The problem with a response of an operation (undefined: an unknown path or method); undefined if there is none. */
export function describeBreach(operation: Operation | undefined, answer: Answer): string | undefined {
  const { status, headers, body } = answer;
  if (status >= 500) return `status ${status}`;
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    if (headers[name] === undefined) return `${status} without ${name}`;
  if (operation && status === operation.status) {
    if (operation.response === 'binary') return undefined;
    return describeDeviation(operation.response, JSON.parse(body));
  }
  if (status === 304) return operation?.etag ? undefined : '304 without a condition';
  if (status < 400) return `status ${status} is not declared`;
  const error: unknown = JSON.parse(body);
  const deviation = describeDeviation(errorBody, error);
  if (deviation) return deviation;
  const { code, requestId } = error as { code: keyof typeof errorCodes; requestId: string };
  if (requestId !== headers['x-request-id']) return 'the request id of the body is not that of the header';
  if (errorCodes[code]?.status !== status) return `code ${code} with status ${status}`;
  const declared = operation ? (errorsByStatus(operation)[status] ?? []) : [];
  const isDeclared = declared.includes(code) || (always as readonly string[]).includes(code);
  return isDeclared ? undefined : `error ${code} is not declared for ${operation?.name ?? 'an unknown path'}`;
}
