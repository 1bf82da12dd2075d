// The health of a project: the state of its machines, runs, quotas and webhooks. docs/specification.md §19.

import * as z from 'zod';
import { healthLimits } from './catalogue/limits.ts';
import { outcome } from './diagnosis.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

/** A likely cause in two sentences, without the values of variables. */
export const shortCause = p.object('ShortCause', {
  what: p.string('What differs.'),
  advice: p.string('What to do about it.'),
});
export type ShortCause = z.infer<typeof shortCause>;

export const machineHealth = p.object('MachineHealth', {
  machineName: p.string('Name of the machine.'),
  snapshotId: p.uuid.describe('Its newest snapshot.'),
  createdAt: p.timestamp.describe('When that snapshot was stored.'),
  state: z
    .enum(['steady', 'changed', 'departs'])
    .describe(
      '"departs": the newest snapshot does not meet its policy. "changed": differences from the previous snapshot count. Otherwise "steady".',
    ),
  counting: p.orNull(
    z.number().int().min(0),
    'How many differences from the previous snapshot count. Null if comparing them would take too long.',
  ),
  previousSnapshotId: p.orNull(
    p.uuid,
    'The previous snapshot of the same kind: a run if the newest is a run, else another snapshot. Null for the first.',
  ),
  cause: p.orNull(shortCause, 'The likeliest cause among the differences that count; null if none counts.'),
});
export type MachineHealth = z.infer<typeof machineHealth>;

export const runHealth = p.object('RunHealth', {
  of: p.string('Name of the runs.'),
  last: z
    .array(
      z.object({
        id: p.uuid.describe("Id of the run's snapshot."),
        result: outcome.describe('How the run ended.'),
        createdAt: p.timestamp.describe('When it was stored.'),
      }),
    )
    .max(healthLimits.runs)
    .describe('The last runs, newest first.'),
  failingSince: p.orNull(
    p.timestamp,
    'When the first run of the current series of failures was stored; null if the last run passed.',
  ),
  failedRuns: p.natural('How many runs have failed in a row.'),
  lastPassedId: p.orNull(
    p.uuid,
    'The last run that passed before the series; null if the last run passed, or none ever did.',
  ),
  cause: p.orNull(
    shortCause,
    'Why the last run most likely failed, compared with the one that passed; null if no difference counts.',
  ),
});
export type RunHealth = z.infer<typeof runHealth>;

const quota = z.object({ used: p.natural('How much is used.'), max: p.natural('How much may be used.') });

export const projectHealth = p.object('ProjectHealth', {
  machines: z
    .array(machineHealth)
    .max(healthLimits.machines)
    .describe(
      'The machines that were captured last. Machines that do not meet their policy come first, then changed ones.',
    ),
  machineCount: p.natural('How many machines there are.'),
  runs: z
    .array(runHealth)
    .max(healthLimits.names)
    .describe('The newest runs by name. Failing names come first, then the newest.'),
  quotas: p.part('Usage and quotas of the project.', {
    snapshots: quota.describe('Snapshots, without those of runs.'),
    runs: quota.describe('Snapshots of runs. When the quota is full, a new one replaces the oldest.'),
    files: quota.describe('Files.'),
    storageBytes: quota.describe('Bytes of all files.'),
    snapshotBytes: quota.describe('Stored bytes of all snapshots and runs.'),
  }),
  webhooks: p.part('Webhooks that need attention.', {
    failing: p.natural(
      'Webhooks whose last attempt failed, and those that were switched off after failures.',
    ),
    ids: p.list(p.uuid, 'Ids of these webhooks.'),
  }),
});
export type ProjectHealth = z.infer<typeof projectHealth>;

export const healthOperations = defineOperations('usage', {
  getProjectHealth: {
    route: 'GET /machine/health',
    summary: 'Show the state of machines, runs, quotas and webhooks',
    access: 'any',
    response: projectHealth,
    answer: 'The health of the project.',
    errors: ['too_much_work'],
  },
});
