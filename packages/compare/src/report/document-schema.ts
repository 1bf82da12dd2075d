// The JSON document of a comparison: its zod schema (published as JSON Schema) and how a report becomes one.

import { comparisonCause, verdict } from '@envsnap/shared';
import { sectionNames } from '@envsnap/shared/address';
import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { policyOutcomes, policyRules } from '../policy/policy-check.ts';

const side = z.string().nullable();
const sideA = side.describe('Value in A; null where it has none.');
const sideB = side.describe('Value in B; null where it has none.');
const status = z
  .enum(['same', 'changed', 'added', 'removed'])
  .describe('added: in B only; removed: in A only.');
const distance = z
  .enum(distances)
  .nullable()
  .describe('How far apart two versions are; null where there are no two different ones.');
const counts = z.boolean().describe('Whether this difference counts by the fail-on rules.');

const reason = side.describe(
  'Why a difference does not count by default: of the desktop, less than a minor version apart; null where it does.',
);
const match = z.boolean().describe('Whether both are the same.');
const name = z.string().describe('What is compared.');
const attribute = z.object({ a: sideA, b: sideB, match, counts });
const entry = z.object({ key: name, a: sideA, b: sideB, status, distance, counts, reason });
const variable = z.object({
  key: z.string().describe('Name of the variable.'),
  status,
  counts,
  reason,
  a: side.optional().describe('Only where values are shown.'),
  b: side.optional().describe('Only where values are shown.'),
  unverified: z
    .enum(['redacted', 'other-key', 'one-side', 'names-only'])
    .optional()
    .describe('Why the values could not be compared; the entry counts as the same.'),
});
const sideInfo = z.object({
  label: z.string().describe('What the caller wrote: latest:web-1, local, a file.'),
  id: side.describe('Id of the stored snapshot; null for a file or this machine.'),
  machineName: z.string().describe('Machine that was captured.'),
  createdAt: side.describe('When it was stored.'),
  os: side.describe('Operating system.'),
  arch: side.describe('CPU architecture.'),
  revision: side.describe('Branch and short commit.'),
  folder: side.describe('Captured folder below the root of its project; null for the root.'),
});
const sectionSummary = z.object({
  same: z.number().int().describe('The same on both sides.'),
  changed: z.number().int().describe('Different values.'),
  added: z.number().int().describe('In B only.'),
  removed: z.number().int().describe('In A only.'),
  ignored: z.number().int().describe('Differences that an ignore pattern left out.'),
  counting: z.number().int().describe('Differences that count.'),
});
const context = z.boolean().describe('Whether it says something about the machine or the person alone.');
const file = z.string().describe('Dependency file.');
const packageName = z.string().describe('Package.');
const sectionName = z.enum(sectionNames).describe('Part of the comparison.');
const declared = z.object({
  requirement: z.string().describe('What is asked for.'),
  file: z.string().describe('File that asks for it.'),
  present: side.describe('Version that is there.'),
  satisfied: z
    .boolean()
    .nullable()
    .describe('Whether that is what is asked for; null where it cannot be determined.'),
});

