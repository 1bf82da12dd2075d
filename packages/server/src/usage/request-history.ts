// Adds up a project's requests by period and endpoint: whole days and hours from their totals, the ends of the range from the log
// itself. Reads some rows at a time and turns them into the text of the response.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits, seeLimits, type UsageHistory, type UsagePeriod } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import type { HoldBytes } from '../infra/http/mount.ts';
import { type JsonText, jsonFromMembers, jsonOf } from '../infra/json-text.ts';
import {
  dayMs,
  findLogTime,
  hourMs,
  periodKey,
  readTotals,
  sumLog,
  type TotalRow,
} from './request-log-repository.ts';

type PeriodTotals = UsageHistory['data'][string];

/** A range of time and the table that has its requests; `until` is excluded. Milliseconds since the epoch. */
interface Stretch {
  readonly source: 'days' | 'hours' | 'log';
  readonly fromMs: number;
  readonly untilMs: number;
}

const units = [
  { source: 'days', ms: dayMs },
  { source: 'hours', ms: hourMs },
] as const;

/** Hours or days that one statement reads; other requests run between two statements. */
const stretchesPerPage = 24;
const requestsPerTurn = 20_000;
const endpointsPerTurn = 500;
/** Bytes of one entry in the response. */
const totalBytes = 80;

/**
 * Splits a range by the source of its totals, in order of time: whole days, around them whole hours, and at either end less than
 * an hour of the log.
 */
export function splitBySource(fromMs: number, untilMs: number, period: UsagePeriod): Stretch[] {
  return cover(fromMs, untilMs, period === 'hour' ? 1 : 0);
}

function cover(fromMs: number, untilMs: number, level: number): Stretch[] {
  if (fromMs >= untilMs) return [];
  const unit = units[level];
  if (!unit) return [{ source: 'log', fromMs, untilMs }];
  const { source, ms } = unit;
  const firstMs = Math.ceil(fromMs / ms) * ms;
  const lastMs = Math.floor(untilMs / ms) * ms;
  if (firstMs >= lastMs) return cover(fromMs, untilMs, level + 1);
  return [
    ...cover(fromMs, firstMs, level + 1),
    { source, fromMs: firstMs, untilMs: lastMs },
    ...cover(lastMs, untilMs, level + 1),
  ];
}

/**
 * The `data` of the response for a range, `untilMs` excluded. `hold` gets the bytes of what has been read so far. Errors:
 * `validation_failed` for a range with more totals than one response may add up.
 */
export async function sumRequests(
  executor: Executor,
  projectId: string,
  period: UsagePeriod,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
  hold: HoldBytes,
): Promise<JsonText<UsageHistory['data']>> {
  const periods = new Map<string, Map<string, TotalRow>>();
  let read = 0;
  for (const stretch of splitBySource(fromMs, untilMs, period)) {
    for await (const rows of rowsOf(executor, projectId, stretch)) {
      read += rows.length;
      if (read > limits.usageTotals) throw tooMany();
      hold(read * totalBytes);
      for (const row of rows) {
        const key = periodKey(period, row.start);
        const endpoints = periods.get(key) ?? new Map<string, TotalRow>();
        periods.set(key, endpoints);
        addTo(endpoints, row);
      }
    }
  }
  const data: Record<string, JsonText<PeriodTotals>> = {};
  let written = 0;
  for (const key of [...periods.keys()].sort()) {
    const endpoints = [...(periods.get(key)?.values() ?? [])];
    data[key] = jsonOf(toTotals(endpoints));
    written += endpoints.length;
    if (written < endpointsPerTurn) continue;
    written = 0;
    await nextTurn();
  }
  return jsonFromMembers<UsageHistory['data']>(data);
}

async function* rowsOf(
  executor: Executor,
  projectId: string,
  { source, fromMs, untilMs }: Stretch,
): AsyncGenerator<TotalRow[]> {
  if (source === 'log') {
    for (let startMs = fromMs; startMs < untilMs; await nextTurn()) {
      const rest = { projectId, fromMs: startMs, untilMs };
      const end = await executor.get(findLogTime, { ...rest, after: requestsPerTurn });
      // Requests of one moment stay together.
      const endMs = end ? Math.max(end.created_at, startMs + 1) : untilMs;
      yield await executor.all(sumLog, { ...rest, untilMs: endMs });
      startMs = endMs;
    }
    return;
  }
  for (let startMs = fromMs; startMs < untilMs; await nextTurn()) {
    const page = { projectId, fromMs: startMs, untilMs, limit: stretchesPerPage };
    const stretches = await readTotals(executor, source, page);
    yield* stretches;
    const last = stretches.length === stretchesPerPage ? stretches.at(-1)?.[0] : undefined;
    startMs = last ? last.start + 1 : untilMs;
  }
}

/** Route and status: no two rows of a period have the same. */
function endpointOf({ route, status_code: status }: TotalRow): string {
  return `${route} ${status}`;
}

function addTo(endpoints: Map<string, TotalRow>, row: TotalRow): void {
  const key = endpointOf(row);
  const sum = endpoints.get(key);
  if (!sum) endpoints.set(key, row);
  else {
    sum.request_count += row.request_count;
    sum.total_response_ms += row.total_response_ms;
  }
}

function tooMany(): AppError {
  const message = `is too early for so many endpoints; ask for a shorter range or a longer period${seeLimits}`;
  return new AppError('validation_failed', `Invalid query: from ${message}`, [{ path: 'from', message }]);
}

function toTotals(endpoints: TotalRow[]): PeriodTotals {
  endpoints.sort((a, b) => b.request_count - a.request_count || (endpointOf(a) < endpointOf(b) ? -1 : 1));
  return {
    total: endpoints.reduce((sum, endpoint) => sum + endpoint.request_count, 0),
    endpoints: endpoints.map((endpoint) => ({
      path: endpoint.route,
      statusCode: endpoint.status_code,
      count: endpoint.request_count,
      avgResponseMs: Math.round((endpoint.total_response_ms / endpoint.request_count) * 100) / 100,
    })),
  };
}
