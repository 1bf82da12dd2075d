// The JSON documents of the commands that run others: bisect and run, and the types of what they return. Never bundled.

import { bool, natural, objects, part, string, stringOrNull } from '@envsnap/shared';
import * as z from 'zod';
import { type Document, idSchema, machineNameSchema, texts } from './document-parts.ts';
import { repair } from './machine-documents.ts';

const changeText = z.object({
  key: string('The difference, as --only names it.'),
  a: string('What A has: "TZ=Asia/Kolkata", "no TZ". Never a secret.'),
  b: string('What B has.'),
});
const rate = z.object({
  failed: natural('Number of runs that failed.'),
  runs: natural('Number of runs.'),
  how: stringOrNull('How the last failing run ended; null when none failed.'),
});
const bisect = z.object({
  verdict: z
    .enum(['proven', 'unproven', 'alike', 'flaky', 'nothing-to-try', 'planned'])
    .describe('proven: exit 0; unproven, nothing-to-try: 1; alike: 2; flaky: 7; planned: --dry-run.'),
  what: stringOrNull('One sentence; null for a plan.'),
  cause: z
    .array(
      changeText.extend({
        set: natural('Number of its set. The differences of one set are enough to make the command fail.'),
      }),
    )
    .describe('The differences that make the command fail.'),
  proven: bool('Whether the command failed with each set alone, and passed with all the other differences.'),
  repair,
  runs: natural('How often the command was run.'),
  skipped: natural('How many of these runs the command skipped with exit code 125.'),
  notTried: objects('Differences that were left out.', {
    key: string('The difference.'),
    reason: string('Why bisect cannot apply it.'),
  }),
  sides: part('How often each side failed, measured first.', {
    a: rate.exactOptional().describe('Side A.'),
    b: rate.exactOptional().describe('Side B.'),
  }),
  outputFolder: stringOrNull('Folder with the output of each run.'),
  planned: z.array(changeText).exactOptional().describe('Only with --dry-run: what would be tried.'),
});

export type BisectDocument = Document<typeof bisect>;
export type ChangeText = Document<typeof changeText>;

const testNames = z.array(z.string());

const run = z.object({
  id: idSchema.nullable().describe('Id on the server or on this machine; null if it could not be stored.'),
  exitCode: z.number().int().nullable().describe('Exit code of the command; null when a signal ended it.'),
  signal: stringOrNull('The signal that ended it.'),
  outcome: part('How it ended, as in metadata.outcome of the stored run.', {
    result: z.enum(['passed', 'failed']).describe('Passed if the exit code is 0.'),
    of: string('Name of the run.'),
    attempt: z
      .number()
      .int()
      .exactOptional()
      .describe('Number of the attempt at the same job, starting at 1.'),
    durationMs: natural('How long it took.').exactOptional(),
    command: texts('Words of the command, if the run is named after it.').exactOptional(),
    tests: z
      .object({
        passed: natural('Tests that passed at the first attempt.'),
        skipped: natural('Tests that did not run.'),
        failed: testNames.describe('Tests that failed.'),
        flaky: testNames.describe('Tests that failed at one attempt and passed at another.'),
        failedMore: natural('How many more tests failed.').exactOptional(),
        flakyMore: natural('How many more tests were flaky.').exactOptional(),
        ran: part('Which tests ran.', {
          digest: string('The same for two runs if the same tests ran.'),
          names: testNames.exactOptional().describe('All tests that ran, unless there are too many.'),
        }),
      })
      .exactOptional()
      .describe('What the reports of --junit and --ctrf say; absent if there is none.'),
  }),
  against: z
    .object({
      id: stringOrNull('Its id.'),
      machineName: machineNameSchema,
      createdAt: stringOrNull('When it was stored.'),
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
  findings: objects(
    'If there is no run to compare with: what this machine lacks that the project asks for.',
    {
      message: string('What is wrong.'),
      advice: stringOrNull('What repairs it.'),
      named: bool('Whether the output names it.'),
    },
  ),
  output: texts('If there is no run to compare with: lines of the output that report an error.'),
  notFound: z
    .object({
      name: string('The command.'),
      known: texts('Similar names, and the package or file that provides the command.'),
      next: stringOrNull('What to run instead, or what installs it.'),
    })
    .nullable()
    .describe('A command that was not found: nothing is compared then.'),
  problems: texts('What went wrong: a report that could not be read, a run that could not be stored.'),
});

export type RunDocument = Document<typeof run>;

export const runDocuments = { bisect, run } as const;
