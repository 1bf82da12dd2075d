// Rows of the audit log.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Role } from '@envsnap/shared';
import type { AuditAction, AuditActorType, AuditTargetType } from '@envsnap/shared/catalogue/audit-actions';
import type { Knex } from 'knex';
import type { Executor } from '../infra/db/database.ts';
import { defineInsert, defineSql, type NoParams } from '../infra/db/statement.ts';
import { type ListPlace, newestFirst } from '../infra/list-parts.ts';

export interface AuditRow {
  id: string;
  project_id: string | null;
  created_at: number;
  action: AuditAction;
  actor_type: AuditActorType;
  actor: string;
  actor_label: string | null;
  actor_role: Role | null;
  actor_member_id: string | null;
  target_type: AuditTargetType;
  target_id: string | null;
  target_name: string | null;
  details: string;
  request_id: string | null;
  client_request_id: string | null;
  client_address: string | null;
}

/** Filter of a list; times in milliseconds since the epoch, both ends included. */
export interface AuditFilter {
  readonly projectId: string | null;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

type NewEntryRow = Omit<AuditRow, 'actor_type' | 'actor_label' | 'actor_role' | 'actor_member_id'>;

/** An entry of a key, by its id. The database adds the rest, so that nothing waits for it. */
export const insertByKey = defineInsert<NewEntryRow>('audit_log', {
  computed: () => ({
    actor_type: "'key'",
    actor_label: '(select label from api_keys where id = :actor)',
    actor_role: '(select role from api_keys where id = :actor)',
    actor_member_id: '(select id from memberships where api_key_id = :actor)',
  }),
});

export const insertByOther = defineInsert<NewEntryRow & Pick<AuditRow, 'actor_type' | 'actor_label'>>(
  'audit_log',
);

export const findTime = defineSql<{ projectId: string; id: string }, { created_at: number }>(
  'select created_at from audit_log where id = :id and project_id = :projectId',
);

/** Entries that one statement counts. Other work runs between statements, because SQLite uses the main thread. */
const countedAtOnce = 20_000;

function matching({ dialect }: Executor, { projectId, ...filter }: AuditFilter): Knex.QueryBuilder {
  return narrowed(dialect.builder('audit_log').where('project_id', projectId), filter);
}

/** The query for matching entries, of any project. */
export function narrowed(
  query: Knex.QueryBuilder,
  { action, actor, fromMs, toMs }: Omit<AuditFilter, 'projectId'>,
): Knex.QueryBuilder {
  if (action !== undefined) query.where('action', action);
  if (actor !== undefined) query.where('actor', actor);
  if (fromMs !== undefined) query.where('created_at', '>=', fromMs);
  if (toMs !== undefined) query.where('created_at', '<=', toMs);
  return query;
}

/** Newest first: by time, then by id. */
export function listEntries(
  executor: Executor,
  filter: AuditFilter,
  { limit, offset, after }: { limit: number; offset: number; after: ListPlace | undefined },
): Promise<AuditRow[]> {
  const query = matching(executor, filter);
  if (after) query.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
  return executor.all<AuditRow>(query.select('*').orderBy(newestFirst).limit(limit).offset(offset));
}

/** The number of entries; one statement counts `atOnce` entries. */
export async function countEntries(
  executor: Executor,
  filter: AuditFilter,
  atOnce = countedAtOnce,
): Promise<number> {
  const { builder } = executor.dialect;
  for (let before = 0, last: ListPlace | undefined; ; before += atOnce) {
    const rest = () => {
      const query = matching(executor, filter);
      if (last) query.whereRaw('(created_at, id) > (?, ?)', [last.createdAt, last.id]);
      return query;
    };
    const part = rest().select(builder.raw('1')).limit(atOnce).as('part');
    const { total } = (await executor.get<{ total: number }>(builder.count({ total: '*' }).from(part))) as {
      total: number;
    };
    if (total < atOnce) return before + total;
    const place = await executor.get<{ created_at: number; id: string }>(
      rest()
        .select('created_at', 'id')
        .orderBy(['created_at', 'id'])
        .limit(1)
        .offset(atOnce - 1),
    );
    // Counted entries may have been deleted in the meantime, because they are too old.
    if (!place) return before + total;
    last = { createdAt: place.created_at, id: place.id };
    await nextTurn();
  }
}

const findLastBackup = defineSql<NoParams, { created_at: number }>(
  `select created_at from audit_log where project_id is null and action = 'backup.created'
  order by created_at desc limit 1`,
);

/** The time of the newest backup, in milliseconds since 1970; 0 if the log has none. */
export async function findLastBackupMs(executor: Executor): Promise<number> {
  return (await executor.get(findLastBackup))?.created_at ?? 0;
}
