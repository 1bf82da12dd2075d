// The JSON documents of the commands that run others: bisect and run, and the types of what they return. Never bundled.

import * as z from 'zod';
import {
  countSchema,
  type Document,
  flag,
  idSchema,
  machineNameSchema,
  objectOf,
  objectsOf,
  text,
  textOrNull,
  texts,
} from './document-parts.ts';

const changeText = z.object({
  key: text('The difference, as --only names it.'),
  a: text('What A has: "TZ=Asia/Kolkata", "no TZ". Never a secret.'),
  b: text('What B has.'),
});
const rate = z.object({
  failed: countSchema.describe('Number of runs that failed.'),
  runs: countSchema.describe('Number of runs.'),
  how: textOrNull('How the last failing run ended; null when none failed.'),
});
const bisect = z.object({
  verdict: z
    .enum(['proven', 'unproven', 'alike', 'flaky', 'nothing-to-try', 'planned'])
    .describe('proven: exit 0; unproven, nothing-to-try: 1; alike: 2; flaky: 7; planned: --dry-run.'),
  what: textOrNull('One sentence; null for a plan.'),
  cause: z
    .array(
      changeText.extend({
        set: countSchema.describe(
          'Number of its set. The differences of one set are enough to make the command fail.',
        ),
      }),
    )
    .describe('The differences that make the command fail.'),
  proven: flag('Whether the command failed with each set alone, and passed with all the other differences.'),
  runs: countSchema.describe('How often the command was run.'),
  skipped: countSchema.describe('How many of these runs the command skipped with exit code 125.'),
  notTried: objectsOf('Differences that were left out.', {
    key: text('The difference.'),
    reason: text('Why bisect cannot apply it.'),
  }),
  sides: objectOf('How often each side failed, measured first.', {
    a: rate.exactOptional().describe('Side A.'),
    b: rate.exactOptional().describe('Side B.'),
  }),
  outputFolder: textOrNull('Folder with the output of each run.'),
  planned: z.array(changeText).exactOptional().describe('Only with --dry-run: what would be tried.'),
});

export type BisectDocument = Document<typeof bisect>;
export type ChangeText = Document<typeof changeText>;

const testNames = z.array(z.string());

const run = z.object({
  id: idSchema.nullable().describe('Id on the server or on this machine; null if it could not be stored.'),
  exitCode: z.number().int().nullable().describe('Exit code of the command; null when a signal ended it.'),
  signal: textOrNull('The signal that ended it.'),
  outcome: objectOf('How it ended, as in metadata.outcome of the stored run.', {
    result: z.enum(['passed', 'failed']).describe('Passed if the exit code is 0.'),
    of: text('Name of the run.'),
    attempt: z
      .number()
      .int()
      .exactOptional()
      .describe('Number of the attempt at the same job, starting at 1.'),
    durationMs: countSchema.exactOptional().describe('How long it took.'),
    tests: z
      .object({
        passed: countSchema.describe('Tests that passed at the first attempt.'),
        skipped: countSchema.describe('Tests that did not run.'),
        failed: testNames.describe('Tests that failed.'),
        flaky: testNames.describe('Tests that failed at one attempt and passed at another.'),
        failedMore: countSchema.exactOptional().describe('How many more tests failed.'),
        flakyMore: countSchema.exactOptional().describe('How many more tests were flaky.'),
        ran: objectOf('Which tests ran.', {
          digest: text('The same for two runs if the same tests ran.'),
          names: testNames.exactOptional().describe('All tests that ran, unless there are too many.'),
        }),
      })
      .exactOptional()
      .describe('What the reports of --junit and --ctrf say; absent if there is none.'),
  }),
  against: z
    .object({
      id: textOrNull('Its id.'),
      machineName: machineNameSchema,
      createdAt: textOrNull('When it was stored.'),
    })
    .nullable()
    .describe('The last run of this name that passed; null if there is none, or if this one passed.'),
  comparison: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What differs from it, as in compare --json.'),
  explanations: texts(
    'Explanations of the failure from this machine: a port in use, a full disk, a missing file.',
  ),
  findings: objectsOf(
    'If there is no run to compare with: what this machine lacks that the project asks for.',
    {
      message: text('What is wrong.'),
      advice: textOrNull('What repairs it.'),
      named: flag('Whether the output names it.'),
    },
  ),
  output: texts('If there is no run to compare with: lines of the output that report an error.'),
  notFound: z
    .object({
      name: text('The command.'),
      known: texts('Similar names, and the package or file that provides the command.'),
      next: textOrNull('What to run instead, or what installs it.'),
    })
    .nullable()
    .describe('A command that was not found: nothing is compared then.'),
  problems: texts('What went wrong: a report that could not be read, a run that could not be stored.'),
});

export type RunDocument = Document<typeof run>;

export const runDocuments = { bisect, run } as const;
