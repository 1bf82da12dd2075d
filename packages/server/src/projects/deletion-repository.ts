// Deletes the rows of a deleted project, some at a time. Every table with a `project_id` is named here once.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** A table and the column by whose order or values its rows of a project are found. */
export interface ContentTable {
  readonly name: string;
  readonly column: string;
  /**
   * `order`: an index holds the project's rows in the order of the column, and what is up to a value goes at once.
   * `key`: rows go by the values of the column, which are unique.
   */
  readonly by: 'order' | 'key';
}

/** What is deleted with the project itself, in one statement each: a row or a few, without which nothing opens. */
export const deletedAtOnce = ['project_quotas', 'data_keys', 'fingerprint_keys'] as const;

/** Everything else, what refers to other rows before them. Files are `files/`'s to delete. */
export const deletedInSlices: readonly ContentTable[] = [
  { name: 'webhook_deliveries', column: 'id', by: 'key' },
  { name: 'webhook_attempts', column: 'id', by: 'key' },
  { name: 'outbox_events', column: 'id', by: 'key' },
  { name: 'webhooks', column: 'created_at', by: 'order' },
  { name: 'snapshots', column: 'created_at', by: 'order' },
  { name: 'snapshot_blocks', column: 'machine_name', by: 'order' },
  { name: 'machines', column: 'machine_name', by: 'order' },
  { name: 'request_logs', column: 'created_at', by: 'order' },
  { name: 'request_totals', column: 'hour', by: 'order' },
  { name: 'request_day_totals', column: 'day', by: 'order' },
  { name: 'audit_log', column: 'created_at', by: 'order' },
  { name: 'idempotency_keys', column: 'scope', by: 'key' },
  { name: 'rate_limit_windows', column: 'subject', by: 'key' },
  { name: 'revoked_keys', column: 'key_hash', by: 'key' },
  { name: 'memberships', column: 'joined_at', by: 'order' },
  { name: 'api_keys', column: 'created_at', by: 'order' },
];

const listDeleted = defineStatement<Record<never, never>, { id: string }>((qb) =>
  qb('projects').select('id').whereNotNull('deleted_at').orderBy('deleted_at').limit(100),
);

const deleteProject = defineStatement<{ id: string }>((qb, p) =>
  qb('projects').where('id', p.id).whereNotNull('deleted_at').delete(),
);

interface Slice {
  projectId: string;
  limit: number;
}

type Key = string | number;

function slicesOf({ name, column, by }: ContentTable) {
  return {
    list: defineStatement<Slice, { key: Key }>((qb, p) =>
      qb(name)
        .select(`${column} as key`)
        .where('project_id', p.projectId)
        .modify((query) => {
          if (by === 'order') query.orderBy(column);
        })
        .limit(p.limit),
    ),
    deleteUpTo: defineStatement<{ projectId: string; key: Key }>((qb, p) =>
      qb(name).where('project_id', p.projectId).where(column, '<=', p.key).delete(),
    ),
    deleteKeys: defineStatement<{ projectId: string; keys: readonly string[] }>((qb, p, dialect) =>
      qb(name).where('project_id', p.projectId).where(dialect.anyOf(column, p.keys)).delete(),
    ),
  };
}
const statements = new Map(deletedInSlices.map((table) => [table, slicesOf(table)]));

/** Queries of deletions, on one connection or transaction. */
export function createDeletionRepository(executor: Executor) {
  return {
    /** Deleted projects with rows left, the longest deleted first; at most 100. */
    listDeleted: async () => (await executor.all(listDeleted, {})).map(({ id }) => id),

    /** Deletes about `limit` rows of a table; false when none is left. */
    async deleteSlice(table: ContentTable, projectId: string, limit: number): Promise<boolean> {
      const found = statements.get(table);
      const keys = found ? (await executor.all(found.list, { projectId, limit })).map(({ key }) => key) : [];
      const last = keys.at(-1);
      if (!found || last === undefined) return false;
      if (table.by === 'order') await executor.run(found.deleteUpTo, { projectId, key: last });
      else await executor.run(found.deleteKeys, { projectId, keys: keys as string[] });
      return keys.length === limit;
    },

    /** Deletes the project's own row, and what came after its slices. */
    deleteProject: (id: string) => executor.run(deleteProject, { id }),
  };
}
