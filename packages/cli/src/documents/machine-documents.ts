// The JSON documents of commands over machines and stored values, and the types of what those commands return.
// Never bundled: other files import the types alone.

import type { CapturedSnapshot } from '@envsnap/capture';
import { exportFormats, policyOutcomes, policyRules } from '@envsnap/compare/workspace';
import { operations, snapshot, valueChange, valueSeries } from '@envsnap/shared';
import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { countSchema, idSchema, machineNameSchema, momentSchema, type Told } from './document-parts.ts';

const distance = z
  .enum(distances)
  .nullable()
  .describe('How far apart two versions are; null where there are no two different ones.');

const capture = snapshot.extend({
  id: idSchema.optional().describe('Id of the stored snapshot; absent with --dry-run and --output.'),
  os: z.string().describe('Operating system: darwin, linux, win32.'),
  arch: z.string().describe('CPU architecture: arm64, x64.'),
  createdAt: momentSchema.optional().describe('When it was stored; absent with --dry-run and --output.'),
}) satisfies z.ZodType<CapturedSnapshot>;

const repair = z
  .object({
    side: z.enum(['a', 'b', 'both']).describe('As in a comparison with this machine as B.'),
    commands: z.array(z.string()).describe('What to run here, in order, in one POSIX shell.'),
  })
  .nullable()
  .describe('The commands that make it right, as they stand; null where no command does.');

const check = z.object({
  policy: z.string().nullable().describe('The policy file; null where there is none.'),
  machineName: machineNameSchema,
  os: z.string().describe('Operating system.'),
  arch: z.string().describe('CPU architecture.'),
  passed: z.boolean().describe('Whether everything is as expected: exit 0.'),
  checks: z
    .array(
      z.object({
        rule: z.enum(policyRules).describe('Part of the policy.'),
        key: z.string().describe('What is expected of.'),
        outcome: z.enum(policyOutcomes).describe('Its result.'),
        expected: z.string().describe('What the policy asks for.'),
        actual: z
          .string()
          .nullable()
          .describe('What is there; null for variables, whose values are not shown.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().describe('What to do about a violation.'),
        line: z.number().int().describe('Line in the policy file, from 1.'),
      }),
    )
    .describe('Every expectation of the policy.'),
  declared: z
    .array(
      z.object({
        key: z.string().describe('Key of the section toolchain.'),
        tool: z.string().describe('Tool.'),
        file: z.string().describe('What declares it.'),
        requirement: z.string().describe('The version that is asked for.'),
        present: z.string().nullable().describe('The version that is here; null where there is none.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().describe('What to do about it.'),
        repair,
      }),
    )
    .describe(
      'Declared versions that this machine does not meet; a tool that is missing is reported, and not a failure.',
    ),
  installed: z
    .array(
      z.object({
        file: z.string().describe('Lock file.'),
        name: z.string().describe('Package.'),
        installed: z.string().nullable().describe('Installed version; null where it is missing.'),
        locked: z.string().nullable().describe('Locked version; null where the lock file does not have it.'),
        direct: z.boolean().describe('Whether the project asks for it itself.'),
        requiredBy: z.array(z.string()).describe('Some of the packages that depend on it.'),
        folder: z.string().nullable().describe('Its folder, where it has one only.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().nullable().describe('The command that repairs it, where one is known.'),
        repair,
      }),
    )
    .describe('Installed packages that are not those of the lock file.'),
  notInstalled: z
    .array(
      z.object({
        file: z.string().describe('Lock file.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().nullable().describe('The command that installs it, where one is known.'),
        repair,
      }),
    )
    .describe(
      'Lock files of which nothing is installed, or nothing for development: shown, and not a failure.',
    ),
  checkout: z
    .array(
      z.object({
        key: z.string().describe('Key of the section checkout.'),
        value: z.string().describe('In what it differs from the commit.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().nullable().describe('What to do, where that is known.'),
        repair,
        counts: z.boolean().describe('Whether it fails the check: not so work that is not committed.'),
      }),
    )
    .describe('What the work tree holds beside its commit.'),
  accepted: countSchema.describe(
    'How many expectations, versions and packages are not met and accepted by the policy.',
  ),
  notes: z
    .array(
      z.object({
        code: z.string().describe('What the note is about, for programs.'),
        message: z.string().describe('The same, for people.'),
      }),
    )
    .describe('Acceptances that have ended, so that what they name counts again.'),
});

/** What `check` found. */
export type MachineCheck = Told<typeof check>;

const doctor = z.object({
  ok: z.boolean().describe('Whether nothing failed: exit 0.'),
  checks: z
    .array(
      z.object({
        name: z.string().describe('What was looked at.'),
        state: z.enum(['ok', 'warning', 'failed', 'skipped']).describe('Its result.'),
        message: z.string().describe('What was found.'),
        hint: z.string().exactOptional().describe('What to do about it.'),
      }),
    )
    .describe('In the order in which they were made.'),
});

/** One thing that `doctor` looked at. */
export type Check = Told<typeof doctor>['checks'][number];

const history = operations.getHistory.response.extend({
  series: z
    .array(
      valueSeries.extend({ changes: z.array(valueChange.extend({ distance })).describe('Oldest first.') }),
    )
    .describe('By machine name.'),
});

export type History = Told<typeof history>;
export type MachineHistory = History['series'][number];

const matrix = z.object({
  machines: z
    .array(
      z.object({
        machineName: machineNameSchema,
        snapshotId: idSchema.describe('Its newest snapshot.'),
        createdAt: momentSchema.describe('When that was stored.'),
      }),
    )
    .describe('The machines, in the order of the values.'),
  rows: z
    .array(
      z.object({
        key: z.string().describe('What is compared: "os", "runtimes.node", "facts.limits.openFiles".'),
        values: z.array(z.string().nullable()).describe('Value of each machine; null where it has none.'),
        equal: z.boolean().describe('Whether all machines have the same.'),
        majority: z
          .string()
          .nullish()
          .describe('What more than half of the machines have; absent where no value has a majority.'),
        odd: z.array(countSchema).describe('Positions of the machines that differ from the majority.'),
        unknown: z.array(countSchema).describe('Positions of the machines whose capture could not read it.'),
        context: z
          .boolean()
          .describe('True for runtimes that no project asks for, and for facts that are seldom a cause.'),
      }),
    )
    .describe('What differs comes first.'),
});

export type Matrix = Told<typeof matrix>;

const exported = z.object({
  format: z.enum(exportFormats).describe('The format.'),
  snapshotId: z.string().nullable().describe('The stored snapshot; null for a file.'),
  machineName: machineNameSchema,
  content: z.string().describe('The exported text.'),
});

export type ExportedSnapshot = Told<typeof exported>;

const accept = z.object({
  policy: z.string().describe('The policy file.'),
  accepted: z
    .object({
      key: z.string().describe('What is accepted.'),
      reason: z.string().describe('Why.'),
      until: z.string().nullable().describe('Last day on which it holds, YYYY-MM-DD; null for no end.'),
    })
    .describe('What the policy says now.'),
  replaced: z.boolean().describe('Whether an acceptance of the same key was there before.'),
});

export type AcceptResult = Told<typeof accept>;

const issue = z.object({ markdown: z.string().describe('The report.') });

/** By the words of the command. */
export const machineDocuments = {
  capture,
  check,
  accept,
  history,
  matrix,
  issue,
  doctor,
  'snapshot export': exported,
} as const;
