// The JSON document of a comparison: its zod schema (published as JSON Schema) and how a report becomes one.

import { bool, comparisonCause, int, list, objects, string, stringOrNull, verdict } from '@envsnap/shared';
import { sectionNames } from '@envsnap/shared/address';
import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { policyOutcomes, policyRules } from '../policy/policy.ts';

const side = z.string().nullable();
const a = stringOrNull('Value in A; null if it has none.');
const b = stringOrNull('Value in B; null if it has none.');
const status = z
  .enum(['same', 'changed', 'added', 'removed'])
  .describe('added: in B only; removed: in A only.');
const distance = z
  .enum(distances)
  .nullable()
  .describe('How far apart two versions are; null unless there are two different versions.');
const counts = bool('Whether this difference counts by the fail-on rules.');
const reason = stringOrNull(
  'Why a difference does not count by default, such as “set by the desktop”; null if it does count.',
);
const match = bool('Whether both are the same.');
const attribute = z.object({ a, b, match, counts });
const entry = z.object({ key: string('What is compared.'), a, b, status, distance, counts, reason });
const variable = z.object({
  key: string('Name of the variable.'),
  status,
  counts,
  reason,
  a: side.optional().describe('Only if values are shown.'),
  b: side.optional().describe('Only if values are shown.'),
  unverified: z
    .enum(['redacted', 'other-key', 'one-side', 'names-only'])
    .optional()
    .describe('Why the values could not be compared; the entry counts as the same.'),
});
const sideInfo = z.object({
  label: string('What the caller wrote: latest:web-1, local, a file.'),
  id: stringOrNull('Id of the stored snapshot; null for a file or this machine.'),
  machineName: string('Machine that was captured.'),
  createdAt: stringOrNull('When it was stored.'),
  os: stringOrNull('Operating system.'),
  arch: stringOrNull('CPU architecture.'),
  revision: stringOrNull('Branch and short commit.'),
  folder: stringOrNull('Captured folder below the root of its project; null for the root.'),
});
const sectionSummary = z.object({
  same: int('The same on both sides.'),
  changed: int('Different values.'),
  added: int('In B only.'),
  removed: int('In A only.'),
  ignored: int('Differences that an ignore pattern left out.'),
  counting: int('Differences that count.'),
});
const context = bool('Whether it describes only the machine or the person, not what the project does.');
const file = string('Dependency file.');
const name = string('Package.');
const section = z.enum(sectionNames).describe('Part of the comparison.');
const declared = z
  .object({
    requirement: string('The required version or range.'),
    file: string('File that asks for it.'),
    present: stringOrNull('The version that is present.'),
    satisfied: z
      .boolean()
      .nullable()
      .describe('Whether that version meets the requirement; null if unknown.'),
  })
  .nullable();

const check = {
  rule: z.enum(policyRules).describe('Part of the policy.'),
  key: string('What the policy checks, such as a tool or a variable.'),
  outcome: z.enum(policyOutcomes).describe('Its result.'),
  expected: string('What the policy asks for.'),
  actual: stringOrNull('The actual value; null for variables, whose values are not shown.'),
  message: string('A sentence without a full stop.'),
  advice: string('What to do about a violation.'),
  line: int('Line in the policy file, from 1.'),
};
const cause = comparisonCause.extend({
  also: objects('Differences in other sections that have the same cause.', {
    section,
    key: string('Key of that section.'),
  }),
  evidence: z
    .string()
    .optional()
    .describe('Words of the failure’s output that point to it; only with --failure.'),
});
const listChange = z
  .object({
    added: list(z.string(), 'In B only.'),
    removed: list(z.string(), 'In A only.'),
    moved: list(z.string(), 'In a different position.'),
  })
  .optional()
  .describe('How two lists differ.');
const hiddenListChange = z
  .object({
    added: int('How many are in B only.'),
    removed: int('How many are in A only.'),
    moved: int('How many are in a different position.'),
    addedEntries: z.array(z.string()).optional().describe('Only if values are shown.'),
    removedEntries: z.array(z.string()).optional().describe('Only if values are shown.'),
  })
  .optional()
  .describe('How two lists differ.');

const diff = z.object({
  os: attribute.describe('Operating system.'),
  arch: attribute.describe('CPU architecture.'),
  system: list(entry.extend({ context }), 'What the system is: distribution, kernel, libc.'),
  facts: list(
    entry.extend({ context, list: listChange }),
    'Facts of the machines: limits, kernel settings, tool configuration and their like.',
  ),
  runtimes: list(entry.extend({ match }), 'Runtimes and tools.'),
  toolchain: list(
    entry.extend({
      declared: z
        .object({
          a: declared.describe('In A; null if nothing is declared.'),
          b: declared.describe('In B; null if nothing is declared.'),
        })
        .describe('The declared versions, and whether the present ones meet them.'),
    }),
    'Versions that the folder declares.',
  ),
  checkout: list(entry.extend({ context }), 'The commits, and how the work trees differ from them.'),
  dependencies: list(
    entry.extend({
      file,
      name,
      context: bool('A package of the operating system that programs do not load.'),
      differsIn: z
        .enum(['source', 'patch', 'content', 'checksum'])
        .optional()
        .describe('How packages with the same version differ; `checksum` if only one side has a checksum.'),
    }),
    'Packages of the dependency files.',
  ),
  installed: list(
    entry.extend({ file, name }),
    'Packages whose installed version is not the locked one, on one side or both.',
  ),
  env: list(variable, 'Variables.'),
  envVars: list(variable, 'The same as env, under the name in the service’s response.'),
  paths: list(
    variable.extend({ list: hiddenListChange }),
    'Variables that are lists of folders, such as PATH.',
  ),
});

/** The document of `envsnap compare --json` and `--format json`. `diff` extends the response of the service's compare. */
export const comparisonDocument = z
  .object({
    snapshotA: stringOrNull('Id of the stored snapshot A; null for a file or this machine.'),
    snapshotB: stringOrNull('Id of the stored snapshot B; null for a file or this machine.'),
    a: sideInfo.describe('Side A.'),
    b: sideInfo.describe('Side B.'),
    verdict: verdict.describe(
      'equal: exit 0; tolerated: differences that do not count, exit 0; failed: exit 1.',
    ),
    failOn: list(z.string(), 'The rules by which differences count.'),
    causes: list(cause, 'What most likely explains a failure in B, likeliest first.'),
    policy: z
      .object({
        file: string('The policy file.'),
        checks: objects('Every expectation of the policy, checked against side B.', check),
      })
      .nullable()
      .describe('The policy that was applied; null for none.'),
    accepted: objects('Acceptances of the policy that apply to a difference.', {
      key: string('The key, as the policy writes it.'),
      reason: string('The reason that the policy gives.'),
      until: stringOrNull('Last day on which it applies, YYYY-MM-DD; null for no end.'),
      expired: bool('Whether it has expired, so that its differences count again.'),
      entries: objects('The differences to which it applies.', {
        section,
        key: string('Key in the section.'),
      }),
    }),
    summary: z
      .record(section, sectionSummary)
      .describe('For each section, how many entries are in each state.'),
    notes: objects('What limits the comparison.', {
      code: string('Code of the note, for programs.'),
      message: string('The note, for people.'),
    }),
    diff: diff.describe('Every entry of every section.'),
  })
  .meta({ title: 'envsnap comparison' });

export type ComparisonDocument = z.infer<typeof comparisonDocument>;
