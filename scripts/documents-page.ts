// Makes docs/reference/json.md: what each command prints with --json, field by field, from the published schemas. Pure.

import {
  comparisonSchemaFile,
  documentFiles,
  type JsonSchema,
  publishedDocuments,
} from '../packages/cli/src/documents/published-documents.ts';
import { publishedSchemas } from '../packages/compare/src/report/published-schemas.ts';

type Field = readonly [name: string, type: string, about: string];

const record = (value: unknown) => (value ?? {}) as JsonSchema;
const list = (value: unknown) => (Array.isArray(value) ? (value as JsonSchema[]) : []);

/** The page. `table` writes one, `note` is printed above it. */
export function documentsPage(
  note: string,
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string,
): string {
  const schemas: Record<string, JsonSchema> = {
    ...publishedDocuments(),
    [comparisonSchemaFile]: JSON.parse(publishedSchemas()[comparisonSchemaFile] ?? '{}') as JsonSchema,
  };
  const parts = Object.entries(documentFiles).map(([words, file]) => {
    const title = words === 'error' ? 'A failure of any command' : `envsnap ${words}`;
    const rows = fieldsOf(schemas[file] ?? {}, '').map(([name, type, about]) => [`\`${name}\``, type, about]);
    return `## ${title}\n\nSchema: \`${file}\`\n\n${table(['field', 'type', 'what it is'], rows)}\n`;
  });
  return `${note}
# JSON documents

With \`--json\` every command prints one document on standard output. The package has a JSON Schema for each, in
\`node_modules/envsnap/schema\`. Fields do not change. Later versions may add some, so ignore fields that you do not know.

- \`id\` is the id of what the command created, changed or showed. The names of other ids say what they identify: \`projectId\`, \`apiKeyId\`,
  \`memberId\`, \`snapshotId\`.
- Sizes are in bytes (\`sizeBytes\`). Times, such as \`createdAt\`, are in UTC. \`machineName\` names a machine.
- A field without a value is null. A field that ends with \`?\` may be absent.
- Some values also keep their name from earlier versions: \`deleted\`, \`revoked\`, \`removed\` and
  \`updated\` beside \`id\`, \`newRole\` beside \`role\`, \`size\` beside \`sizeBytes\`, \`diff.envVars\` beside \`diff.env\`.

${parts.join('\n')}`;
}

/** Every field with its path: \`findings[].keys\`. */
function fieldsOf(schema: JsonSchema, place: string): Field[] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries(record(schema.properties)).flatMap(([name, value]) => {
    const field = record(value);
    const path = `${place}${name}`;
    const mark = required.has(name) ? '' : '?';
    const about = typeof field.description === 'string' ? field.description : '';
    return [[`${path}${mark}`, typeOf(field), about] as Field, ...innerFields(field, path)];
  });
}

function innerFields(field: JsonSchema, path: string): Field[] {
  const options = [field, ...list(field.anyOf)];
  return options.flatMap((option) => [
    ...fieldsOf(option, `${path}.`),
    ...(option.items ? innerFields(record(option.items), `${path}[]`) : []),
    ...(option.additionalProperties ? innerFields(record(option.additionalProperties), `${path}.*`) : []),
  ]);
}

function typeOf(field: JsonSchema): string {
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (Array.isArray(field.enum)) return field.enum.map((value) => JSON.stringify(value)).join(', ');
  const options = list(field.anyOf);
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' or ');
  const types = [field.type ?? 'any'].flat().map(String);
  const names = types.map((type) => (type === 'array' ? `list of ${typeOf(record(field.items))}` : type));
  return names.join(' or ');
}
