// Usage: a project's contents and quotas, its request history and its live feed. docs/specification.md §7.

import { type LoggedRequest, limits, type Usage, type UsageHistory, type UsagePeriod } from '@envsnap/shared';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { ofExisting, type QuotasRow, quotasColumns } from '../infra/db/project-quotas.ts';
import { defineSql } from '../infra/db/statement.ts';
import type { HoldBytes } from '../infra/http/mount.ts';
import { type JsonText, jsonFromMembers } from '../infra/json-text.ts';
import { momentOf } from '../infra/list-parts.ts';
import { sumRequests } from './request-history.ts';
import { dayMs, listLatest } from './request-log-repository.ts';

const defaultHistoryMs = 30 * dayMs;

const findUsage = defineSql<{ projectId: string }, QuotasRow & { api_keys: number }>(
  `select ${quotasColumns.join(', ')}, (select count(*) from api_keys where project_id = :projectId) as api_keys
  from project_quotas where project_id = :projectId`,
);

export function createUsageService(
  executor: Executor,
  deps: { clock: Clock; flushLog: () => Promise<void> },
) {
  return {
    async get(projectId: string): Promise<Usage> {
      const row = ofExisting(await executor.get(findUsage, { projectId }));
      return {
        resources: {
          snapshots: row.snapshots_used,
          runs: row.runs_used,
          files: row.files_used,
          apiKeys: row.api_keys,
        },
        storage: { usedBytes: row.storage_used_bytes, usedMB: toMegabytes(row.storage_used_bytes) },
        snapshotStorage: { usedBytes: row.snapshot_bytes_used, maxBytes: row.max_snapshot_bytes },
        quotas: {
          maxSnapshots: row.max_snapshots,
          maxRuns: row.max_runs,
          maxFiles: row.max_files,
          maxStorageBytes: row.max_storage_bytes,
          maxStorageMB: toMegabytes(row.max_storage_bytes),
          maxRequestsPerMinute: row.max_requests_per_minute,
          maxRequestsPerDay: row.max_requests_per_day,
        },
      };
    },

    /** Requests by period and endpoint. `from` and `to` are ISO 8601, both included; by default the last 30 days. */
    async history(
      projectId: string,
      query: { period: UsagePeriod; from?: string | undefined; to?: string | undefined },
      hold: HoldBytes,
    ): Promise<JsonText<UsageHistory>> {
      const { period } = query;
      const nowMs = deps.clock.nowMs();
      const toMs = momentOf(query.to) ?? nowMs;
      const fromMs = momentOf(query.from) ?? Math.min(nowMs, toMs) - defaultHistoryMs;
      if (fromMs > toMs) {
        const details = [{ path: 'from', message: 'must not be after "to"' }];
        throw new AppError('validation_failed', 'Invalid query: from must not be after "to"', details);
      }
      await deps.flushLog();
      // No requests exist after now, so today counts as a whole day.
      const untilMs = toMs < nowMs ? toMs + 1 : Math.ceil((toMs + 1) / dayMs) * dayMs;
      return jsonFromMembers<UsageHistory>({
        period,
        from: toTimestamp(fromMs),
        to: toTimestamp(toMs),
        data: await sumRequests(executor, projectId, period, { fromMs, untilMs }, hold),
      });
    },

    async live(projectId: string): Promise<LoggedRequest[]> {
      await deps.flushLog();
      return (await executor.all(listLatest, { projectId, limit: limits.liveRequests })).map(toAnswer);
    },
  };
}

/** Bytes as MB of 1,048,576 bytes with two decimals. */
function toMegabytes(bytes: number): number {
  return Math.round((bytes / 1_048_576) * 100) / 100;
}
