// The JSON document of a comparison: its zod schema (published as JSON Schema) and how a report becomes one.

import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { sectionNames } from '../model/model.ts';
import { policyRules } from '../policy/check-policy.ts';

const side = z.string().nullable();
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
const attribute = z.object({ a: side, b: side, match: z.boolean(), counts });
const entry = z.object({ key: z.string(), a: side, b: side, status, distance, counts, reason });
const variable = z.object({
  key: z.string(),
  status,
  counts,
  reason,
  a: side.optional().describe('Only with --show-values.'),
  b: side.optional().describe('Only with --show-values.'),
  unverified: z
    .enum(['redacted', 'other-key', 'one-side', 'names-only'])
    .optional()
    .describe('Why the values could not be compared; the entry counts as the same.'),
});
const sideInfo = z.object({
  label: z.string().describe('What the caller wrote: latest:web-1, local, a file.'),
  id: side,
  machineName: z.string(),
  createdAt: side,
  os: side,
  arch: side,
  revision: side.describe('Branch and short commit.'),
});
const sectionSummary = z.object({
  same: z.number().int(),
  changed: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  ignored: z.number().int().describe('Differences that an ignore pattern left out.'),
  counting: z.number().int().describe('Differences that count.'),
});
const sectionName = z.enum(sectionNames);
const declared = z.object({
  requirement: z.string(),
  file: z.string(),
  present: side,
  satisfied: z.boolean().nullable(),
});

/** What `envsnap compare --json` and `--format json` print. `diff` extends the answer of the service's compare. */
export const comparisonDocument = z
  .object({
    snapshotA: side.describe('Id of the stored snapshot A; null for a file or this machine.'),
    snapshotB: side,
    a: sideInfo,
    b: sideInfo,
    verdict: z
      .enum(['equal', 'tolerated', 'failed'])
      .describe('equal: exit 0; tolerated: differences that do not count, exit 0; failed: exit 1.'),
    failOn: z.array(z.string()),
    causes: z
      .array(
        z.object({ section: sectionName, keys: z.array(z.string()), what: z.string(), advice: z.string() }),
      )
      .describe('What most likely explains a failure in B, the likeliest first.'),
    policy: z
      .object({
        file: z.string(),
        checks: z.array(
          z.object({
            rule: z.enum(policyRules),
            key: z.string(),
            outcome: z.enum(['met', 'violated', 'unknown']),
            expected: z.string(),
            actual: side,
            message: z.string(),
            advice: z.string(),
            line: z.number().int(),
          }),
        ),
      })
      .nullable(),
    accepted: z
      .array(
        z.object({
          key: z.string().describe('As the policy writes it.'),
          reason: z.string(),
          until: side.describe('Last day on which it holds, YYYY-MM-DD; null for no end.'),
          expired: z.boolean().describe('Whether it has ended: its differences count again.'),
          entries: z.array(z.object({ section: sectionName, key: z.string() })),
        }),
      )
      .describe('Acceptances of the policy that meet a difference.'),
    summary: z.record(sectionName, sectionSummary),
    notes: z.array(z.object({ code: z.string(), message: z.string() })),
    diff: z.object({
      os: attribute,
      arch: attribute,
      system: z.array(entry.extend({ context: z.boolean() })),
      facts: z
        .array(
          entry.extend({
            context: z.boolean(),
            list: z
              .object({
                added: z.array(z.string()),
                removed: z.array(z.string()),
                moved: z.array(z.string()),
              })
              .optional()
              .describe('How two lists differ.'),
          }),
        )
        .describe('Facts of the machines: limits, kernel settings, tool configuration and their like.'),
      runtimes: z.array(entry.extend({ match: z.boolean() })),
      toolchain: z.array(
        entry.extend({ declared: z.object({ a: declared.nullable(), b: declared.nullable() }) }),
      ),
      dependencies: z.array(
        entry.extend({
          file: z.string(),
          name: z.string(),
          context: z.boolean().describe('A package of the operating system that programs do not load.'),
        }),
      ),
      installed: z
        .array(entry.extend({ file: z.string(), name: z.string() }))
        .describe('Packages whose installed version is not the one of the lock file on one side or both.'),
      env: z.array(variable),
      envVars: z.array(variable).describe('The same as env, by the name that the service’s answer has.'),
      paths: z.array(
        variable.extend({
          list: z
            .object({
              added: z.number().int(),
              removed: z.number().int(),
              moved: z.number().int(),
              addedEntries: z.array(z.string()).optional().describe('Only with --show-values.'),
              removedEntries: z.array(z.string()).optional().describe('Only with --show-values.'),
            })
            .optional(),
        }),
      ),
    }),
  })
  .meta({ title: 'envsnap comparison' });

export type ComparisonDocument = z.infer<typeof comparisonDocument>;
