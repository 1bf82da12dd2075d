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

const addTotal = defineStatement<HourlyTotal>((qb, p) =>
  qb('request_totals')
    .insert({
      project_id: p.projectId,
      hour: p.hour,
      route: p.route,
      status_code: p.statusCode,
      request_count: p.count,
      total_response_ms: p.totalMs,
    })
    .onConflict(['project_id', 'hour', 'route', 'status_code'])
    .merge({
      request_count: qb.raw('request_totals.request_count + excluded.request_count'),
      total_response_ms: qb.raw('request_totals.total_response_ms + excluded.total_response_ms'),
    }),
);

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

function sumTotals(unitMs: number) {
  return defineStatement<Range, TotalRow>((qb, p) =>
    qb('request_totals')
      .select('route', 'status_code')
      .select(qb.raw(`hour - hour % ${unitMs} as start`))
      .sum({ request_count: 'request_count', total_response_ms: 'total_response_ms' })
      .where('project_id', p.projectId)
      .andWhere('hour', '>=', p.fromMs)
      .andWhere('hour', '<', p.untilMs)
      .groupByRaw(`hour - hour % ${unitMs}, route, status_code`),
  );
}
const sumByHour = sumTotals(hourMs);
const sumByDay = sumTotals(dayMs);

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
    addTotal: (total: HourlyTotal) => executor.run(addTotal, total),
    /** Those of the ids whose project is still there. */
    listExistingProjects: async (ids: readonly string[]) =>
      new Set((await executor.all(listExistingProjects, { ids })).map((row) => row.id)),
    /** Totals of the whole hours in the range, one row an hour or a day. */
    sumTotals: (unit: 'hour' | 'day', range: Range) =>
      executor.all(unit === 'hour' ? sumByHour : sumByDay, range),
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
