// Rows of the request log and of its hourly totals.

import type { UsagePeriod } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
import { defineInserts } from '../infra/db/row-inserts.ts';
import { defineSql } from '../infra/db/statement.ts';

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export interface LoggedRequestRow {
  project_id: string;
  api_key_id: string;
  method: string;
  path: string;
  route: string;
  status_code: number;
  response_time_ms: number;
  created_at: number;
}

/** Requests of one hour or day (by its start), route and status. */
export interface TotalRow {
  start: number;
  route: string;
  status_code: number;
  request_count: number;
  total_response_ms: number;
}

const columns = [
  ...(['project_id', 'api_key_id', 'method', 'path', 'route'] as const),
  ...(['status_code', 'response_time_ms', 'created_at'] as const),
] as const;

/** Stored at the latest with the commit. */
export const insertLog = defineInserts('request_logs', columns);

/** The tables of totals and the column that holds the start of the hour or day. */
const totals = {
  hours: { table: 'request_totals', start: 'hour' },
  days: { table: 'request_day_totals', start: 'day' },
} as const;

function defineAddition<Start extends string>({ table, start }: { table: string; start: Start }) {
  const place = ['project_id', start, 'route', 'status_code'] as const;
  const add = (column: string) => `${column} = ${table}.${column} + excluded.${column}`;
  return defineInserts(
    table,
    [...place, 'request_count', 'total_response_ms'],
    `on conflict (${place.join(', ')}) do update set ${add('request_count')}, ${add('total_response_ms')}`,
  );
}
const addHours = defineAddition(totals.hours);
const addDays = defineAddition(totals.days);

/**
 * The ids whose project still exists. The lock (PostgreSQL) prevents their deletion until the rows are committed, and no other
 * change.
 */
export const listExistingProjects = defineSql<{ ids: readonly string[] }, { id: string }>(
  ({ anyOf, lock }) => `select id from projects where ${anyOf('id', 'ids')} and deleted_at is null
  order by id ${lock('projects', 'deletion')}`,
);

interface Range {
  projectId: string;
  fromMs: number;
  untilMs: number;
}

interface TotalsPage extends Range {
  limit: number;
}

/** The totals of an hour or a day: route, status, requests and milliseconds of each. */
interface StretchRow {
  start: number;
  totals: string;
}

// One row per period: a driver's time grows with the rows, and the database can combine them.
const listTotals = ({ table, start }: (typeof totals)[keyof typeof totals]) =>
  defineSql<TotalsPage, StretchRow>(
    ({ rowsAsJson }) => `select ${start} as start,
      ${rowsAsJson('route, status_code, request_count, total_response_ms')} as totals
    from ${table} where project_id = :projectId and ${start} >= :fromMs and ${start} < :untilMs
    group by ${start} order by ${start} limit :limit`,
  );
const listHours = listTotals(totals.hours);
const listDays = listTotals(totals.days);

const inRange =
  'from request_logs where project_id = :projectId and created_at >= :fromMs and created_at < :untilMs';
const hour = `created_at - created_at % ${hourMs}`;

/** Totals of a range by counting the log itself, one row an hour. */
export const sumLog = defineSql<Range, TotalRow>(
  `select route, status_code, ${hour} as start, count(*) as request_count, sum(response_time_ms) as total_response_ms
  ${inRange} group by ${hour}, route, status_code`,
);

/** The time of the request that follows the first `after` requests of a range. */
export const findLogTime = defineSql<Range & { after: number }, { created_at: number }>(
  `select created_at ${inRange} order by created_at limit 1 offset :after`,
);

export const listLatest = defineSql<
  { projectId: string; limit: number },
  Omit<LoggedRequestRow, 'project_id' | 'api_key_id' | 'route'>
>(
  `select method, path, status_code, response_time_ms, created_at from request_logs where project_id = :projectId
  order by created_at desc, id desc limit :limit`,
);

/** Adds requests to the totals of their hours and days, at the latest with the commit. */
export function addTotals(executor: Executor, rows: readonly LoggedRequestRow[]): void {
  const single = rows.map(({ created_at: start, response_time_ms: total_response_ms, ...row }) => {
    const { project_id, route, status_code } = row;
    return { project_id, start, route, status_code, request_count: 1, total_response_ms };
  });
  const hours = sumByStretch(single, hourMs);
  const days = sumByStretch(hours, dayMs);
  addHours(
    executor,
    hours.map(({ start: hour, ...total }) => ({ ...total, hour })),
  );
  addDays(
    executor,
    days.map(({ start: day, ...total }) => ({ ...total, day })),
  );
}

export async function readTotals(
  executor: Executor,
  source: keyof typeof totals,
  page: TotalsPage,
): Promise<TotalRow[][]> {
  const rows = await executor.all(source === 'hours' ? listHours : listDays, page);
  return rows.map(({ start, totals: json }) =>
    (JSON.parse(json) as [string, number, number, number][]).map(
      ([route, status_code, request_count, total_response_ms]) => {
        return { start, route, status_code, request_count, total_response_ms };
      },
    ),
  );
}

type ProjectTotal = TotalRow & { project_id: string };

/** Totals by project, hour or day, route and status, in one order for all replicas, so that they do not block each other. */
function sumByStretch(totals: readonly ProjectTotal[], stretchMs: number): ProjectTotal[] {
  const sums = new Map<string, ProjectTotal>();
  for (const total of totals) {
    const start = total.start - (total.start % stretchMs);
    const key = `${total.project_id} ${start} ${total.status_code} ${total.route}`;
    const sum = sums.get(key);
    if (sum) {
      sum.request_count += total.request_count;
      sum.total_response_ms += total.total_response_ms;
    } else {
      sums.set(key, { ...total, start });
    }
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/**
 * The key of the period that holds a moment (milliseconds since the epoch): `2026-02-07T13:00:00Z`, `2026-02-07`,
 * `2026-W06` (ISO 8601 week) or `2026-02`.
 */
export function periodKey(period: UsagePeriod, ms: number): string {
  const iso = new Date(ms).toISOString();
  if (period === 'hour') return `${iso.slice(0, 13)}:00:00Z`;
  if (period === 'day') return iso.slice(0, 10);
  if (period === 'month') return iso.slice(0, 7);
  return isoWeek(ms);
}

/** ISO 8601 week: weeks start on Monday, and week 1 is the one that holds the year's first Thursday. */
function isoWeek(ms: number): string {
  const midnight = Math.floor(ms / dayMs) * dayMs;
  const dayOfWeek = new Date(midnight).getUTCDay() || 7;
  const thursday = new Date(midnight + (4 - dayOfWeek) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / dayMs / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}
