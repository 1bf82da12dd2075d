// Checks exchanges against the API document that the service publishes, as a validating proxy would: the status, headers and
// body of every answer, and what every accepted request carried.

import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describeApi, type JsonObject } from '@envsnap/shared/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Exchange } from './watch-exchange.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonObject;
}
type Content = Readonly<Record<string, { readonly schema: JsonObject }>>;
interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly headers: Readonly<Record<string, unknown>>; readonly content?: Content }>
  >;
}
/** An operation, and its place in the document. */
type Placed = Described & { readonly pointer: string };
interface Header {
  readonly required?: boolean;
  readonly schema: JsonObject;
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: JsonObject;
    readonly headers: Readonly<Record<string, Header>>;
  };
}

/** Headers of HTTP itself, of caching, of browsers' rules: not part of the API. */
const plainHeaders =
  /^(allow|cache-control|connection|content-(encoding|length|security-policy|type)|date|keep-alive|referrer-policy|vary|x-content-type-options|access-control-.*)$/;

/** Endpoints beside the operations, for people and monitoring. */
const documents =
  /^\/(|share\/.*|console(\/.*)?|openapi\.json|docs(\/(openapi\.json|viewer\.js|start\.js|limits))?|metrics)$/i;

const documentId = 'https://envsnap.example/openapi.json';

/** The document, ready to check exchanges. */
class ApiChecker {
  readonly #document = describeApi('0.0.0') as unknown as ApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #answers = closed(this.#document);
  /** By place in the document, and by schema: most places share one, and each takes ten milliseconds to compile. */
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #routes = Object.entries(this.#document.paths).map(([path, methods]) => ({
    path,
    methods,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`),
    literals: path.split('/').filter((part) => part !== '' && !part.startsWith('{')).length,
  }));

  constructor() {
    addFormats.default(this.#ajv);
    this.#ajv.addFormat('binary', true);
    // In requests more fields than the document has are ignored; responses have none.
    this.#ajv.addSchema({ $id: documentId, ...this.#document });
    this.#ajv.addSchema({ ...(this.#answers as object), $id: `${documentId}?answers` });
    this.#routes.sort((a, b) => b.literals - a.literals);
  }

  /** The parts of an exchange that the document does not allow; empty if there are none. */
  check(exchange: Exchange): string[] {
    // Not as a URL, which would remove `.` and `..` from the path.
    const target = exchange.target.replace(/^https?:\/\/[^/?]*/i, '').replace(/#.*/s, '');
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    if (documents.test(path) || exchange.method === 'OPTIONS') return [];
    const route = this.#routes.find(({ pattern }) => pattern.test(path));
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const described = route?.methods[method.toLowerCase()];
    if (!route || !described) return this.#checkUnknown(exchange);
    const operation = { ...described, pointer: `/paths/${pointerPart(route.path)}/${method.toLowerCase()}` };
    const place = `${method} ${route.path} ${exchange.status}`;
    const values = (route.pattern.exec(path) ?? []).slice(1);
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = new Map(names.map((name, index) => [name, decoded(values[index] ?? '')]));
    const accepted = exchange.status < 400;
    return [
      ...this.#checkAnswer(exchange, operation),
      ...(accepted ? this.#checkParameters(exchange, operation, params, new URLSearchParams(query)) : []),
      ...(accepted ? this.#checkBody(exchange, operation) : []),
    ].map((deviation) => `${place}: ${deviation}`);
  }

  #checkUnknown({ method, target, status, answerHeaders, answerBody }: Exchange): string[] {
    const place = `${method} ${target.slice(0, 100)} ${status}`;
    if (status < 400) return [`${place}: the document has no such operation`];
    if (method === 'HEAD' || !answerBody) return [];
    return this.#validate('/components/schemas/ApiError', parse(answerBody, answerHeaders), true).map(
      (deviation) => `${place}: answer ${deviation}`,
    );
  }

  #checkAnswer(exchange: Exchange, operation: Placed): string[] {
    const { status, answerHeaders, answerBody } = exchange;
    const declared = operation.responses[status];
    if (!declared) return ['the status is not declared'];
    const found: string[] = [];
    const names = new Map(Object.keys(declared.headers).map((name) => [name.toLowerCase(), name]));
    for (const name of Object.keys(answerHeaders))
      if (!plainHeaders.test(name) && !names.has(name)) found.push(`header ${name} is not declared`);
    for (const [lower, name] of names) {
      const header = this.#document.components.headers[name] as Header;
      const value = answerHeaders[lower];
      if (value === undefined) {
        if (header.required) found.push(`header ${name} is missing`);
      } else {
        const pointer = `/components/headers/${name}/schema`;
        const problems = this.#validate(pointer, coerced(String(value), header.schema));
        found.push(...problems.map((problem) => `header ${name} ${problem}`));
      }
    }
    const type = String(answerHeaders['content-type'] ?? '').split(';')[0] ?? '';
    if (!declared.content) {
      if (answerBody?.length) found.push('has a body that is not declared');
      return found;
    }
    if (exchange.method === 'HEAD') return found;
    const key = declared.content[type] ? type : '*/*';
    if (!declared.content[key]) return [...found, `content type "${type}" is not declared`];
    if (type !== 'application/json' || key === '*/*' || !answerBody) return found;
    const pointer = `${operation.pointer}/responses/${status}/content/${pointerPart(key)}/schema`;
    const problems = this.#validate(pointer, parse(answerBody, answerHeaders), true);
    return [...found, ...problems.map((problem) => `answer ${problem}`)];
  }

  #checkParameters(
    { requestHeaders }: Exchange,
    operation: Placed,
    params: ReadonlyMap<string, string>,
    query: URLSearchParams,
  ): string[] {
    return operation.parameters.flatMap(({ name, in: where, required, schema }, index) => {
      const header = requestHeaders[name.toLowerCase()];
      const given = { path: params.get(name), query: query.get(name), header: header && String(header) };
      const value = given[where];
      if (typeof value !== 'string') return required ? [`accepted without ${where} ${name}`] : [];
      // A larger count means the maximum, so that callers need not know it.
      if (/^(limit|snapshots)$/.test(name) && /^\d+$/.test(value) && Number(value) > Number(schema.maximum))
        return [];
      // An id that is not well-formed is replaced.
      if (name === 'X-Request-Id') return [];
      const pointer = `${operation.pointer}/parameters/${index}/schema`;
      return this.#validate(pointer, coerced(value, schema)).map(
        (problem) => `accepted ${where} ${name}=${value.slice(0, 60)}, which ${problem}`,
      );
    });
  }

  #checkBody(exchange: Exchange, operation: Placed): string[] {
    const { requestHeaders, requestBody } = exchange;
    const declared = operation.requestBody;
    if (!declared || !requestBody) return [];
    const text = decompressed(requestBody, requestHeaders);
    if (text.trim() === '') return declared.required ? ['accepted without a body'] : [];
    const type =
      String(requestHeaders['content-type'] ?? '')
        .split(';')[0]
        ?.trim()
        .toLowerCase() ?? '';
    // The document names the plain type only, although any JSON is taken.
    const content = declared.content[type.replace(/^application\/.+\+json$/, 'application/json')];
    if (!content) return [`accepted content type "${type}", which is not declared`];
    if (!content.schema || type.startsWith('multipart/')) return [];
    const pointer = `${operation.pointer}/requestBody/content/application~1json/schema`;
    // Names and labels are measured without the whitespace around them.
    const body = JSON.parse(text) as unknown;
    if (this.#validate(pointer, trimmed(body)).length === 0) return [];
    return this.#validate(pointer, body).map((problem) => `accepted a body that ${problem}`);
  }

  #validate(pointer: string, value: unknown, isAnswer = false): string[] {
    const reference = `${documentId}${isAnswer ? '?answers' : ''}#${encodeURI(pointer)}`;
    let validate = this.#validators.get(reference);
    if (!validate) {
      const schema = `${isAnswer} ${JSON.stringify(at(isAnswer ? this.#answers : this.#document, pointer))}`;
      validate = this.#validators.get(schema) ?? this.#ajv.compile({ $ref: reference });
      this.#validators.set(reference, validate).set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message, params }) => {
      const field = (params as { additionalProperty?: string }).additionalProperty;
      return `${instancePath} ${message}${field === undefined ? '' : ` (${field})`}`.trim();
    });
  }
}

