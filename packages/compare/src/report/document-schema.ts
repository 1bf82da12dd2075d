// The JSON document of a comparison: its zod schema (published as JSON Schema) and how a report becomes one.

import { comparisonCause, verdict } from '@envsnap/shared';
import { sectionNames } from '@envsnap/shared/address';
import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { policyOutcomes, policyRules } from '../policy/policy.ts';

const text = (what: string) => z.string().describe(what);
const textOrNull = (what: string) => z.string().nullable().describe(what);
const flag = (what: string) => z.boolean().describe(what);
const count = (what: string) => z.number().int().describe(what);
const list = <Item extends z.ZodType>(what: string, item: Item) => z.array(item).describe(what);
const objects = <Shape extends z.ZodRawShape>(what: string, shape: Shape) => list(what, z.object(shape));

const side = z.string().nullable();
const a = textOrNull('Value in A; null if it has none.');
const b = textOrNull('Value in B; null if it has none.');
const status = z
  .enum(['same', 'changed', 'added', 'removed'])
  .describe('added: in B only; removed: in A only.');
const distance = z
  .enum(distances)
  .nullable()
  .describe('How far apart two versions are; null unless there are two different versions.');
const counts = flag('Whether this difference counts by the fail-on rules.');
const reason = textOrNull(
  'Why a difference does not count by default, such as “set by the desktop”; null if it does count.',
);
const match = flag('Whether both are the same.');
const attribute = z.object({ a, b, match, counts });
const entry = z.object({ key: text('What is compared.'), a, b, status, distance, counts, reason });
const variable = z.object({
  key: text('Name of the variable.'),
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
  label: text('What the caller wrote: latest:web-1, local, a file.'),
  id: textOrNull('Id of the stored snapshot; null for a file or this machine.'),
  machineName: text('Machine that was captured.'),
  createdAt: textOrNull('When it was stored.'),
  os: textOrNull('Operating system.'),
  arch: textOrNull('CPU architecture.'),
  revision: textOrNull('Branch and short commit.'),
  folder: textOrNull('Captured folder below the root of its project; null for the root.'),
});
const sectionSummary = z.object({
  same: count('The same on both sides.'),
  changed: count('Different values.'),
  added: count('In B only.'),
  removed: count('In A only.'),
  ignored: count('Differences that an ignore pattern left out.'),
  counting: count('Differences that count.'),
});
const context = flag('Whether it describes only the machine or the person, not what the project does.');
const file = text('Dependency file.');
const name = text('Package.');
const section = z.enum(sectionNames).describe('Part of the comparison.');
const declared = z
  .object({
    requirement: text('The required version or range.'),
    file: text('File that asks for it.'),
    present: textOrNull('The version that is present.'),
    satisfied: z
      .boolean()
      .nullable()
      .describe('Whether that version meets the requirement; null if unknown.'),
  })
  .nullable();

const check = {
  rule: z.enum(policyRules).describe('Part of the policy.'),
  key: text('What the policy checks, such as a tool or a variable.'),
  outcome: z.enum(policyOutcomes).describe('Its result.'),
  expected: text('What the policy asks for.'),
  actual: textOrNull('The actual value; null for variables, whose values are not shown.'),
  message: text('A sentence without a full stop.'),
  advice: text('What to do about a violation.'),
  line: count('Line in the policy file, from 1.'),
};
const cause = comparisonCause.extend({
  also: objects('Differences in other sections that have the same cause.', {
    section,
    key: text('Key of that section.'),
  }),
  evidence: z
    .string()
    .optional()
    .describe('Words of the failure’s output that point to it; only with --failure.'),
});
const listChange = z
  .object({
    added: list('In B only.', z.string()),
    removed: list('In A only.', z.string()),
    moved: list('In a different position.', z.string()),
  })
  .optional()
  .describe('How two lists differ.');
const hiddenListChange = z
  .object({
    added: count('How many are in B only.'),
    removed: count('How many are in A only.'),
    moved: count('How many are in a different position.'),
    addedEntries: z.array(z.string()).optional().describe('Only if values are shown.'),
    removedEntries: z.array(z.string()).optional().describe('Only if values are shown.'),
  })
  .optional()
  .describe('How two lists differ.');

const diff = z.object({
  os: attribute.describe('Operating system.'),
  arch: attribute.describe('CPU architecture.'),
  system: list('What the system is: distribution, kernel, libc.', entry.extend({ context })),
  facts: list(
    'Facts of the machines: limits, kernel settings, tool configuration and their like.',
    entry.extend({ context, list: listChange }),
  ),
  runtimes: list('Runtimes and tools.', entry.extend({ match })),
  toolchain: list(
    'Versions that the folder declares.',
    entry.extend({
      declared: z
        .object({
          a: declared.describe('In A; null if nothing is declared.'),
          b: declared.describe('In B; null if nothing is declared.'),
        })
        .describe('The declared versions, and whether the present ones meet them.'),
    }),
  ),
  checkout: list('The commits, and how the work trees differ from them.', entry.extend({ context })),
  dependencies: list(
    'Packages of the dependency files.',
    entry.extend({
      file,
      name,
      context: flag('A package of the operating system that programs do not load.'),
      differsIn: z
        .enum(['source', 'patch', 'content', 'checksum'])
        .optional()
        .describe('How packages with the same version differ; `checksum` if only one side has a checksum.'),
    }),
  ),
  installed: list(
    'Packages whose installed version is not the locked one, on one side or both.',
    entry.extend({ file, name }),
  ),
  env: list('Variables.', variable),
  envVars: list('The same as env, under the name in the service’s response.', variable),
  paths: list(
    'Variables that are lists of folders, such as PATH.',
    variable.extend({ list: hiddenListChange }),
  ),
});

/** The document of `envsnap compare --json` and `--format json`. `diff` extends the response of the service's compare. */
export const comparisonDocument = z
  .object({
    snapshotA: textOrNull('Id of the stored snapshot A; null for a file or this machine.'),
    snapshotB: textOrNull('Id of the stored snapshot B; null for a file or this machine.'),
    a: sideInfo.describe('Side A.'),
    b: sideInfo.describe('Side B.'),
    verdict: verdict.describe(
      'equal: exit 0; tolerated: differences that do not count, exit 0; failed: exit 1.',
    ),
    failOn: list('The rules by which differences count.', z.string()),
    causes: list('What most likely explains a failure in B, likeliest first.', cause),
    policy: z
      .object({
        file: text('The policy file.'),
        checks: objects('Every expectation of the policy, checked against side B.', check),
      })
      .nullable()
      .describe('The policy that was applied; null for none.'),
    accepted: objects('Acceptances of the policy that apply to a difference.', {
      key: text('The key, as the policy writes it.'),
      reason: text('The reason that the policy gives.'),
      until: textOrNull('Last day on which it applies, YYYY-MM-DD; null for no end.'),
      expired: flag('Whether it has expired, so that its differences count again.'),
      entries: objects('The differences to which it applies.', { section, key: text('Key in the section.') }),
    }),
    summary: z
      .record(section, sectionSummary)
      .describe('For each section, how many entries are in each state.'),
    notes: objects('What limits the comparison.', {
      code: text('Code of the note, for programs.'),
      message: text('The note, for people.'),
    }),
    diff: diff.describe('Every entry of every section.'),
  })
  .meta({ title: 'envsnap comparison' });

export type ComparisonDocument = z.infer<typeof comparisonDocument>;
