// The OpenAPI 3.1 document of the service, from the table of operations and the schemas that validate requests.

import * as z from 'zod';
import { errorBody } from './error-body.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { type Operation, type OperationGroup, operationGroups } from './operation.ts';
import { operations } from './operations.ts';
import { limits } from './primitives.ts';

/** A value of the document: plain JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

const groupDescriptions: Record<OperationGroup, string> = {
  keys: 'Every key belongs to one project and has one role in it. A key is shown once, when it is made.',
  projects: 'A project owns its snapshots, files, members, webhooks, quotas and keys.',
  team: 'The members of a project, each with a key of their own.',
  snapshots: 'Environments of machines: stored, listed, compared. Variables are encrypted at rest.',
  webhooks: 'URLs that are told about events, with signed deliveries and their log.',
  files: 'Files of a project, encrypted at rest.',
  usage: 'What a project holds, what it may hold, and its requests.',
  service: 'Whether the service is alive and ready; open without a key.',
};

/** Codes that every operation with a key can answer. */
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

/** Describes the service of this version as an OpenAPI 3.1 document. */
export function describeApi(version: string): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of Object.values<Operation>(operations)) {
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'envsnap',
      version,
      summary: 'Stores, compares and watches snapshots of machine environments.',
      description:
        'All paths are relative to the address of the server. Bodies are JSON in UTF-8; timestamps are ISO 8601 in UTC ' +
        'with milliseconds; identifiers are UUIDs. Every answer carries X-Request-Id and the X-RateLimit headers.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: Object.entries(operationGroups).map(([name, title]) => ({
      name: title,
      description: groupDescriptions[name as OperationGroup],
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of the project.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
      headers: responseHeaders,
      schemas: { Error: toSchema(errorBody, 'output') },
    },
  };
}

const responseHeaders: JsonObject = {
  'X-Request-Id': {
    description: "Id of the request, also in the server's log; a well-formed one from the caller is kept.",
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Most requests a minute.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until the window has more room.',
    schema: { type: 'integer' },
  },
};

function describeOperation(operation: Operation): JsonObject {
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: describeAccess(operation),
    tags: [operationGroups[operation.group]],
    ...(operation.access === 'public' ? { security: [] } : {}),
    parameters: describeParameters(operation),
    ...describeBody(operation),
    responses: describeResponses(operation),
  };
}

function describeAccess({ access }: Operation): string {
  if (access === 'public') return 'Needs no key.';
  if (access === 'any') return 'Open to every role.';
  return `Open to the roles ${access.join(', ')}.`;
}

function describeParameters(operation: Operation): JsonValue[] {
  const parameters: JsonValue[] = [];
  for (const [where, schema] of [
    ['path', operation.params],
    ['query', operation.query],
  ] as const) {
    if (!schema) continue;
    const { properties = {}, required = [] } = toSchema(schema, 'input') as {
      properties?: { [name: string]: JsonObject };
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      const { description, ...rest } = property;
      parameters.push({
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      });
    }
  }
  if (operation.ranges) {
    parameters.push(
      {
        name: 'Range',
        in: 'header',
        required: false,
        description:
          'One range of bytes to send, such as `bytes=1048576-`. Several are answered with the whole.',
        schema: { type: 'string' },
      },
      {
        name: 'If-Range',
        in: 'header',
        required: false,
        description: 'Send the range only if this is the `ETag` of the file still; otherwise the whole.',
        schema: { type: 'string' },
      },
    );
  }
  if (operation.idempotency) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes retries safe: the same key and body get the first answer again ' +
        `(${operation.idempotency === 'secret' ? 'for 10 minutes, since it holds a secret' : 'for 24 hours'}).`,
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength },
    });
  }
  return parameters;
}

function describeBody(operation: Operation): JsonObject {
  if (operation.upload) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The bytes.' };
    const schema = { type: 'object', required: ['file'], properties: { file } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!operation.body) return {};
  const schema = toSchema(operation.body, 'input');
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  return { requestBody: { required, content: { 'application/json': { schema } } } };
}

function describeResponses(operation: Operation): JsonObject {
  const headers = Object.fromEntries(
    Object.keys(responseHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const content: JsonObject =
    operation.response === 'binary'
      ? { 'application/octet-stream': {} }
      : { 'application/json': { schema: toSchema(operation.response, 'output') } };
  const responses: JsonObject = {
    [operation.status]: { description: 'Done.', headers, content },
    ...(operation.ranges
      ? {
          206: {
            description: 'The range that was asked for; `Content-Range` tells which.',
            headers,
            content,
          },
        }
      : {}),
    ...(operation.etag
      ? { 304: { description: 'The caller has this version already (If-None-Match).', headers } }
      : {}),
  };
  for (const [status, codes] of Object.entries(errorsByStatus(operation))) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' '),
      headers,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

/** Every code that an operation can answer, in one list a status. */
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
  if (operation.upload) codes.add('malformed_request');
  if (operation.idempotency) codes.add('idempotency_key_in_use').add('idempotency_key_reused');
  const byStatus: { [status: string]: ErrorCode[] } = {};
  for (const code of codes) {
    const { status } = errorCodes[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return byStatus;
}

/** A zod schema as JSON Schema 2020-12; what JSON Schema cannot say (a refinement) is left out. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest as JsonObject;
}
