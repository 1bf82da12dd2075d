// The JSON documents of the commands that run others: bisect and run, and the types of what they return. Never bundled.

import * as z from 'zod';
import { countSchema, idSchema, machineNameSchema, type Told } from './document-parts.ts';

const told = z.object({
  key: z.string().describe('The difference, as --only names it.'),
  a: z.string().describe('What A has: "TZ=Asia/Kolkata", "no TZ". Never a secret.'),
  b: z.string().describe('What B has.'),
});
const rate = z.object({
  failed: countSchema.describe('Runs that failed.'),
  runs: countSchema.describe('Runs in all.'),
  how: z.string().nullable().describe('How the last failing run ended; null when none failed.'),
});
const bisect = z.object({
  verdict: z
    .enum(['proven', 'unproven', 'alike', 'flaky', 'nothing-to-try', 'planned'])
    .describe('proven: exit 0; unproven, nothing-to-try: 1; alike: 2; flaky: 7; planned: --dry-run.'),
  what: z.string().nullable().describe('One sentence; null for a plan.'),
  cause: z
    .array(
      told.extend({
        set: countSchema.describe('Where this differs, each set alone makes the command fail.'),
      }),
    )
    .describe('The differences that make the command fail.'),
  proven: z
    .boolean()
    .describe('Whether it failed with each set alone, and passed with everything but the sets.'),
  runs: countSchema.describe('How often the command was run.'),
  skipped: countSchema.describe('How many of these runs the command skipped with exit code 125.'),
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

const testNames = z.array(z.string());

const run = z.object({
  id: idSchema.nullable().describe('Id on the server or on this machine; null where it could not be stored.'),
  exitCode: z.number().int().nullable().describe('Of the command; null when a signal ended it.'),
  signal: z.string().nullable().describe('The signal that ended it.'),
  outcome: z
    .object({
      result: z.enum(['passed', 'failed']).describe('Passed where the exit code is 0.'),
      of: z.string().describe('What the run is called.'),
      attempt: z.number().int().exactOptional().describe('Which attempt at the same job it was, from 1 on.'),
      durationMs: countSchema.exactOptional().describe('How long it took.'),
      tests: z
        .object({
          passed: countSchema.describe('Tests that passed at once.'),
          skipped: countSchema.describe('Tests that did not run.'),
          failed: testNames.readonly().describe('Tests that failed.'),
          flaky: testNames.readonly().describe('Tests that failed and passed.'),
          failedMore: countSchema.exactOptional().describe('How many more failed than are named.'),
          flakyMore: countSchema.exactOptional().describe('How many more were flaky than are named.'),
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
      machineName: machineNameSchema,
      createdAt: z.string().nullable().describe('When it was stored.'),
    })
    .nullable()
    .describe('The last run of this name that passed; null where there is none, and where this one passed.'),
  comparison: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What differs from it, as compare --json has it.'),
  explanations: z
    .array(z.string())
    .describe(
      'What explains the failure by itself, looked up on this machine: a port in use, a full disk, a missing file.',
    ),
  findings: z
    .array(
      z.object({
        message: z.string().describe('What is wrong.'),
        advice: z.string().nullable().describe('What repairs it.'),
        named: z.boolean().describe('Whether the output names it.'),
      }),
    )
    .readonly()
    .describe(
      'Where there is nothing to compare with: what this machine lacks of what the project asks for.',
    ),
  output: z
    .array(z.string())
    .readonly()
    .describe('Where there is nothing to compare with: lines of the output that report an error.'),
  notFound: z
    .object({
      name: z.string().describe('The command.'),
      known: z.array(z.string()).readonly().describe('Names like it, and where the project gets it from.'),
      next: z.string().nullable().describe('What to run in its place, or what installs it.'),
    })
    .nullable()
    .describe('A command that was not found: nothing is compared then.'),
  problems: z
    .array(z.string())
    .readonly()
    .describe('What did not work: a report that could not be read, a run that could not be stored.'),
});

/** What `run` recorded. */
export type RunDocument = Told<typeof run>;

/** By the words of the command. */
export const runDocuments = { bisect, run } as const;
