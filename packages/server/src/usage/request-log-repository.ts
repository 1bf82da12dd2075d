// Rows of the request log and of its hourly totals.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement, type Markers } from '../infra/db/statement.ts';
import { dayMs, hourMs } from './period.ts';

/** One authenticated request as the log keeps it. */
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

/** Requests of one project, hour, route and status. */
export interface HourlyTotal {
  projectId: string;
  hour: number;
  route: string;
  statusCode: number;
  count: number;
  totalMs: number;
}

/** Requests of one stretch of time (an hour or a day, by its start), route and status. */
export interface TotalRow {
  start: number;
  route: string;
  status_code: number;
  request_count: number;
  total_response_ms: number;
}

/** Rows that one insert takes: enough to make the round trip small, few enough for SQLite's limit of parameters. */
const batchSize = 64;
const columns = [
  'project_id',
  'api_key_id',
  'method',
  'path',
  'route',
  'status_code',
  'response_time_ms',
  'created_at',
] as const;

/** Names of the parameters of each row of a batch, made once. */
const parameters = Array.from({ length: batchSize }, (_, row) =>
  columns.map((column) => ({ column, name: `${column}_${row}` })),
);

function insertRows(count: number) {
  return defineStatement<Record<string, string | number>>((qb, p: Markers<Record<string, string | number>>) =>
    qb('request_logs').insert(
      parameters
        .slice(0, count)
        .map((row) => Object.fromEntries(row.map(({ column, name }) => [column, p[name]]))),
    ),
  );
}
const insertBatch = insertRows(batchSize);
const insertOne = insertRows(1);

/** The tables of totals and the column that holds the start of their stretch of time. */
const totals = {
  hours: { table: 'request_totals', start: 'hour' },
  days: { table: 'request_day_totals', start: 'day' },
} as const;

function addTo({ table, start }: (typeof totals)[keyof typeof totals]) {
  return defineStatement<Omit<HourlyTotal, 'hour'> & { start: number }>((qb, p) =>
    qb(table)
      .insert({
        project_id: p.projectId,
        [start]: p.start,
        route: p.route,
        status_code: p.statusCode,
        request_count: p.count,
        total_response_ms: p.totalMs,
      })
      .onConflict(['project_id', start, 'route', 'status_code'])
      .merge({
        request_count: qb.raw(`${table}.request_count + excluded.request_count`),
        total_response_ms: qb.raw(`${table}.total_response_ms + excluded.total_response_ms`),
      }),
  );
}
const addToHour = addTo(totals.hours);
const addToDay = addTo(totals.days);

const listExistingProjects = defineStatement<{ ids: readonly string[] }, { id: string }>((qb, p, dialect) =>
  // The lock (PostgreSQL) lets nobody delete them until the rows are committed, and hinders no other change.
  qb('projects').select('id').where(dialect.anyOf('id', p.ids)).orderBy('id').forKeyShare(),
);

interface Range {
  projectId: string;
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
}

interface TotalsPage {
  projectId: string;
  /** The page begins behind this total. */
  start: number;
  route: string;
  status: number;
  /** Exclusive. */
  untilMs: number;
  limit: number;
}

function listTotals({ table, start }: (typeof totals)[keyof typeof totals]) {
  return defineStatement<TotalsPage, TotalRow>((qb, p) =>
    qb(table)
      .select(`${start} as start`, 'route', 'status_code', 'request_count', 'total_response_ms')
      .where('project_id', p.projectId)
      .whereRaw(`(${start}, route, status_code) > (?, ?, ?)`, [p.start, p.route, p.status])
      .where(start, '<', p.untilMs)
      .orderBy([start, 'route', 'status_code'])
      .limit(p.limit),
  );
}
const listHours = listTotals(totals.hours);
const listDays = listTotals(totals.days);

const sumLog = defineStatement<Range, TotalRow>((qb, p) =>
  qb('request_logs')
    .select('route', 'status_code')
    .select(qb.raw(`created_at - created_at % ${hourMs} as start`))
    .count({ request_count: '*' })
    .sum({ total_response_ms: 'response_time_ms' })
    .where('project_id', p.projectId)
    .andWhere('created_at', '>=', p.fromMs)
    .andWhere('created_at', '<', p.untilMs)
    .groupByRaw(`created_at - created_at % ${hourMs}, route, status_code`),
);

const listLatest = defineStatement<{ projectId: string; limit: number }, LoggedRequestRow>((qb, p) =>
  qb('request_logs')
    .select(columns)
    .where('project_id', p.projectId)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(p.limit),
);

/** Queries of the request log. */
export function createRequestLogRepository(executor: Executor) {
  return {
    async insert(rows: readonly LoggedRequestRow[]): Promise<void> {
      let at = 0;
      for (; at + batchSize <= rows.length; at += batchSize) {
        await executor.run(insertBatch, toParams(rows.slice(at, at + batchSize)));
      }
      for (; at < rows.length; at += 1) await executor.run(insertOne, toParams(rows.slice(at, at + 1)));
    },
    /** Adds to the totals of an hour and of its day. Call it in a transaction. */
    async addTotal({ hour, ...total }: HourlyTotal): Promise<void> {
      executor.write(addToDay, { ...total, start: hour - (hour % dayMs) });
      await executor.run(addToHour, { ...total, start: hour });
    },
    /** Those of the ids whose project is still there. */
    listExistingProjects: async (ids: readonly string[]) =>
      new Set((await executor.all(listExistingProjects, { ids })).map((row) => row.id)),
    /** A page of totals, in the order of time, route and status. */
    listTotals: (source: keyof typeof totals, page: TotalsPage) =>
      executor.all(source === 'hours' ? listHours : listDays, page),
    /** Totals of a range by counting the log itself, one row an hour. */
    sumLog: (range: Range) => executor.all(sumLog, range),
    /** The newest first. */
    listLatest: (projectId: string, limit: number) => executor.all(listLatest, { projectId, limit }),
  };
}

function toParams(rows: readonly LoggedRequestRow[]): Record<string, string | number> {
  const params: Record<string, string | number> = {};
  rows.forEach((row, index) => {
    for (const { column, name } of parameters[index] ?? []) params[name] = row[column];
  });
  return params;
}
