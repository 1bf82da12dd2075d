// Makes the SDK's contract from the table of operations: plain TypeScript types with documentation, and routes, so
// that the published SDK needs neither zod nor the types that zod computes. Pure: text out.

import * as shared from '@envsnap/shared';
import { type Schema, typeText } from './schema-text.ts';

const { operations, webhookEventData } = shared;
type AnyOperation = shared.Operation;
type ZodSchema = Exclude<AnyOperation['response'], 'binary'>;

const note = '// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.';

/** Named differently than their schema, so that no global type is shadowed. */
const renamed: Readonly<Record<string, string>> = { file: 'StoredFile' };

/** Every exported schema of an object or enumeration becomes a named type. */
const nameOfSchema = new Map<unknown, string>();
for (const [name, value] of Object.entries(shared)) {
  if (typeof value !== 'object' || value === null || !('_zod' in value)) continue;
  const { type } = (value as ZodSchema)._zod.def;
  if (type === 'object' || type === 'enum') nameOfSchema.set(value, renamed[name] ?? pascal(name));
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The name of a schema, or of the schema that it copies with another description. */
function nameOf(schema: unknown): string | undefined {
  for (let next = schema as { _zod: { parent?: unknown } } | undefined; next; ) {
    const name = nameOfSchema.get(next);
    if (name !== undefined) return name;
    next = next._zod.parent as typeof next;
  }
  return undefined;
}

/** A schema as JSON Schema; `x-name` marks named schemas. */
function toSchema(schema: ZodSchema, io: 'input' | 'output'): Schema {
  const made = schema.toJSONSchema({
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override({ zodSchema, jsonSchema }) {
      const name = nameOf(zodSchema);
      if (name) Object.assign(jsonSchema, { 'x-name': name });
    },
  }) as Schema;
  return inlined(made, made.$defs ?? {});
}

/** The schema with every reference replaced by its target. */
function inlined(schema: Schema, definitions: Readonly<Record<string, Schema>>): Schema {
  const target = schema.$ref && definitions[schema.$ref.replace('#/$defs/', '')];
  const { $ref: _, $defs: __, ...rest } = { ...target, ...schema };
  return JSON.parse(JSON.stringify(rest), (key, value) =>
    key !== '' && typeof value === 'object' && value !== null && '$ref' in value
      ? inlined(value as Schema, definitions)
      : value,
  ) as Schema;
}

/** The files of the contract by their names in `packages/sdk/src/contract`. */
export function sdkContract(): Record<string, string> {
  return {
    'types.ts': typesFile(),
    'routes.ts': routesFile(),
    'error-codes.ts': codesFile(),
    'limits.ts': limitsFile(),
  };
}

function typesFile(): string {
  const declared = new Map<string, string>();
  const declare = (name: string, schema: Schema, doc: string | undefined): string => {
    if (!declared.has(name)) {
      declared.set(name, ''); // Keeps its place, and ends a recursion.
      declared.set(name, declarationText(name, schema, doc, named));
    }
    return name;
  };
  const named = (schema: Schema): string | undefined =>
    schema['x-name'] === undefined ? undefined : declare(schema['x-name'], schema, schema.description);

  const maps = { Answers: '', Bodies: '', Queries: '', PathParams: '' };
  for (const [name, operation] of Object.entries<AnyOperation>(operations)) {
    const doc = docText(`${operation.summary}. \`${operation.method} ${operation.path}\``, '  ');
    const add = (map: keyof typeof maps, type: string) => {
      maps[map] += `${doc}  ${name}: ${type};\n`;
    };
    const { response, body, query, path } = operation;
    const typeOf = (schema: Schema, suffix: string) =>
      named(schema) ?? declare(`${pascal(name)}${suffix}`, schema, operation.summary);
    if (response !== 'binary') add('Answers', typeOf(toSchema(response, 'output'), 'Answer'));
    if (body) add('Bodies', typeOf(toSchema(body, 'input'), 'Body'));
    if (query) add('Queries', typeOf(withMoments(toSchema(query, 'input')), 'Query'));
    const params = [...path.matchAll(/:(\w+)/g)].map(([, param]) => `'${param}'`);
    if (params.length > 0) add('PathParams', params.join(' | '));
  }
  const payloads = Object.entries(webhookEventData).map(([event, schema]) => {
    const data = typeText(toSchema(schema, 'output'), named, '  ');
    return `  '${event}': ${data};`;
  });
  const { assignableRole, cursorInfo, cursorQuery, errorDetail, partInfo, partQuery, role } = shared;
  const others = [assignableRole, cursorQuery, errorDetail, partQuery, role, shared.snapshotContent];
  for (const schema of [...others, shared.webhookEvent]) named(toSchema(schema, 'input'));
  for (const schema of [cursorInfo, partInfo, shared.snapshotMetadata, shared.snapshotOutcome])
    named(toSchema(schema, 'output'));
  const mapDocs: Record<keyof typeof maps, string> = {
    Answers: 'The JSON answer of each operation.',
    Bodies: 'The JSON body of each operation that takes one.',
    Queries: 'The query of each operation that takes one. Moments may be given as a `Date`.',
    PathParams: 'The names of the parameters in the path of each operation that has some.',
  };
  return (
    [
      `// The types of the API.\n${note}`,
      ...[...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
      `${docText('`data` of a delivery by its event; `webhook.test` is sent on request only.')}export interface WebhookEventData {\n${payloads.join('\n')}\n}`,
      `${docText('The body of a delivery. `id` equals the header `webhook-id` and is the same on every attempt of one event.')}export type WebhookPayload = {\n  [E in keyof WebhookEventData]: { id: string; event: E; data: WebhookEventData[E]; timestamp: string };\n}[keyof WebhookEventData];`,
      ...Object.entries(maps).map(
        ([name, text]) =>
          `${docText(mapDocs[name as keyof typeof maps])}export interface ${name} {\n${text}}`,
      ),
      '',
    ]
      .join('\n\n')
      .replace(/\n+$/, '\n')
      // The fields that a capture writes are known, although the service takes any object.
      .replace(/(?<=^ {2}metadata\??: )\{ \[name: string\]: unknown \}/gm, 'SnapshotMetadata')
  );
}

/** Moments in a query may be given as a `Date`, which the SDK sends as ISO 8601. */
function withMoments(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    name === 'from' || name === 'to' ? { ...property, 'x-date': true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function declarationText(
  name: string,
  schema: Schema,
  doc: string | undefined,
  named: (schema: Schema) => string | undefined,
): string {
  const { 'x-name': _, ...own } = schema;
  const written = typeText(own, named, '');
  // Lists that are only sent may be read-only.
  const text = name.endsWith('Body') ? written.replace(/: (?=\w+\[\])/g, ': readonly ') : written;
  const head = doc === undefined ? '' : docText(doc.replace(/(?<![.!?])$/, '.'));
  return own.properties ? `${head}export interface ${name} ${text}` : `${head}export type ${name} = ${text};`;
}

function docText(text: string, indent = ''): string {
  return `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

/** Members that describe the page of a list. */
const pageMembers = ['total', 'limit', 'offset', 'next'];

/** The first member that every JSON response of an operation has, if any. */
function memberOf({ response }: AnyOperation): string[] {
  const { required = [] } = response === 'binary' ? {} : toSchema(response, 'output');
  return required.filter((name) => !pageMembers.includes(name)).slice(0, 1);
}

function routesFile(): string {
  const rows = Object.entries<AnyOperation>(operations).map(([name, operation]) => {
    const { method, path, access, idempotency, safe } = operation;
    const flags = [
      ...(access === 'public' ? ['public: true'] : []),
      ...(idempotency ? ['idempotent: true'] : []),
      ...(safe ? ['safe: true'] : []),
      ...memberOf(operation).map((member) => `member: '${member}'`),
    ];
    return `  ${name}: { ${[`method: '${method}'`, `path: '${path}'`, ...flags].join(', ')} },`;
  });
  return `// What a request needs of the operations at run time: method, path and how it may be repeated.
${note}

/** The part of an operation that decides what is sent. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** No key is needed, and none is sent. */
  readonly public?: boolean;
  /** \`Idempotency-Key\` is honoured, and one is always sent. */
  readonly idempotent?: boolean;
  /** A POST that changes nothing. */
  readonly safe?: boolean;
  /** A member that every answer has; absent where the answer is no JSON. */
  readonly member?: string;
}

/** Names of all operations. */
export type OperationName =
${Object.keys(operations)
  .map((name) => `  | '${name}'`)
  .join('\n')};

/** The route of every operation, by the operation's name. */
export const routes: { readonly [N in OperationName]: Route } = {
${rows.join('\n')}
};
`;
}

function limitsFile(): string {
  const { fileNameLength, pageMax } = shared.limits;
  return `// The limits that the SDK checks before it sends anything.
${note}

/** Maximum characters of a file's name. */
export const fileNameLength = ${fileNameLength};
/** Maximum number of items of a page. */
export const pageMax = ${pageMax};
`;
}

function codesFile(): string {
  const codes = Object.entries(shared.errorCodes);
  const union = codes.map(([code, { status, meaning }]) => `  /** ${status}: ${meaning} */\n  | '${code}'`);
  return `// The error codes of the API.
${note}

/** Every \`code\` that an answer can carry. */
export type ErrorCode =
${union.join('\n')};
`;
}
