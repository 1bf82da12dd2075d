// The JSON Schemas that are published in packages/compare/schema, made from the zod schemas.

import * as z from 'zod';
import { policySchema } from '../policy/policy-schema.ts';
import { comparisonDocument } from './document-schema.ts';

export function publishedSchemas(): Record<string, string> {
  return {
    'policy.schema.json': schemaText(policySchema),
    'comparison.schema.json': schemaText(comparisonDocument),
  };
}

function schemaText(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'throw' });
  return `${JSON.stringify(json, null, 2)}\n`;
}
