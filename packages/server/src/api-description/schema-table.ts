// JSON Schema as a table of fields: one row a field, nested ones under their parent's path.

import type { JsonObject } from '@envsnap/shared/openapi';
import { html, type Markup, raw } from './html.ts';

interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Fields deeper than this are not listed. */
const maxDepth = 4;

/** A table of the schema's fields; one line of text when it has none. */
export function describeSchema(schema: JsonObject): Markup {
  const rows = listFields(schema, '', 0);
  if (rows.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return html`<table>
<thead><tr><th>Field</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>
<td><code>${row.path}</code>${row.required ? raw('') : html` <span class="optional">optional</span>`}</td>
<td>${row.type}</td>
<td>${row.description}</td>
</tr>`,
  )}</tbody>
</table>`;
}

function listFields(schema: JsonObject, prefix: string, depth: number): FieldRow[] {
  const properties = (schema.properties ?? {}) as { [name: string]: JsonObject };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name;
    const row = { path, type: typeOf(field), required: required.has(name), description: describe(field) };
    if (depth + 1 >= maxDepth) return [row];
    const inner = innerObject(field);
    return [row, ...(inner ? listFields(inner.schema, path + inner.suffix, depth + 1) : [])];
  });
}

function innerObject(field: JsonObject): { schema: JsonObject; suffix: string } | undefined {
  if (field.properties) return { schema: field, suffix: '.' };
  const items = field.items as JsonObject | undefined;
  if (items?.properties) return { schema: items, suffix: '[].' };
  const values = field.additionalProperties;
  if (typeof values === 'object' && values !== null && 'properties' in values) {
    return { schema: values as JsonObject, suffix: '.<key>.' };
  }
  return undefined;
}

function typeOf(field: JsonObject): string {
  if (Array.isArray(field.enum)) return field.enum.map(String).join(' | ');
  if (field.const !== undefined) return String(field.const);
  if (Array.isArray(field.anyOf))
    return field.anyOf.map((option) => typeOf(option as JsonObject)).join(' or ');
  if (field.type === 'array') return `list of ${typeOf((field.items ?? {}) as JsonObject)}`;
  if (field.type === 'object') {
    const values = field.additionalProperties;
    return typeof values === 'object' && values !== null
      ? `map to ${typeOf(values as JsonObject)}`
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
