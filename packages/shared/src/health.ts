// The health of a project: what its machines, runs, quotas and webhooks look like now. docs/specification.md §19.

import * as z from 'zod';
import { outcome } from './diagnosis.ts';
import { defineOperations } from './operation.ts';
import { timestamp, uuid } from './primitives.ts';

/** Most machines, most names of runs, and most runs of a name in one answer. */
export const healthLimits = { machines: 100, names: 100, runs: 30 } as const;

const count = z.number().int().min(0);

/** A likely cause in two sentences, without the values of variables. */
export const shortCause = z.object({
  what: z.string().describe('What differs.'),
  advice: z.string().describe('What to do about it.'),
});
export type ShortCause = z.infer<typeof shortCause>;

export const machineHealth = z.object({
  machineName: z.string().describe('Name of the machine.'),
  snapshotId: uuid.describe('Its newest snapshot.'),
  createdAt: timestamp.describe('When that snapshot was stored.'),
  state: z
    .enum(['steady', 'changed', 'departs'])
    .describe(
      '"departs" where the newest snapshot fails the policy that it carries, "changed" where something that counts differs from the snapshot before, else "steady".',
    ),
  counting: count
    .nullable()
    .describe(
      'How many differences count between the two. Null where comparing them takes more than the server allows.',
    ),
  previousSnapshotId: uuid
    .nullable()
    .describe(
      'The snapshot before: of a run where the newest is of a run, else of none. Null for the first.',
    ),
  cause: shortCause.nullable().describe('The likeliest cause of what counts; null where nothing does.'),
});
export type MachineHealth = z.infer<typeof machineHealth>;

export const runHealth = z.object({
  of: z.string().describe('What the runs are called.'),
  last: z
    .array(
      z.object({
        id: uuid.describe("Id of the run's snapshot."),
        result: outcome.describe('How the run ended.'),
        createdAt: timestamp.describe('When it was stored.'),
      }),
    )
    .max(healthLimits.runs)
    .describe('The last runs, the newest first.'),
  failingSince: timestamp
    .nullable()
    .describe('When the first of the runs that failed in a row was stored; null where the last one passed.'),
  failedRuns: count.describe('How many have failed in a row.'),
  lastPassedId: uuid
    .nullable()
    .describe('The run that passed before them; null where the last one passed, or none did.'),
  cause: shortCause
    .nullable()
    .describe(
      'Why the last one most likely failed, beside the one that passed; null where that shows nothing.',
    ),
});
export type RunHealth = z.infer<typeof runHealth>;

const quota = z.object({ used: count.describe('What is used.'), max: count.describe('What may be used.') });

export const projectHealth = z.object({
  machines: z
    .array(machineHealth)
    .max(healthLimits.machines)
    .describe('The machines that were captured last: those that depart first, then those that changed.'),
  machineCount: count.describe('How many machines there are.'),
  runs: z
    .array(runHealth)
    .max(healthLimits.names)
    .describe('The names that ran last: those that fail first, then the newest first.'),
  quotas: z
    .object({
      snapshots: quota.describe('Snapshots, without those of runs.'),
      runs: quota.describe('Snapshots of runs; when one is added to a full quota, the oldest leaves.'),
      files: quota.describe('Files.'),
      storageBytes: quota.describe('Bytes of all files.'),
      snapshotBytes: quota.describe('Stored bytes of all snapshots and runs.'),
    })
    .describe('What the project holds and may hold.'),
  webhooks: z
    .object({
      failing: count.describe('Webhooks whose last attempt failed, and those that failures switched off.'),
      ids: z.array(uuid).describe('Which these are.'),
    })
    .describe('Webhooks that need attention.'),
});
export type ProjectHealth = z.infer<typeof projectHealth>;

export const healthOperations = defineOperations('usage', {
  getProjectHealth: {
    method: 'GET',
    path: '/machine/health',
    summary: 'Show how machines, runs, quotas and webhooks are',
    access: 'any',
    response: projectHealth,
    answer: 'The health of the project.',
    errors: ['too_much_work'],
  },
});
