// Usage: what a project holds, what it may hold, and its request history. Spec: Usage and analytics; Decisions §7.

import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { limits, queryMoment, timestamp } from './primitives.ts';

const count = z.number().int().min(0);

export const usage = z.object({
  resources: z.object({ snapshots: count, files: count, apiKeys: count }),
  storage: z.object({ usedBytes: count, usedMB: z.number().min(0) }),
  quotas: z.object({
    maxSnapshots: count,
    maxFiles: count,
    maxStorageBytes: count,
    maxStorageMB: z.number().min(0),
    maxRequestsPerMinute: count,
    maxRequestsPerDay: count,
  }),
});
export type Usage = z.infer<typeof usage>;

/** Lengths of a period: keys are `2026-02-07T13:00:00Z`, `2026-02-07`, `2026-W06` (ISO week) and `2026-02`, in UTC. */
export const usagePeriod = z.enum(['hour', 'day', 'week', 'month']);
export type UsagePeriod = z.infer<typeof usagePeriod>;

export const endpointUsage = z.object({
  path: z.string().describe("The route's template, e.g. /machine/snapshots/:id."),
  statusCode: z.number().int(),
  count,
  avgResponseMs: z.number().min(0),
});

export const usageHistory = z.object({
  period: usagePeriod,
  from: timestamp,
  to: timestamp,
  data: z.record(z.string(), z.object({ total: count, endpoints: z.array(endpointUsage) })),
});
export type UsageHistory = z.infer<typeof usageHistory>;

export const loggedRequest = z.object({
  method: z.string(),
  path: z.string(),
  statusCode: z.number().int(),
  responseTimeMs: z.number().min(0),
  createdAt: timestamp,
});
export type LoggedRequest = z.infer<typeof loggedRequest>;

export const getUsage = defineOperation({
  name: 'getUsage',
  group: 'usage',
  method: 'GET',
  path: '/machine/usage',
  summary: 'Show what the project holds and what it may hold',
  access: 'any',
  response: usage,
  status: 200,
  errors: [],
});

export const getUsageHistory = defineOperation({
  name: 'getUsageHistory',
  group: 'usage',
  method: 'GET',
  path: '/machine/usage/requests',
  summary: 'Count requests by period and endpoint',
  access: 'any',
  query: z.object({
    period: usagePeriod.default('day'),
    from: queryMoment.optional().describe('Default: 30 days before "to".'),
    to: queryMoment.optional().describe('Default: now.'),
  }),
  response: usageHistory,
  status: 200,
  errors: [],
});

export const getLiveRequests = defineOperation({
  name: 'getLiveRequests',
  group: 'usage',
  method: 'GET',
  path: '/machine/usage/requests/live',
  summary: 'Show the last 100 requests, the newest first',
  access: 'any',
  response: z.object({ requests: z.array(loggedRequest).max(limits.liveRequests) }),
  status: 200,
  errors: [],
});