/** What `envsnap compare --json` and `--format json` print. `diff` extends the answer of the service's compare. */
export const comparisonDocument = z
  .object({
    snapshotA: side.describe('Id of the stored snapshot A; null for a file or this machine.'),
    snapshotB: side.describe('Id of the stored snapshot B; null for a file or this machine.'),
    a: sideInfo.describe('Side A.'),
    b: sideInfo.describe('Side B.'),
    verdict: verdict.describe(
      'equal: exit 0; tolerated: differences that do not count, exit 0; failed: exit 1.',
    ),
    failOn: z.array(z.string()).describe('The rules by which differences count.'),
    causes: z
      .array(
        comparisonCause.extend({
          also: z
            .array(z.object({ section: sectionName, key: z.string().describe('Key of that section.') }))
            .describe('Differences of other sections that are the same cause.'),
          evidence: z
            .string()
            .optional()
            .describe('Words of the failure’s output that point to it; only with --failure.'),
        }),
      )
      .describe('What most likely explains a failure in B, the likeliest first.'),
    policy: z
      .object({
        file: z.string().describe('The policy file.'),
        checks: z
          .array(
            z.object({
              rule: z.enum(policyRules).describe('Part of the policy.'),
              key: z.string().describe('What is expected of.'),
              outcome: z.enum(policyOutcomes).describe('Its result.'),
              expected: z.string().describe('What the policy asks for.'),
              actual: side.describe('What is there; null for variables, whose values are not shown.'),
              message: z.string().describe('One sentence without its full stop.'),
              advice: z.string().describe('What to do about a violation.'),
              line: z.number().int().describe('Line in the policy file, from 1.'),
            }),
          )
          .describe('Every expectation of the policy, of side B.'),
      })
      .nullable()
      .describe('The policy that was applied; null for none.'),
    accepted: z
      .array(
        z.object({
          key: z.string().describe('As the policy writes it.'),
          reason: z.string().describe('Why, as the policy says.'),
          until: side.describe('Last day on which it holds, YYYY-MM-DD; null for no end.'),
          expired: z.boolean().describe('Whether it has ended: its differences count again.'),
          entries: z
            .array(z.object({ section: sectionName, key: z.string().describe('Key of the section.') }))
            .describe('The differences that it meets.'),
        }),
      )
      .describe('Acceptances of the policy that meet a difference.'),
    summary: z
      .record(sectionName, sectionSummary)
      .describe('For each section, how many entries are in each state.'),
    notes: z
      .array(
        z.object({
          code: z.string().describe('What the note is about, for programs.'),
          message: z.string().describe('The same, for people.'),
        }),
      )
      .describe('What limits the comparison.'),
    diff: z
      .object({
        os: attribute.describe('Operating system.'),
        arch: attribute.describe('CPU architecture.'),
        system: z
          .array(entry.extend({ context }))
          .describe('What the system is: distribution, kernel, libc.'),
        facts: z
          .array(
            entry.extend({
              context,
              list: z
                .object({
                  added: z.array(z.string()).describe('In B only.'),
                  removed: z.array(z.string()).describe('In A only.'),
                  moved: z.array(z.string()).describe('In another place.'),
                })
                .optional()
                .describe('How two lists differ.'),
            }),
          )
          .describe('Facts of the machines: limits, kernel settings, tool configuration and their like.'),
        runtimes: z.array(entry.extend({ match })).describe('Runtimes and tools.'),
        toolchain: z
          .array(
            entry.extend({
              declared: z
                .object({
                  a: declared.nullable().describe('In A; null where nothing is declared.'),
                  b: declared.nullable().describe('In B; null where nothing is declared.'),
                })
                .describe('What the folder declares, and whether what is there meets it.'),
            }),
          )
          .describe('Versions that the folder declares.'),
        checkout: z
          .array(entry.extend({ context }))
          .describe('What the work trees hold beside their commits, and the commits themselves.'),
        dependencies: z
          .array(
            entry.extend({
              file,
              name: packageName,
              context: z.boolean().describe('A package of the operating system that programs do not load.'),
              differsIn: z
                .enum(['source', 'patch', 'content'])
                .optional()
                .describe('What differs where both sides have one version.'),
            }),
          )
          .describe('Packages of the dependency files.'),
        installed: z
          .array(entry.extend({ file, name: packageName }))
          .describe('Packages whose installed version is not the one of the lock file on one side or both.'),
        env: z.array(variable).describe('Variables.'),
        envVars: z.array(variable).describe('The same as env, by the name that the service’s answer has.'),
        paths: z
          .array(
            variable.extend({
              list: z
                .object({
                  added: z.number().int().describe('How many are in B only.'),
                  removed: z.number().int().describe('How many are in A only.'),
                  moved: z.number().int().describe('How many are in another place.'),
                  addedEntries: z.array(z.string()).optional().describe('Only where values are shown.'),
                  removedEntries: z.array(z.string()).optional().describe('Only where values are shown.'),
                })
                .optional()
                .describe('How two lists differ.'),
            }),
          )
          .describe('Variables that are lists of folders, such as PATH.'),
      })
      .describe('Every entry of every section.'),
  })
  .meta({ title: 'envsnap comparison' });

export type ComparisonDocument = z.infer<typeof comparisonDocument>;
