// Which tables a backup holds, in an order in which they can be filled again, and how their rows are written.

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

/**
 * Every table but those whose content is worthless elsewhere: rate limit counters, answers to idempotent requests, the
 * ledger of unneeded blobs.
 */
export const tables: readonly TableOfBackup[] = [
  keyedBy('projects', 'id'),
  keyedBy('project_quotas', 'project_id'),
  keyedBy('master_keys', 'id'),
  keyedBy('data_keys', 'project_id'),
  keyedBy('api_keys', 'id'),
  keyedBy('memberships', 'id'),
  { name: 'snapshots', key: ['id'], pageSize: 10 },
  keyedBy('files', 'id'),
  keyedBy('webhooks', 'id'),
  keyedBy('outbox_events', 'id'),
  keyedBy('webhook_deliveries', 'id'),
  keyedBy('webhook_attempts', 'id'),
  { ...keyedBy('request_logs', 'id'), numbered: ['id'] },
  keyedBy('request_totals', 'project_id', 'hour', 'route', 'status_code'),
];

/** All rows of a table, in pages. */
export async function* readTable(executor: Executor, table: TableOfBackup): AsyncGenerator<Row[]> {
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
    if (rows.length > 0) yield rows;
    if (rows.length < table.pageSize) return;
    last = rows.at(-1);
  }
}

/** Most values in one statement; SQLite takes 32,766. */
const maxValues = 10_000;

/** Inserts rows of a table. */
export async function writeRows(
  executor: Executor,
  table: TableOfBackup,
  rows: readonly Row[],
): Promise<void> {
  const { builder } = executor.dialect;
  const plain = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !table.numbered?.includes(column))),
  );
  const perStatement = Math.max(1, Math.floor(maxValues / Object.keys(plain[0] ?? { any: 0 }).length));
  for (let start = 0; start < plain.length; start += perStatement) {
    await executor.run(builder(table.name).insert(plain.slice(start, start + perStatement)));
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
