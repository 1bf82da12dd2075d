// The contract of a comparison: what the service answers to two snapshot ids. docs/specification.md §4.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { uuid } from './primitives.ts';

const sideA = z.string().nullable().describe('Value in A; null when absent.');
const sideB = z.string().nullable().describe('Value in B; null when absent.');

/** One attribute on both sides; null where a side has none. Null equals null. */
export const attributeDifference = z.object({
  a: sideA,
  b: sideB,
  match: z.boolean().describe('Whether both are the same text.'),
});
export const runtimeDifference = attributeDifference.extend({
  key: z.string().describe('Name of the runtime.'),
});

/** `added`: in B only; `removed`: in A only. */
export const dependencyStatus = z.enum(['same', 'changed', 'added', 'removed']);
export const dependencyDifference = z.object({
  key: z.string().describe('Dependency file and package, joined with "/".'),
  a: sideA,
  b: sideB,
  status: dependencyStatus.describe('added: in B only; removed: in A only.'),
});

export const variableDifference = z.object({
  key: z.string().describe('Name of the variable.'),
  status: z
    .enum(['same', 'changed', 'added', 'removed'])
    .describe('Without values, "same" means that the name is on both sides.'),
  a: sideA.optional().describe('Only with includeEnvValues.'),
  b: sideB.optional().describe('Only with includeEnvValues.'),
  comparable: z
    .literal(false)
    .optional()
    .describe(
      'Only with values, and only when they cannot be compared: secrets that were left out, or fingerprints that ' +
        'different keys made. The status is "same" then, since the name is on both sides.',
    ),
});

const counts = z.object({
  same: z.number().int().describe('The same on both sides.'),
  changed: z.number().int().describe('Different values.'),
  added: z.number().int().describe('In B only.'),
  removed: z.number().int().describe('In A only.'),
});

/** How many entries of each section are in which state. For os and arch: one entry each. */
export const comparisonSummary = z.object({
  os: counts.describe('Operating system: one entry.'),
  arch: counts.describe('Architecture: one entry.'),
  runtimes: counts.describe('Runtimes.'),
  dependencies: counts.describe('Packages of all dependency files.'),
  envVars: counts.describe('Variables.'),
});

export const comparisonDiff = z.object({
  os: attributeDifference.describe('Operating system.'),
  arch: attributeDifference.describe('CPU architecture.'),
  runtimes: z.array(runtimeDifference).describe('Runtimes by name.'),
  dependencies: z.array(dependencyDifference).describe('Packages by key.'),
  envVars: z.array(variableDifference).describe('Variables by name.'),
});

export type AttributeDifference = z.infer<typeof attributeDifference>;
export type RuntimeDifference = z.infer<typeof runtimeDifference>;
export type DependencyDifference = z.infer<typeof dependencyDifference>;
export type VariableDifference = z.infer<typeof variableDifference>;
export type DifferenceCounts = z.infer<typeof counts>;
export type ComparisonDiff = z.infer<typeof comparisonDiff>;
export type ComparisonSummary = z.infer<typeof comparisonSummary>;

export const comparisonOperations = defineOperations('snapshots', {
  compareSnapshots: {
    method: 'POST',
    path: '/machine/snapshots/compare',
    summary: 'Compare two snapshots',
    access: 'any',
    body: z.object({
      snapshotA: uuid.describe('Id of the snapshot to compare with.'),
      snapshotB: uuid.describe('Id of the snapshot that is compared.'),
      includeEnvValues: z.boolean().optional().describe('Compare and return the values of variables.'),
      compareEnvValues: z.boolean().optional().describe('Compare the values of variables, but return none.'),
    }),
    response: z.object({
      snapshotA: uuid.describe('Id of side A.'),
      snapshotB: uuid.describe('Id of side B.'),
      diff: comparisonDiff.describe('Every entry of every section.'),
      summary: comparisonSummary.describe('How many entries of each section are in which state.'),
    }),
    answer: 'What differs between the two, entry by entry.',
    safe: true,
    errors: ['snapshot_not_found', 'too_much_work'],
  },
});
