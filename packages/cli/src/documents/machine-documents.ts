// The JSON documents of commands over machines, stored values and settings, and the types of what those commands return.
// Never bundled: other files import the types alone.

import type { CapturedSnapshot } from '@envsnap/capture';
import { exportFormats, policyOutcomes, policyRules } from '@envsnap/compare/workspace';
import { operations, snapshot, valueChange, valueSeries } from '@envsnap/shared';
import { distances } from '@envsnap/versions';
import * as z from 'zod';
import { exitCodes } from '../errors/exit-codes.ts';

/** What a schema says, not to be changed. */
type Told<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

const uuid = z.uuid();
const moment = z.iso.datetime();
const count = z.number().int().min(0);
const distance = z
  .enum(distances)
  .nullable()
  .describe('How far apart two versions are; null where there are no two different ones.');
const machineName = snapshot.shape.machineName;

const capture = snapshot.extend({
  id: uuid.optional().describe('Id of the stored snapshot; absent with --dry-run and --output.'),
  os: z.string().describe('Operating system: darwin, linux, win32.'),
  arch: z.string().describe('CPU architecture: arm64, x64.'),
  createdAt: moment.optional().describe('When it was stored; absent with --dry-run and --output.'),
}) satisfies z.ZodType<CapturedSnapshot>;

const check = z.object({
  policy: z.string().nullable().describe('The policy file; null where there is none.'),
  machineName,
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
      }),
    )
    .describe('Installed packages that are not those of the lock file.'),
  notInstalled: z
    .array(
      z.object({
        file: z.string().describe('Lock file.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().nullable().describe('The command that installs it, where one is known.'),
      }),
    )
    .describe('Lock files of which nothing is installed: shown, and not a failure.'),
  checkout: z
    .array(
      z.object({
        key: z.string().describe('Key of the section checkout.'),
        value: z.string().describe('In what it differs from the commit.'),
        message: z.string().describe('One sentence without its full stop.'),
        advice: z.string().nullable().describe('What to do, where that is known.'),
      }),
    )
    .describe('What the work tree holds beside its commit: reported, and not a failure.'),
  accepted: count.describe(
    'How many expectations, versions and packages are not met and accepted by the policy.',
  ),
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
        machineName,
        snapshotId: uuid.describe('Its newest snapshot.'),
        createdAt: moment.describe('When that was stored.'),
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
        odd: z.array(count).describe('Positions of the machines that differ from the majority.'),
        unknown: z.array(count).describe('Positions of the machines whose capture could not read it.'),
        context: z
          .boolean()
          .describe('True for runtimes that no project asks for, and for facts that are seldom a cause.'),
      }),
    )
    .describe('What differs comes first.'),
});

export type Matrix = Told<typeof matrix>;

const told = z.object({
  key: z.string().describe('The difference, as --only names it.'),
  a: z.string().describe('What A has: "TZ=Asia/Kolkata", "no TZ". Never a secret.'),
  b: z.string().describe('What B has.'),
});
const rate = z.object({
  failed: count.describe('Runs that failed.'),
  runs: count.describe('Runs in all.'),
  how: z.string().nullable().describe('How the last failing run ended; null when none failed.'),
});
const bisect = z.object({
  verdict: z
    .enum(['proven', 'unproven', 'alike', 'flaky', 'nothing-to-try', 'planned'])
    .describe('proven: exit 0; unproven, nothing-to-try: 1; alike: 2; flaky: 7; planned: --dry-run.'),
  what: z.string().nullable().describe('One sentence; null for a plan.'),
  cause: z
    .array(told.extend({ set: count.describe('Where this differs, each set alone makes the command fail.') }))
    .describe('The differences that make the command fail.'),
  proven: z
    .boolean()
    .describe('Whether it failed with each set alone, and passed with everything but the sets.'),
  runs: count.describe('How often the command was run.'),
  skipped: count.describe('How many of these runs the command skipped with exit code 125.'),
  notTried: z
    .array(
      z.object({
        key: z.string().describe('The difference.'),
        reason: z.string().describe('Why no run can be given it.'),
      }),
    )
    .describe('Differences that were left out.'),
  sides: z
    .object({ a: rate.exactOptional().describe('Side A.'), b: rate.exactOptional().describe('Side B.') })
    .describe('How often each side failed, measured first.'),
  outputFolder: z.string().nullable().describe('Folder with the output of each run.'),
  planned: z.array(told).exactOptional().describe('Only with --dry-run: what would be tried.'),
});

export type BisectDocument = Told<typeof bisect>;
export type ToldChange = Told<typeof told>;

