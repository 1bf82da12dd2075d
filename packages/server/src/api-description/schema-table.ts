// JSON Schema as a table of fields: one row a field, nested ones under their parent's path, references followed.

import type { JsonObject } from '@envsnap/shared/openapi';
import { html, type Markup, raw } from './html.ts';

interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The named schemas of the document, which references lead to. */
export type NamedSchemas = Readonly<Record<string, JsonObject>>;

/** A table of the schema's fields to any depth; one line of text when it has none. */
export function describeSchema(schema: JsonObject, named: NamedSchemas): Markup {
  const rows = listFields(schema, '', named, []);
  if (rows.length === 0) return html`<p>${typeOf(schema, named)}</p>`;
  return html`<div class="wide" tabindex="0"><table>
<thead><tr><th>Field</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>
<td><code>${row.path}</code>${row.required ? raw('') : html` <span class="optional">optional</span>`}</td>
<td>${row.type}</td>
<td>${row.description}</td>
</tr>`,
  )}</tbody>
</table></div>`;
}

function follow(schema: JsonObject, named: NamedSchemas): { schema: JsonObject; name: string | undefined } {
  if (typeof schema.$ref !== 'string') return { schema, name: undefined };
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const { $ref: _, ...beside } = schema;
  return { schema: { ...named[name], ...beside }, name };
}

function listFields(
  given: JsonObject,
  prefix: string,
  named: NamedSchemas,
  above: readonly string[],
): FieldRow[] {
  const { schema, name: own } = follow(given, named);
  // A thing that holds itself is written out once.
  if (own !== undefined && above.includes(own)) return [];
  const inside = own === undefined ? above : [...above, own];
  const properties = (schema.properties ?? {}) as { [name: string]: JsonObject };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name;
    const row = {
      path,
      type: typeOf(field, named),
      required: required.has(name),
      description: describe(follow(field, named).schema),
    };
    const inner = innerObject(field, named);
    return [row, ...(inner ? listFields(inner.schema, path + inner.suffix, named, inside) : [])];
  });
}

function innerObject(
  field: JsonObject,
  named: NamedSchemas,
): { schema: JsonObject; suffix: string } | undefined {
  const { schema } = follow(field, named);
  if (schema.properties) return { schema: field, suffix: '.' };
  const items = schema.items as JsonObject | undefined;
  if (items && follow(items, named).schema.properties) return { schema: items, suffix: '[].' };
  const values = schema.additionalProperties;
  if (typeof values === 'object' && values !== null && 'properties' in values) {
    return { schema: values as JsonObject, suffix: '.<key>.' };
  }
  return undefined;
}

function typeOf(given: JsonObject, named: NamedSchemas): string {
  const { schema: field } = follow(given, named);
  if (Array.isArray(field.enum)) return field.enum.map(String).join(' | ');
  if (field.const !== undefined) return String(field.const);
  if (Array.isArray(field.anyOf) && !field.properties) {
    return field.anyOf.map((option) => typeOf(option as JsonObject, named)).join(' or ');
  }
  if (field.type === 'array') return `list of ${typeOf((field.items ?? {}) as JsonObject, named)}`;
  if (field.type === 'object') {
    const values = field.additionalProperties;
    return typeof values === 'object' && values !== null
      ? `map to ${typeOf(values as JsonObject, named)}`
      : 'object';
  }
  if (field.format === 'uuid') return 'UUID';
  if (field.format === 'date-time') return 'timestamp';
  return String(field.type ?? 'any');
}

function describe(field: JsonObject): string {
  const parts = field.description === undefined ? [] : [String(field.description)];
  if (field.minLength !== undefined || field.maxLength !== undefined) {
    const from = field.minLength === undefined ? '' : `${field.minLength} to `;
    if (field.maxLength !== undefined) parts.push(`${from || 'At most '}${field.maxLength} characters.`);
  }
  if (field.default !== undefined) parts.push(`Default: ${JSON.stringify(field.default)}.`);
  return parts.join(' ');
}
