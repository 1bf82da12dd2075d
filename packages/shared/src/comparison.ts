// The contract of a comparison of two stored snapshots. docs/specification.md §4.

import * as z from 'zod';
import { sectionNames } from './address.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

const sideA = p.stringOrNull('Value in A; null if absent.');
const sideB = p.stringOrNull('Value in B; null if absent.');

/** One attribute on both sides; null if a side has none. Two nulls are equal. */
export const attributeDifference = p.object('AttributeDifference', {
  a: sideA,
  b: sideB,
  match: p.bool('Whether the two values are identical.'),
});
export const runtimeDifference = p.named(
  'RuntimeDifference',
  attributeDifference.extend({ key: p.string('Name of the runtime.') }),
);

/** `added`: in B only; `removed`: in A only. */
export const dependencyStatus = z.enum(['same', 'changed', 'added', 'removed']);
export const dependencyDifference = p.object('DependencyDifference', {
  key: p.string('Dependency file and package, joined with "/".'),
  a: sideA,
  b: sideB,
  status: dependencyStatus.describe('added: in B only; removed: in A only.'),
  file: p.string('Dependency file.'),
  package: p.string('Package.'),
});

export const variableDifference = p.object('VariableDifference', {
  key: p.string('Name of the variable.'),
  status: z
    .enum(['same', 'changed', 'added', 'removed'])
    .describe('If values are not compared, "same" means that both sides have the name.'),
  a: sideA.optional().describe('Only with includeEnvValues.'),
  b: sideB.optional().describe('Only with includeEnvValues.'),
  comparable: z
    .literal(false)
    .optional()
    .describe(
      'Present only if values were requested and cannot be compared: secrets that were left out, or fingerprints ' +
        'made with different keys. The status is then "same", because both sides have the name.',
    ),
});

const counts = z.object({
  same: p.int('Equal on both sides.'),
  changed: p.int('Different values.'),
  added: p.int('In B only.'),
  removed: p.int('In A only.'),
});

/** The number of entries in each state, by section. `os` and `arch` have one entry each. */
export const comparisonSummary = p.object('ComparisonSummary', {
  os: counts.describe('Operating system: one entry.'),
  arch: counts.describe('Architecture: one entry.'),
  runtimes: counts.describe('Runtimes.'),
  dependencies: counts.describe('Packages of all dependency files.'),
  envVars: counts.describe('Variables.'),
});

export const comparisonDiff = p.object('Comparison', {
  os: attributeDifference.describe('Operating system.'),
  arch: attributeDifference.describe('CPU architecture.'),
  runtimes: p.list(runtimeDifference, 'Runtimes by name.'),
  dependencies: p.list(dependencyDifference, 'Packages by key.'),
  envVars: p.list(variableDifference, 'Variables by name.'),
});

/** `equal`: nothing differs; `tolerated`: no difference counts; `failed`: a difference counts. */
export const verdict = z.enum(['equal', 'tolerated', 'failed']);

/** One likely reason for a failure in B. */
export const comparisonCause = z.object({
  section: z.enum(sectionNames).describe('Section of the comparison.'),
  keys: z.array(z.string()).max(5).describe('Keys of the section, at most five.'),
  keyCount: p.int('How many keys the cause has.'),
  what: p.string('The cause in one sentence, without a full stop.'),
  advice: p.string('What to do about the cause.'),
  repair: z
    .object({
      side: z.enum(['a', 'b', 'both']).describe('The side to change.'),
      commands: p.list(
        z.string(),
        'Commands to run on that side, in order, in a POSIX shell; empty if no command does it.',
      ),
    })
    .nullable()
    .describe('The advice as commands; null if a person has to decide what to do.'),
});

const comparisonNote = z.object({
  code: p.string('Code of the note, for programs.'),
  message: p.string('The note, for people.'),
});

/** Maximum number of causes and notes in a response. */
export const mostCauses = 20;

export type ComparisonCause = z.infer<typeof comparisonCause>;
export type AttributeDifference = z.infer<typeof attributeDifference>;
export type RuntimeDifference = z.infer<typeof runtimeDifference>;
export type DependencyDifference = z.infer<typeof dependencyDifference>;
export type VariableDifference = z.infer<typeof variableDifference>;
export type DifferenceCounts = z.infer<typeof counts>;
export type ComparisonDiff = z.infer<typeof comparisonDiff>;
export type ComparisonSummary = z.infer<typeof comparisonSummary>;

export const comparisonOperations = defineOperations('snapshots', {
  compareSnapshots: {
    route: 'POST /machine/snapshots/compare',
    summary: 'Compare two snapshots',
    access: 'any',
    body: z.object({
      snapshotA: p.uuid.describe('Id of side A: the snapshot that works, or the older one.'),
      snapshotB: p.uuid.describe('Id of side B: the snapshot to compare with A.'),
      includeEnvValues: z.boolean().optional().describe('Compare and return the values of variables.'),
      compareEnvValues: z
        .boolean()
        .optional()
        .describe('Compare the values of variables without returning them.'),
    }),
    response: z.object({
      snapshotA: p.uuid.describe('Id of side A.'),
      snapshotB: p.uuid.describe('Id of side B.'),
      diff: comparisonDiff.describe('Every entry of every section.'),
      summary: comparisonSummary.describe('The number of entries with each status, by section.'),
      verdict: verdict.describe(
        'The verdict of `envsnap compare` with the policy in B. equal: nothing differs; tolerated: ' +
          'differences that do not count; failed: a difference counts, an expectation of the policy is not met, or the ' +
          'policy cannot be used. The verdict takes values of variables into account without showing them.',
      ),
      counting: p.int('How many differences count.'),
      causes: z
        .array(comparisonCause)
        .max(mostCauses)
        .describe('What most likely explains a failure in B, likeliest first.'),
      notes: z
        .array(comparisonNote)
        .max(mostCauses)
        .describe('Limits of the comparison, and expectations of the policy that are not met.'),
    }),
    answer: 'What differs between the two, entry by entry, and whether it counts.',
    safe: true,
    errors: ['snapshot_not_found', 'too_much_work'],
  },
});
