// Deletes the rows of a deleted project or webhook in slices. Every table with a `project_id` is named here once.

import type { Executor } from '../infra/db/database.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';

/** A table and the column by whose order or values its rows of a project are found. */
interface ContentTable {
  readonly name: string;
  readonly column: string;
  /**
   * `order`: an index has the project's rows in the order of the column, and a slice is a range of its values.
   * `key`: a slice is a list of unique values of the column.
   */
  readonly by: 'order' | 'key';
  readonly large?: readonly string[];
}

/** Tables that are deleted with the project itself, in one statement each: a few rows that are needed to read any data. */
export const deletedAtOnce = ['project_quotas', 'data_keys', 'fingerprint_keys'] as const;

const largeOfSnapshots = ['dependencies', 'env_ciphertext', 'env_names', 'metadata', 'runtime_versions'];
const byOrder = (column: string, ...names: string[]): ContentTable[] =>
  names.map((name) => ({ name, column, by: 'order' }));
const byKey = (column: string, ...names: string[]): ContentTable[] =>
  names.map((name) => ({ name, column, by: 'key' }));

/** The other tables of a project, referring rows before the rows to which they refer. `files/` deletes files. */
export const deletedInSlices: readonly ContentTable[] = [
  ...byKey('id', 'webhook_deliveries', 'webhook_attempts', 'outbox_events'),
  ...byOrder('created_at', 'webhooks', 'pending_notices'),
  { name: 'snapshots', column: 'created_at', by: 'order', large: largeOfSnapshots },
  { name: 'shares', column: 'created_at', by: 'order', large: ['page'] },
  ...byOrder('machine_name', 'machines'),
  ...byOrder('created_at', 'request_logs'),
  ...byOrder('hour', 'request_totals'),
  ...byOrder('day', 'request_day_totals'),
  ...byOrder('created_at', 'audit_log'),
  ...byKey('scope', 'idempotency_keys'),
  ...byKey('subject', 'rate_limit_windows'),
  ...byKey('key_hash', 'revoked_keys'),
  ...byOrder('created_at', 'sessions'),
  ...byKey('token_hash', 'console_links'),
  ...byOrder('joined_at', 'memberships'),
  ...byOrder('created_at', 'api_keys'),
];

const webhookContents = byKey('id', 'webhook_deliveries', 'webhook_attempts');

interface Slice {
  ownerId: string;
  limit: number;
}

type Key = string | number;

/** Bytes of large columns in one slice, unless it is a single row: some milliseconds of SQLite's time. */
const bytesPerSlice = 1024 ** 2;

function slicesOf({ name, column, by, large = [] }: ContentTable, owner: string) {
  const bytes = ['0', ...large.map((each) => `octet_length(${each})`)].join(' + ');
  return {
    list: defineSql<Slice, { key: Key; bytes: number }>(
      `select ${column} as key, ${bytes} as bytes from ${name} where ${owner} = :ownerId
      ${by === 'order' ? `order by ${column}` : ''} limit :limit`,
    ),
    // With both ends: with one alone, PostgreSQL expects a third of the rows and reads the whole table.
    deleteRange: defineSql<{ ownerId: string; first: Key; last: Key }>(
      `delete from ${name} where ${owner} = :ownerId and ${column} >= :first and ${column} <= :last`,
    ),
    deleteKeys: defineSql<{ keys: readonly string[] }>(
      ({ anyOf }) => `delete from ${name} where ${anyOf(column, 'keys')}`,
    ),
  };
}

function definitionsOf(table: 'projects' | 'webhooks', owner: string, contents: readonly ContentTable[]) {
  return {
    listDeleted: defineSql<NoParams, { id: string }>(
      `select id from ${table} where deleted_at is not null order by deleted_at limit 100`,
    ),
    deleteRow: defineSql<{ id: string }>(`delete from ${table} where id = :id and deleted_at is not null`),
    contents: contents.map((content) => ({ by: content.by, ...slicesOf(content, owner) })),
  };
}

/** Deletes projects or webhooks, those deleted longest ago first: the rows that belong to one, then its own row. */
export const deletions = {
  project: definitionsOf('projects', 'project_id', deletedInSlices),
  webhook: definitionsOf('webhooks', 'webhook_id', webhookContents),
};

export type Deletable = keyof typeof deletions;

/** Deletes about `limit` rows, fewer where they are large; false if none is left. */
export type DeleteSlice = (executor: Executor, ownerId: string, limit: number) => Promise<boolean>;

/** The order in which the contents of a deleted project or webhook are removed, table by table. */
export function contentSlices(kind: Deletable): DeleteSlice[] {
  return deletions[kind].contents.map(({ by, list, deleteRange, deleteKeys }) => {
    return async (executor, ownerId, limit) => {
      const rows = await executor.all(list, { ownerId, limit });
      let sum = 0;
      const fitting = rows.filter(({ bytes }, place) => {
        sum += bytes;
        return place === 0 || sum <= bytesPerSlice;
      });
      const keys = fitting.map(({ key }) => key);
      const [first] = keys;
      const last = keys.at(-1);
      if (first === undefined || last === undefined) return false;
      if (by === 'order') await executor.run(deleteRange, { ownerId, first, last });
      else await executor.run(deleteKeys, { keys: keys as string[] });
      return rows.length === limit || keys.length < rows.length;
    };
  });
}
