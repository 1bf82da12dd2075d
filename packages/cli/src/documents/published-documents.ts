// The JSON Schemas of what each command prints with --json: written into the package when it is built, and the source of
// docs/reference/json.md. Never bundled.

import * as z from 'zod';
import { machineDocuments, settingsDocuments } from './machine-documents.ts';
import { runDocuments } from './run-documents.ts';
import { serviceDocuments } from './service-documents.ts';

export type JsonSchema = { readonly [key: string]: unknown };

const documents: Readonly<Record<string, z.ZodType>> = {
  ...settingsDocuments,
  ...machineDocuments,
  ...runDocuments,
  ...serviceDocuments,
};

/** The document of compare has the schema of @envsnap/compare. */
export const comparisonSchemaFile = 'comparison.schema.json';

/** The words of each command with --json, and `error` for a failure, to the name of its schema's file. */
export const documentFiles: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...Object.keys(documents).map((words) => [words, `${words.replaceAll(' ', '-')}.schema.json`]),
    ['compare', comparisonSchemaFile],
  ].sort(([x = ''], [y = '']) => (x < y ? -1 : 1)),
);

/** File name to schema, without that of compare. */
export function publishedDocuments(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(documents).map(([words, schema]) => [
      documentFiles[words] as string,
      schemaOf(words, schema),
    ]),
  );
}

function schemaOf(words: string, schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
  });
  const title = words === 'error' ? 'envsnap: a failure' : `envsnap ${words} --json`;
  return { $schema, title, ...(open(rest) as object) };
}

/** Without meaningless limits, and open, because later versions may add fields that readers must not refuse. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === 'additionalProperties' && inner === false))
      .filter(([, inner]) => Math.abs(inner) !== Number.MAX_SAFE_INTEGER)
      .map(([key, inner]) => [key, open(inner)]),
  );
}
