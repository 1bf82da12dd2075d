// Usage: what a project holds and may hold, its request history and its live feed. Spec: Usage and analytics.

import {
  type LoggedRequest,
  limits,
  parseMoment,
  type Usage,
  type UsageHistory,
  type UsagePeriod,
} from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import { dayMs, hourMs, periodKey } from './period.ts';
import { createRequestLogRepository, type TotalRow } from './request-log-repository.ts';

const defaultHistoryMs = 30 * dayMs;

interface UsageRow {
  snapshots_used: number;
  files_used: number;
  storage_used_bytes: number;
  max_snapshots: number;
  max_files: number;
  max_storage_bytes: number;
  max_requests_per_minute: number;
  max_requests_per_day: number;
  api_keys: number;
}

const findUsage = defineStatement<{ projectId: string }, UsageRow>((qb, p) =>
  qb('project_quotas')
    .select('project_quotas.*', qb('api_keys').count('*').where('project_id', p.projectId).as('api_keys'))
    .where('project_id', p.projectId),
);

export type UsageService = ReturnType<typeof createUsageService>;

/** The rules of usage, on one connection. `flushLog` writes what the recorder still holds, so that answers are current. */
export function createUsageService(
  executor: Executor,
  deps: { clock: Clock; flushLog: () => Promise<void> },
) {
  const requests = createRequestLogRepository(executor);
  return {
    async get(projectId: string): Promise<Usage> {
      const row = await executor.get(findUsage, { projectId });
      if (!row) throw new AppError('invalid_api_key', 'Invalid API key');
      return {
        resources: { snapshots: row.snapshots_used, files: row.files_used, apiKeys: row.api_keys },
        storage: { usedBytes: row.storage_used_bytes, usedMB: toMegabytes(row.storage_used_bytes) },
        quotas: {
          maxSnapshots: row.max_snapshots,
          maxFiles: row.max_files,
          maxStorageBytes: row.max_storage_bytes,
          maxStorageMB: toMegabytes(row.max_storage_bytes),
          maxRequestsPerMinute: row.max_requests_per_minute,
          maxRequestsPerDay: row.max_requests_per_day,
        },
      };
    },

    /**
     * Requests by period and endpoint. Whole hours come from the hourly totals, only the ends of the range from the log
     * itself. `from` and `to` are ISO 8601, both included; by default the last 30 days.
     */
    async history(
      projectId: string,
      query: { period: UsagePeriod; from?: string | undefined; to?: string | undefined },
    ): Promise<UsageHistory> {
      const { period } = query;
      const nowMs = deps.clock.nowMs();
      const toMs = moment(query.to) ?? nowMs;
      const fromMs = moment(query.from) ?? Math.min(nowMs, toMs) - defaultHistoryMs;
      if (fromMs > toMs) {
        const details = [{ path: 'from', message: 'must not be after "to"' }];
        throw new AppError('validation_failed', 'Invalid query: from must not be after "to"', details);
      }
      await deps.flushLog();
      const untilMs = toMs + 1;
      const firstWholeHour = Math.ceil(fromMs / hourMs) * hourMs;
      const lastWholeHour = Math.floor(untilMs / hourMs) * hourMs;
      const unit = period === 'hour' ? 'hour' : 'day';
      const parts =
        firstWholeHour < lastWholeHour
          ? await Promise.all([
              requests.sumLog({ projectId, fromMs, untilMs: firstWholeHour }),
              requests.sumTotals(unit, { projectId, fromMs: firstWholeHour, untilMs: lastWholeHour }),
              requests.sumLog({ projectId, fromMs: lastWholeHour, untilMs }),
            ])
          : [await requests.sumLog({ projectId, fromMs, untilMs })];
      return {
        period,
        from: toTimestamp(fromMs),
        to: toTimestamp(toMs),
        data: groupByPeriod(period, parts.flat()),
      };
    },

    /** The last 100 requests, newest first. */
    async live(projectId: string): Promise<LoggedRequest[]> {
      await deps.flushLog();
      const rows = await requests.listLatest(projectId, limits.liveRequests);
      return rows.map((row) => ({
        method: row.method,
        path: row.path,
        statusCode: row.status_code,
        responseTimeMs: row.response_time_ms,
        createdAt: toTimestamp(row.created_at),
      }));
    },
  };
}

function moment(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseMoment(text);
}

/** Bytes as MB of 1,048,576 bytes with two decimals. */
function toMegabytes(bytes: number): number {
  return Math.round((bytes / 1_048_576) * 100) / 100;
}

function groupByPeriod(period: UsagePeriod, rows: readonly TotalRow[]): UsageHistory['data'] {
  const periods = new Map<string, Map<string, TotalRow>>();
  for (const row of rows) {
    const key = periodKey(period, row.start);
    const endpoints = periods.get(key) ?? new Map<string, TotalRow>();
    periods.set(key, endpoints);
    const endpointKey = `${row.route} ${row.status_code}`;
    const known = endpoints.get(endpointKey);
    if (known) {
      known.request_count += row.request_count;
      known.total_response_ms += row.total_response_ms;
    } else endpoints.set(endpointKey, { ...row });
  }
  const data: UsageHistory['data'] = {};
  for (const [key, endpoints] of [...periods].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = [...endpoints.values()].sort(
      (a, b) =>
        b.request_count - a.request_count || (a.route < b.route ? -1 : 1) || a.status_code - b.status_code,
    );
    data[key] = {
      total: sorted.reduce((sum, endpoint) => sum + endpoint.request_count, 0),
      endpoints: sorted.map((endpoint) => ({
        path: endpoint.route,
        statusCode: endpoint.status_code,
        count: endpoint.request_count,
        avgResponseMs: Math.round((endpoint.total_response_ms / endpoint.request_count) * 100) / 100,
      })),
    };
  }
  return data;
}
