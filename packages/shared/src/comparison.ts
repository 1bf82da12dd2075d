// The contract of a comparison: what the service answers to two snapshot ids. Spec: Compare; Decisions §4.

import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { uuid } from './primitives.ts';

const side = z.string().nullable();

/** One attribute on both sides; null where a side has none. Null equals null. */
export const attributeDifference = z.object({ a: side, b: side, match: z.boolean() });
export const runtimeDifference = attributeDifference.extend({ key: z.string() });

/** `added`: in B only; `removed`: in A only. */
export const dependencyStatus = z.enum(['same', 'changed', 'added', 'removed']);
export const dependencyDifference = z.object({
  key: z.string().describe('Dependency file and package, joined with "/".'),
  a: side,
  b: side,
  status: dependencyStatus,
});

export const variableDifference = z.object({
  key: z.string(),
  status: z
    .enum(['same', 'changed', 'added', 'removed'])
    .describe('Without values, "same" means that the name is on both sides.'),
  a: side.optional().describe('Only with includeEnvValues.'),
  b: side.optional().describe('Only with includeEnvValues.'),
  comparable: z
    .literal(false)
    .optional()
    .describe(
      'Only with values, and only when they cannot be compared: secrets that were left out, or fingerprints that ' +
        'different keys made. The status is "same" then, since the name is on both sides.',
    ),
});

const counts = z.object({
  same: z.number().int(),
  changed: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
});

/** How many entries of each section are in which state. For os and arch: one entry each. */
export const comparisonSummary = z.object({
  os: counts,
  arch: counts,
  runtimes: counts,
  dependencies: counts,
  envVars: counts,
});

export const comparisonDiff = z.object({
  os: attributeDifference,
  arch: attributeDifference,
  runtimes: z.array(runtimeDifference),
  dependencies: z.array(dependencyDifference),
  envVars: z.array(variableDifference),
});

export type AttributeDifference = z.infer<typeof attributeDifference>;
export type RuntimeDifference = z.infer<typeof runtimeDifference>;
export type DependencyDifference = z.infer<typeof dependencyDifference>;
export type VariableDifference = z.infer<typeof variableDifference>;
export type DifferenceCounts = z.infer<typeof counts>;
export type ComparisonDiff = z.infer<typeof comparisonDiff>;
export type ComparisonSummary = z.infer<typeof comparisonSummary>;

export const compareSnapshotsOperation = defineOperation({
  name: 'compareSnapshots',
  group: 'snapshots',
  method: 'POST',
  path: '/machine/snapshots/compare',
  summary: 'Compare two snapshots',
  access: 'any',
  body: z.object({
    snapshotA: uuid,
    snapshotB: uuid,
    includeEnvValues: z.boolean().optional().describe('Compare and return the values of variables.'),
    compareEnvValues: z.boolean().optional().describe('Compare the values of variables, but return none.'),
  }),
  response: z.object({
    snapshotA: uuid,
    snapshotB: uuid,
    diff: comparisonDiff,
    summary: comparisonSummary,
  }),
  status: 200,
  safe: true,
  errors: ['snapshot_not_found'],
});
