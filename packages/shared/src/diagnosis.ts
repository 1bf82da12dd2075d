// The contract of a diagnosis: which differences separate failing runs from passing ones. Additive; docs/specification.md §13.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

/** Maximum number of runs that one diagnosis looks at. */
export const diagnosisMaxRuns = 1000;

/** The result of a snapshot's run: `metadata.outcome`. */
export const outcome = z.enum(['passed', 'failed']);

const runIds = z.array(p.uuid).max(diagnosisMaxRuns);
/** A difference between failing and passing runs. */
export const finding = p.object('DiagnosisFinding', {
  keys: p.list(
    z.string(),
    'Keys that differ in exactly the same runs, likeliest first, such as "runtimes.node". At most 50.',
  ),
  keyCount: p.natural('How many keys differ in exactly the same runs.'),
  what: p.string('A sentence: "12 of 12 failing runs have node 24.1.0, 0 of 31 passing ones".'),
  together: p.stringOrNull(
    'Keys that changed together with the first one, so that these runs cannot tell them apart.',
  ),
  pValue: z.number().min(0).max(1).describe("Fisher's exact test, two-sided."),
  qValue: z
    .number()
    .min(0)
    .max(1)
    .describe(
      'False-discovery rate over everything tested (Benjamini and Hochberg); a finding has at most 0.05.',
    ),
  inFailed: p.natural('Failing runs that have it.'),
  inPassed: p.natural('Passing runs that have it.'),
  ofFailed: p.natural('Failing runs for which it is known.'),
  ofPassed: p.natural('Passing runs for which it is known.'),
  since: p.orNull(
    p.timestamp,
    'The first run that has it, if all later runs have it and no earlier run does.',
  ),
  explainedBy: z
    .number()
    .int()
    .min(0)
    .nullable()
    .describe('Index of the finding in this list that explains this one.'),
});

export const diagnosisAnswer = p.object('Diagnosis', {
  runs: p.part('How many runs were read.', {
    passed: p.natural('Runs that passed.'),
    failed: p.natural('Runs that failed.'),
  }),
  findings: p.list(
    finding,
    'Likeliest first. Findings with a qValue above 0.05 are leads: they may be due to chance.',
  ),
  tests: p.natural('How many hypotheses were tested.'),
  suggestion: p.stringOrNull('A suggestion for the next run.'),
  notes: p.list(
    z.object({
      code: z
        .enum(['too_few_runs', 'one_outcome_only', 'not_comparable', 'runs_left_out', 'keys_left_out'])
        .describe('Code of the note, for programs.'),
      message: p.string('The note, for people.'),
    }),
    'Limits of the findings.',
  ),
});
export type DiagnosisAnswer = z.output<typeof diagnosisAnswer>;

export const diagnosisOperations = defineOperations('snapshots', {
  diagnose: {
    route: 'POST /machine/diagnosis',
    summary: 'Find what separates failing runs from passing ones',
    access: 'any',
    body: z.object({
      passed: runIds
        .optional()
        .describe('Snapshots of runs that passed. The default is the stored ones with the outcome "passed".'),
      failed: runIds
        .optional()
        .describe('Snapshots of runs that failed. The default is the stored ones with the outcome "failed".'),
      outcomeOf: p
        .maybe(p.text().max(p.limits.nameLength))
        .describe('Only stored runs with this name (`metadata.outcome.of`).'),
      test: p
        .maybe(p.text().max(p.limits.nameLength * 2))
        .describe(
          'Only runs in which this test ran, judged by its result: its name, or class name and name joined by a dot.',
        ),
      machineName: p.maybe(p.machineNameFilter).describe('Only stored runs of this machine.'),
      last: z
        .number()
        .int()
        .min(1)
        .max(diagnosisMaxRuns)
        .optional()
        .describe(
          `How many of the newest stored runs to read. The default and the maximum are ${diagnosisMaxRuns}.`,
        ),
    }),
    response: diagnosisAnswer,
    answer: 'What sets the failing runs apart, likeliest first.',
    safe: true,
    errors: ['snapshot_not_found', 'too_much_work'],
  },
});
