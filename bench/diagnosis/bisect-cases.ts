// The planted differences of bisect-cases.yaml, each with the keys that a bisection has to name.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';

const text = z.string();
const caseSchema = z.strictObject({
  name: text,
  script: text.optional(),
  node: text.optional(),
  python: text.optional(),
  env: z.record(text, text.nullable()).optional(),
  here: z.record(text, text).optional(),
  facts: z.record(text, z.unknown()).optional(),
  timezone: text.optional(),
  files: z.record(text, text).optional(),
});

/** A planted difference, its script for `sh -c`. */
export type BisectCase = ReturnType<typeof caseOf>;

function caseOf({ node, python, ...one }: z.infer<typeof caseSchema>) {
  const script = one.script ?? (node === undefined ? `/usr/bin/python3 -c '${python}'` : `node -e '${node}'`);
  const variables = Object.keys({ ...one.env, ...one.here }).map((name) => `env:${name}`);
  const facts = Object.keys(one.facts ?? {}).map((name) => `facts.${name}`);
  const zone = one.timezone === undefined ? [] : ['system.timezone'];
  // All planted keys of the cause; anything may follow the key of a path list.
  return { ...one, script, cause: [...variables, ...facts, ...zone] };
}

export const bisectCases = z
  .array(caseSchema)
  .parse(load(readFileSync(new URL('bisect-cases.yaml', import.meta.url), 'utf8')))
  .map(caseOf);
