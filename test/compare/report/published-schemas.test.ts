import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { comparisonToDocument } from '../../../packages/compare/src/formats/json.ts';
import { publishedSchemas } from '../../../packages/compare/src/report/published-schemas.ts';
import { sampleReport } from '../formats/sample.ts';

const folder = path.resolve(import.meta.dirname, '../../../packages/compare/schema');
const compile = (name: string) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as object);
};

describe('the published schemas', () => {
  it('are what the zod schemas say (packages/compare/scripts/write-schemas.ts writes them)', () => {
    for (const [name, text] of Object.entries(publishedSchemas()))
      expect(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))).toEqual(JSON.parse(text));
  });

  it('allow the comparison document that is printed', () => {
    const validate = compile('comparison.schema.json');
    validate(JSON.parse(JSON.stringify(comparisonToDocument(sampleReport({ showValues: true })))));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('allow a policy as an editor reads it, numbers and all, and refuse an unknown key', () => {
    const validate = compile('policy.schema.json');
    const policy =
      'version: 1\nfailOn: [env]\nexpect:\n  runtimes:\n    node: 22\n    python: [3.11, "3.12"]\n  env: {TZ: UTC, CI: true}\nrequired: [A]\n';
    validate(load(policy));
    expect(validate.errors ?? []).toEqual([]);
    expect(validate(load('expects: {}'))).toBe(false);
  });
});