const exported = z.object({
  format: z.enum(exportFormats).describe('The format.'),
  snapshotId: z.string().nullable().describe('The stored snapshot; null for a file.'),
  machineName,
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

const init = z.object({
  profile: z.string().describe('Name of the profile.'),
  baseUrl: z.string().describe('Address of the server.'),
  projectId: uuid.describe('Id of the project.'),
  projectName: z.string().describe('Name of the project.'),
  apiKeyId: uuid.describe('Id of the key.'),
  role: z.string().describe('What the key may do.'),
  created: z.boolean().describe('Whether the project was made now.'),
  configFile: z.string().describe('File that holds the key.'),
});

export type InitResult = Omit<Told<typeof init>, 'configFile'>;

const issue = z.object({ markdown: z.string().describe('The report.') });

const current = z.string().nullable().describe('The current profile; null for none.');
const profile = z.object({
  name: z.string().describe('Name of the profile.'),
  current: z.boolean().describe('Whether it is the current one.'),
  baseUrl: z.string().describe('Address of the server.'),
  projectId: z.string().describe('Id of the project.'),
  projectName: z.string().describe('Name of the project.'),
  keyPrefix: z.string().describe('First 11 characters of the key.'),
});

export type ListedProfile = Told<typeof profile>;

const delivery = z.object({
  receivedAt: moment.describe('When it arrived.'),
  id: z.string().nullable().describe('webhook-id: the same on every attempt of one event.'),
  verified: z.boolean().describe('Whether its signature was checked and is right.'),
  problem: z.string().nullable().describe('Why it was refused or not passed on; null when all is well.'),
  payload: z
    .looseObject({ event: z.string(), data: z.unknown(), timestamp: z.string().exactOptional() })
    .nullable()
    .describe('The event; null when it was refused.'),
  forwardedStatus: z.number().int().nullable().describe('Status of the program that it was passed on to.'),
});

export type ReceivedDelivery = Told<typeof delivery>;

const failure = z.object({
  message: z.string().describe('What happened.'),
  code: z.string().describe('The same for programs: a code of the service or of the program.'),
  exitCode: z.literal(Object.values(exitCodes)).describe('The exit code.'),
  status: z.number().int().optional().describe('Status of the answer, when the service refused.'),
  requestId: z.string().optional().describe('The request in the log of the server.'),
  retryAfterSeconds: z.number().optional().describe('When to try again.'),
  details: z
    .array(
      z.object({ path: z.string().describe('The field.'), message: z.string().describe('What is wrong.') }),
    )
    .optional()
    .describe('Which fields were refused.'),
  hint: z.string().optional().describe('What to do.'),
});

const testNames = z.array(z.string());

const run = z.object({
  id: uuid.describe('Id of the recorded run, on the server or on this machine.'),
  exitCode: z.number().int().nullable().describe('Of the command; null when a signal ended it.'),
  signal: z.string().nullable().describe('The signal that ended it.'),
  outcome: z
    .object({
      result: z.enum(['passed', 'failed']).describe('Passed where the exit code is 0.'),
      of: z.string().describe('What the run is called.'),
      attempt: z.number().int().exactOptional().describe('Which attempt at the same job it was, from 1 on.'),
      durationMs: count.exactOptional().describe('How long it took.'),
      tests: z
        .object({
          passed: count.describe('Tests that passed at once.'),
          skipped: count.describe('Tests that did not run.'),
          failed: testNames.readonly().describe('Tests that failed.'),
          flaky: testNames.readonly().describe('Tests that failed and passed.'),
          failedMore: count.exactOptional().describe('How many more failed than are named.'),
          flakyMore: count.exactOptional().describe('How many more were flaky than are named.'),
          ran: z
            .object({
              digest: z.string().describe('Equal where the same tests ran.'),
              names: testNames
                .readonly()
                .exactOptional()
                .describe('All that ran, where these are not too many.'),
            })
            .describe('Which tests ran.'),
        })
        .exactOptional()
        .describe('What the reports of --junit and --ctrf say; absent where there is none.'),
    })
    .describe('How it ended, as metadata.outcome of the stored run has it.'),
  against: z
    .object({
      id: z.string().nullable().describe('Its id.'),
      machineName,
      createdAt: z.string().nullable().describe('When it was stored.'),
    })
    .nullable()
    .describe('The last run of this name that passed; null where there is none, and where this one passed.'),
  comparison: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What differs from it, as compare --json has it.'),
  problems: z.array(z.string()).readonly().describe('Reports of tests that could not be read.'),
});

/** What `run` recorded. */
export type RunDocument = Told<typeof run>;

/** By the words of the command; `error` is what any command prints when it fails. */
export const machineDocuments = {
  error: z.object({ error: failure.describe('What went wrong.') }),
  init,
  capture,
  check,
  accept,
  history,
  matrix,
  bisect,
  issue,
  run,
  doctor,
  'snapshot export': exported,
  'profile list': z.object({ profiles: z.array(profile).describe('By name.') }),
  'profile use': z.object({ current: z.string().describe('The current profile.') }),
  'profile remove': z.object({ removed: z.string().describe('Name of the profile that is gone.'), current }),
  'webhook listen': z.object({
    url: z.string().describe('Where it listened.'),
    deliveries: z.array(delivery).describe('In the order in which they came.'),
  }),
  autocomplete: z.object({
    shell: z.string().describe('The shell.'),
    script: z.string().describe('Its completion script.'),
  }),
} as const;
