// The OpenAPI 3.1 document of the service, from the table of operations and the schemas that validate requests.

import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { type Operation, operationGroups } from '../operation.ts';
import { operations } from '../operations.ts';
import examples from './examples.json' with { type: 'json' };
import { answerHeaders, headerComponents, requestHeaders } from './headers.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { SchemaComponents } from './named-schemas.ts';
import { describeWebhooks } from './webhooks.ts';

export type { JsonObject, JsonValue } from './json.ts';

/** Codes that every operation with a key can return. */
const commonErrors: readonly ErrorCode[] = [
  'validation_failed',
  'conflicting_credentials',
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'database_unavailable',
  'shutting_down',
  'server_busy',
  'database_damaged',
];
const bodyErrors: readonly ErrorCode[] = [
  'malformed_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
];

export function describeApi(version: string): JsonObject {
  const schemas = new SchemaComponents();
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of Object.values<Operation>(operations)) {
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'envsnap',
      version,
      summary: 'Stores, compares and watches snapshots of machine environments.',
      description:
        'All paths are relative to the address of the server. Bodies are JSON in UTF-8; timestamps are ISO 8601 in UTC ' +
        'with milliseconds; identifiers are UUIDs. Every response has X-Request-Id and the X-RateLimit headers.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: Object.values(operationGroups).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of the project.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
      headers: headerComponents,
      schemas: schemas.all(),
    },
  };
}

function describeOperation(operation: Operation, schemas: SchemaComponents): JsonObject {
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: describeAccess(operation),
    tags: [operationGroups[operation.group][0]],
    ...(operation.access === 'public' ? { security: [] } : {}),
    parameters: [...describeParameters(operation, schemas), ...requestHeaders(operation)],
    ...describeBody(operation, schemas),
    responses: describeResponses(operation, schemas),
  };
}

function describeAccess({ access }: Operation): string {
  if (access === 'public') return 'Needs no key.';
  if (access === 'any') return 'Open to every role.';
  return `Open to the roles ${access.join(', ')}.`;
}

function describeParameters(operation: Operation, schemas: SchemaComponents): JsonValue[] {
  return (['path', 'query'] as const).flatMap((where) => {
    const schema = where === 'path' ? operation.params : operation.query;
    if (!schema) return [];
    const { properties = {}, required = [] } = schemas.inline(schema, 'input') as {
      properties?: { [name: string]: JsonObject };
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]): JsonObject => {
      const { description, 'x-query': query, ...rest } = property;
      return {
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: (query as JsonObject | undefined) ?? rest,
      };
    });
  });
}

function describeBody(operation: Operation, schemas: SchemaComponents): JsonObject {
  if (operation.upload) {
    const file = { type: 'string', format: 'binary', description: 'The content of the file, with its name.' };
    const schema = { type: 'object', required: ['file'], properties: { file } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!operation.body) return {};
  const schema = schemas.referTo(operation, 'Body', operation.body);
  const { required } = schemas.inline(operation.body, 'input');
  const content = { 'application/json': { schema, ...exampleOf(operation, 'request') } };
  const description = operation.largeBody
    ? 'At most 8 MiB after decompression, unless the operator set another limit, and at most 250,000 members and elements.'
    : 'At most 64 KiB after decompression.';
  return { requestBody: { description, required: Array.isArray(required) && required.length > 0, content } };
}

function describeResponses(operation: Operation, schemas: SchemaComponents): JsonObject {
  const content: JsonObject =
    operation.response === 'binary'
      ? { '*/*': { schema: { type: 'string', format: 'binary' } } }
      : {
          'application/json': {
            schema: schemas.referTo(operation, 'Answer', operation.response),
            ...exampleOf(operation, 'answer'),
          },
        };
  const answer = (status: number, description: string, body?: JsonObject): [number, JsonObject] => [
    status,
    { description, headers: answerHeaders(operation, status), ...(body ? { content: body } : {}) },
  ];
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } };
  return Object.fromEntries([
    answer(operation.status, operation.answer, content),
    ...(operation.ranges
      ? [answer(206, 'The requested range; `Content-Range` says which bytes it has.', content)]
      : []),
    ...(operation.etag ? [answer(304, 'The caller already has this version (If-None-Match).')] : []),
    ...Object.entries(errorsByStatus(operation)).map(([status, codes]) =>
      answer(
        Number(status),
        codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' '),
        error,
      ),
    ),
  ]);
}

/** Recorded JSON requests and responses of a running service. */
function exampleOf(operation: Operation, part: 'request' | 'answer'): JsonObject {
  const example = (examples as Record<string, { request?: unknown; answer?: unknown }>)[operation.name]?.[
    part
  ];
  return example === undefined ? {} : { example: example as JsonValue };
}

/** Every code that an operation can return, in one list per status. */
export function errorsByStatus(operation: Operation): { [status: string]: ErrorCode[] } {
  const codes = new Set<ErrorCode>(operation.errors);
  const isPublic = operation.access === 'public';
  for (const code of commonErrors) {
    const needsKey = code.endsWith('_api_key') || code === 'conflicting_credentials';
    if (!(isPublic && needsKey) && !(operation.group === 'service' && code === 'rate_limited'))
      codes.add(code);
  }
  if (typeof operation.access !== 'string') codes.add('role_forbidden');
  if (operation.body || operation.upload) for (const code of bodyErrors) codes.add(code);
  if (!isPublic) codes.add('precondition_failed');
  if (operation.upload) codes.add('malformed_request');
  if (operation.idempotency) codes.add('idempotency_key_in_use').add('idempotency_key_reused');
  const byStatus: { [status: string]: ErrorCode[] } = {};
  for (const code of codes) {
    const { status } = errorCodes[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return byStatus;
}
