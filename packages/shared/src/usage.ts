// Usage: a project's contents, its quotas, and its request history. docs/specification.md §7.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export const usage = p.object('Usage', {
  resources: p.part('How many of each the project holds.', {
    snapshots: p.natural('Snapshots stored, without those of runs.'),
    runs: p.natural('Snapshots of runs: those with an outcome.'),
    files: p.natural('Files stored.'),
    apiKeys: p.natural('Keys that are not revoked.'),
  }),
  storage: p.part('Storage used by files.', {
    usedBytes: p.natural('Bytes of all files.'),
    usedMB: z.number().min(0).describe('The same in units of 1,048,576 bytes, to two decimals.'),
  }),
  snapshotStorage: p.part('Storage used by snapshots and runs.', {
    usedBytes: p.natural('Bytes of all snapshots and runs, as they are stored.'),
    maxBytes: p.natural(
      'Maximum bytes of snapshots and runs. Beyond it, a new run replaces the oldest, and other snapshots are refused.',
    ),
  }),
  quotas: p.part('Quotas of the project, and rate limits of its keys.', {
    maxSnapshots: p.natural('Maximum number of snapshots, without those of runs.'),
    maxRuns: p.natural('Maximum number of snapshots of runs. Beyond it, a new one replaces the oldest.'),
    maxFiles: p.natural('Most files.'),
    maxStorageBytes: p.natural('Maximum bytes of all files.'),
    maxStorageMB: z.number().min(0).describe('The same in units of 1,048,576 bytes, to two decimals.'),
    maxRequestsPerMinute: p.natural('Maximum number of requests of one key in any 60 seconds.'),
    maxRequestsPerDay: p.natural('Maximum number of requests of one key in any 24 hours.'),
  }),
});
export type Usage = z.infer<typeof usage>;

/** Lengths of a period. Keys are `2026-02-07T13:00:00Z`, `2026-02-07`, `2026-W06` (ISO week) and `2026-02`, in UTC. */
export const usagePeriod = p.named('UsagePeriod', z.enum(['hour', 'day', 'week', 'month']));
export type UsagePeriod = z.infer<typeof usagePeriod>;

export const endpointUsage = p.object('EndpointUsage', {
  path: p.string("The route's template, e.g. /machine/snapshots/:id."),
  statusCode: p.int('HTTP status of the responses.'),
  count: p.natural('Number of requests.'),
  avgResponseMs: z.number().min(0).describe('Mean time to the end of the response, in milliseconds.'),
});

export const usageHistory = p.object('UsageHistory', {
  period: usagePeriod.describe('Length of a period.'),
  from: p.timestamp.describe('Start of the counted period.'),
  to: p.timestamp.describe('End of the counted period.'),
  data: z
    .record(
      z.string(),
      z.object({
        total: p.natural('Requests in the period.'),
        endpoints: p.list(endpointUsage, 'Requests by endpoint and status.'),
      }),
    )
    .describe(
      'Counts by period in UTC, with keys such as 2026-02-07T13:00:00Z, 2026-02-07, 2026-W06 or 2026-02.',
    ),
});
export type UsageHistory = z.infer<typeof usageHistory>;

export const loggedRequest = p.object('LoggedRequest', {
  method: p.string('HTTP method.'),
  path: p.string('Path without its query.'),
  statusCode: p.int('HTTP status of the response.'),
  responseTimeMs: z.number().min(0).describe('Time to the end of the response, in milliseconds.'),
  createdAt: p.timestamp.describe('When the request arrived.'),
});
export type LoggedRequest = z.infer<typeof loggedRequest>;

export const usageOperations = defineOperations('usage', {
  getUsage: {
    route: 'GET /machine/usage',
    summary: 'Show usage and quotas of the project',
    access: 'any',
    response: usage,
    answer: 'Usage and quotas of the project.',
  },

  getUsageHistory: {
    route: 'GET /machine/usage/requests',
    summary: 'Count requests by period and endpoint',
    access: 'any',
    query: z.object({
      period: usagePeriod.default('day').describe('Length of a period.'),
      from: p.queryMoment.optional().describe('Default: 30 days before "to".'),
      to: p.queryMoment.optional().describe('Default: now.'),
    }),
    response: usageHistory,
    answer: 'Counts by period and endpoint.',
  },

  getLiveRequests: {
    route: 'GET /machine/usage/requests/live',
    summary: 'Show the last 100 requests, newest first',
    access: 'any',
    response: z.object({
      requests: z.array(loggedRequest).max(p.limits.liveRequests).describe('Newest first.'),
    }),
    answer: 'The last 100 requests.',
  },
});
