// The schemas of the document: zod as JSON Schema 2020-12, each resource once, under the `id` of its schema, and referred to
// everywhere else.

import * as z from 'zod';
import { errorBody } from '../error-body.ts';
import { errorCodes } from '../error-codes.ts';
import type { Operation } from '../operation.ts';
import { apiNames } from '../primitives.ts';
import type { JsonObject, JsonValue } from './json.ts';

type Direction = 'input' | 'output';

/** Descriptions, and names of schemas that the document has once. */
const metadata = {
  get: (schema: z.ZodType) => ({ ...z.globalRegistry.get(schema), ...apiNames.get(schema) }),
} as typeof z.globalRegistry;

/** Collects schemas for `components.schemas` while the document is written. */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonObject>();

  /** A reference to the body of an operation (`…Body`), to its response (`…Answer`), or to the resource that one of them is. */
  referTo(operation: Operation, part: 'Body' | 'Answer', schema: z.ZodType): JsonObject {
    const own = `${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}${part}`;
    const name = apiNames.get(schema)?.id ?? own;
    const made = this.inline(schema, part === 'Body' ? 'input' : 'output');
    if (!this.#schemas.has(name)) this.#schemas.set(name, made);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** An inline schema, with references to named ones. */
  inline(schema: z.ZodType, direction: Direction): JsonObject {
    const {
      $schema: _,
      $defs: definitions = {},
      ...made
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      reused: 'inline',
      target: 'draft-2020-12',
      metadata,
      override({ zodSchema, jsonSchema }) {
        if (direction === 'input') ignoreCaseAs(zodSchema, jsonSchema as JsonObject);
      },
    }) as JsonObject;
    for (const [name, one] of Object.entries(definitions as JsonObject))
      if (!this.#schemas.has(name)) this.#schemas.set(name, shape(one) as JsonObject);
    // A schema with an id is among the definitions of its own JSON Schema.
    const own = apiNames.get(schema)?.id;
    return (own === undefined ? shape(made) : this.#schemas.get(own)) as JsonObject;
  }

  /** Everything that was referred to, by name. */
  all(): JsonObject {
    this.inline(errorBody, 'output');
    const { code } = (this.#schemas.get('ApiError') as { properties: { code: JsonObject } }).properties;
    code.enum = Object.keys(errorCodes);
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Points references to the components, and leaves responses open for the fields that later versions add. */
function shape(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const beside = Object.entries(value).filter(([key]) => key === 'description' || key === 'default');
    return { $ref: value.$ref.replace('#/$defs/', '#/components/schemas/'), ...Object.fromEntries(beside) };
  }
  const entries = Object.entries(value).filter(
    ([key, one]) => !isSafeInteger(key, one) && !(key === 'additionalProperties' && one === false),
  );
  return orNull(Object.fromEntries(entries.map(([key, one]) => [key, shape(one)])));
}

/** Writes null into the `type`, so that generators and readers see one schema instead of two alternatives. */
function orNull(schema: JsonObject): JsonObject {
  const { anyOf, ...beside } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, nothing] = anyOf as [JsonObject, JsonObject];
  if (nothing.type !== 'null' || typeof value.type !== 'string' || value.enum) return schema;
  return { ...value, ...beside, type: [value.type, 'null'] };
}

/** The largest and the smallest safe integer. As limits, they say nothing about the field. */
function isSafeInteger(key: string, value: JsonValue): boolean {
  return (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/** JSON Schema has no flags: a case-insensitive pattern needs ranges for both cases. Only the ranges of ids occur. */
function ignoreCaseAs({ _zod }: z.core.$ZodType, jsonSchema: JsonObject): void {
  const { checks = [] } = _zod.def;
  const ignoresCase = checks.some((check) => (check._zod.def as { pattern?: RegExp }).pattern?.ignoreCase);
  if (ignoresCase && typeof jsonSchema.pattern === 'string')
    jsonSchema.pattern = jsonSchema.pattern.replaceAll('0-9a-f]', '0-9a-fA-F]');
}