let checker: ApiChecker | undefined;

/** The parts of an exchange that the API document does not allow; empty if there are none. */
export function checkExchange(exchange: Exchange): string[] {
  checker ??= new ApiChecker();
  try {
    return checker.check(exchange);
  } catch (error) {
    return [
      `${exchange.method} ${exchange.target} ${exchange.status} could not be checked: ${String(error)}`,
    ];
  }
}

/** The exchanges that a server process recorded. A line that was cut off when the process ended is left out. */
export function readExchanges(file: string): Exchange[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => {
    const { requestBody, answerBody, ...rest } = JSON.parse(line);
    const bytes = (body: string | undefined) =>
      body === undefined ? undefined : Buffer.from(body, 'base64');
    return { ...rest, requestBody: bytes(requestBody), answerBody: bytes(answerBody) };
  });
}

/** Fails with all problems, each once. */
export function failOnDeviations(deviations: Iterable<string>): void {
  const found = [...new Set(deviations)];
  if (found.length === 0) return;
  throw new Error(`The service and its API document differ:\n${found.slice(0, 20).join('\n')}`);
}

/** The document, closing every object that lists its properties. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  const isOpen = copy.type === 'object' && copy.properties && copy.additionalProperties === undefined;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** Names and labels are at most one level deep. */
function trimmed(value: unknown, depth = 2): unknown {
  if (typeof value === 'string') return value.trim();
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => trimmed(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, trimmed(one, depth - 1)]));
}

function coerced(value: string, { type }: JsonObject): unknown {
  return type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** What a document has at a pointer. */
function at(document: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce(
    (value, part) => (value as JsonObject)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

function pointerPart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function parse(body: Buffer, headers: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(decompressed(body, headers));
}

/** The text of a body, without its byte order mark. An empty body stays empty, whatever its encoding. */
function decompressed(body: Buffer, headers: Readonly<Record<string, unknown>>): string {
  if (body.length === 0) return '';
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  const bytes =
    encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body;
  return new TextDecoder().decode(bytes);
}
