// The tables of a backup, in an order in which they can be restored, and the format of their rows.

import type { Executor } from '../../infra/db/database.ts';

/** A row as the database gives it. */
export type Row = Record<string, string | number | boolean | null | Buffer>;

interface TableOfBackup {
  readonly name: string;
  /** Columns that order the rows; their values are unique together. */
  readonly key: readonly string[];
  /** Rows read at once: few where they are large. */
  readonly pageSize: number;
  /** Columns that the database numbers itself. */
  readonly numbered?: readonly string[];
}

const keyedBy = (name: string, ...key: string[]): TableOfBackup => ({ name, key, pageSize: 500 });

/** Tables that no backup holds, because their rows are useless elsewhere or are created again. */
export const tablesLeftOut: readonly string[] = [
  'schema_migrations',
  'rate_limit_windows',
  'idempotency_keys',
  'snapshot_verdicts',
  'unneeded_blobs',
  'sessions',
  'console_links',
];

export const filesTable = keyedBy('files', 'id');

/** All other tables. */
export const tables: readonly TableOfBackup[] = [
  keyedBy('projects', 'id'),
  keyedBy('project_quotas', 'project_id'),
  keyedBy('master_keys', 'id'),
  keyedBy('data_keys', 'project_id'),
  keyedBy('fingerprint_keys', 'project_id'),
  keyedBy('api_keys', 'id'),
  keyedBy('memberships', 'id'),
  keyedBy('revoked_keys', 'key_hash'),
  keyedBy('audit_log', 'id'),
  { name: 'snapshots', key: ['id'], pageSize: 10 },
  { name: 'shares', key: ['id'], pageSize: 10 },
  keyedBy('pending_notices', 'snapshot_id'),
  keyedBy('machines', 'project_id', 'machine_name'),
  filesTable,
  keyedBy('webhooks', 'id'),
  keyedBy('outbox_events', 'id'),
  keyedBy('webhook_deliveries', 'id'),
  keyedBy('webhook_attempts', 'id'),
  { ...keyedBy('request_logs', 'id'), numbered: ['id'] },
  keyedBy('request_totals', 'project_id', 'hour', 'route', 'status_code'),
  keyedBy('request_day_totals', 'project_id', 'day', 'route', 'status_code'),
];

export async function* readTable(executor: Executor, table: TableOfBackup): AsyncGenerator<Row> {
  const { builder } = executor.dialect;
  const columns = table.key.map(() => '??').join(', ');
  const values = table.key.map(() => '?').join(', ');
  let last: Row | undefined;
  for (;;) {
    const query = builder(table.name)
      .select('*')
      .orderBy([...table.key])
      .limit(table.pageSize);
    if (last) {
      const after = last;
      const bindings = [...table.key, ...table.key.map((column) => after[column] as string | number)];
      query.whereRaw(`(${columns}) > (${values})`, bindings);
    }
    const rows = await executor.all<Row>(query);
    yield* rows;
    if (rows.length < table.pageSize) return;
    last = rows.at(-1);
  }
}

/** Maximum number of values in one statement; SQLite takes 32,766, PostgreSQL 65,535. */
const maxValues = 10_000;

/** Inserts rows of a table; those of one call have the same columns. */
export async function writeRows(
  executor: Executor,
  table: TableOfBackup,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !table.numbered?.includes(column));
  if (columns.length === 0) return;
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const into = `insert into ?? (${columns.map(() => '??').join(', ')}) values `;
  const perStatement = Math.max(1, Math.floor(maxValues / columns.length));
  for (let start = 0; start < rows.length; start += perStatement) {
    const batch = rows.slice(start, start + perStatement);
    const values = batch.flatMap((row) => columns.map((column) => row[column] as string));
    // Knex's own insert of many rows is a chain of SELECTs on SQLite, which takes 500 of them.
    const sql = into + new Array(batch.length).fill(tuple).join(', ');
    await executor.run(executor.dialect.builder.raw(sql, [table.name, ...columns, ...values]));
  }
}

/** A row as a line of JSON; bytes as base64 under one key. */
export function encodeRow(row: Row): string {
  const fields = Object.entries(row).map(([column, value]) => [
    column,
    Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
  ]);
  return `${JSON.stringify(Object.fromEntries(fields))}\n`;
}

/** The row of a line that {@link encodeRow} wrote. */
export function decodeRow(line: string): Row {
  const fields = Object.entries(JSON.parse(line) as Record<string, Row[string] | { base64: string }>);
  return Object.fromEntries(
    fields.map(([column, value]) => [
      column,
      typeof value === 'object' && value !== null && 'base64' in value
        ? Buffer.from(String(value.base64), 'base64')
        : (value as Row[string]),
    ]),
  );
}
