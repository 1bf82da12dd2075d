// Rows of the audit log.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Role } from '@envsnap/shared';
import type { AuditAction, AuditActorType, AuditTargetType } from '@envsnap/shared/catalogue/audit-actions';
import type { Knex } from 'knex';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { ListPlace } from '../infra/list-parts.ts';

/** An entry's row; `created_at` is milliseconds since the epoch, `details` JSON text. */
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

/** Which entries a list has; times in milliseconds since the epoch, both ends included. */
export interface AuditFilter {
  /** Null for the entries of no project. */
  readonly projectId: string | null;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** What every new entry has. */
export interface NewEntry {
  id: string;
  projectId: string | null;
  nowMs: number;
  action: AuditAction;
  targetType: AuditTargetType;
  targetId: string | null;
  targetName: string | null;
  details: string;
  requestId: string | null;
  clientRequestId: string | null;
  clientAddress: string | null;
}

interface OtherActor {
  actorType: AuditActorType;
  actorLabel: string | null;
}

function columnsOf(p: { readonly [Name in keyof NewEntry]-?: Knex.Value }) {
  return {
    id: p.id,
    project_id: p.projectId,
    created_at: p.nowMs,
    action: p.action,
    target_type: p.targetType,
    target_id: p.targetId,
    target_name: p.targetName,
    details: p.details,
    request_id: p.requestId,
    client_request_id: p.clientRequestId,
    client_address: p.clientAddress,
  };
}

// Whose key it is is looked up by the database: nothing waits for it.
const insertByKey = defineStatement<NewEntry & { keyId: string; keyText: string }>((qb, p) =>
  qb('audit_log').insert({
    ...columnsOf(p),
    actor_type: 'key',
    actor: p.keyText,
    actor_label: qb('api_keys').select('label').where('id', p.keyId),
    actor_role: qb('api_keys').select('role').where('id', p.keyId),
    actor_member_id: qb('memberships').select('id').where('api_key_id', p.keyId),
  }),
);

const insertByOther = defineStatement<NewEntry & OtherActor>((qb, p) =>
  qb('audit_log').insert({
    ...columnsOf(p),
    actor_type: p.actorType,
    actor: p.actorType,
    actor_label: p.actorLabel,
  }),
);

const findTime = defineStatement<{ projectId: string; id: string }, { created_at: number }>((qb, p) =>
  qb('audit_log').select('created_at').where({ id: p.id, project_id: p.projectId }),
);

/** Entries that one statement counts; between two, others get their turn: SQLite works on the server's own thread. */
const countedAtOnce = 20_000;

/** Queries of the audit log. */
export function createAuditRepository(executor: Executor) {
  const { builder } = executor.dialect;

  function matching({ projectId, action, actor, fromMs, toMs }: AuditFilter): Knex.QueryBuilder {
    const query = builder('audit_log').where('project_id', projectId);
    if (action !== undefined) query.where('action', action);
    if (actor !== undefined) query.where('actor', actor);
    if (fromMs !== undefined) query.where('created_at', '>=', fromMs);
    if (toMs !== undefined) query.where('created_at', '<=', toMs);
    return query;
  }

  return {
    /** Written at the latest with the commit. */
    insertByKey: (entry: NewEntry, keyId: string) =>
      executor.write(insertByKey, { ...entry, keyId, keyText: keyId }),
    insertByOther: (entry: NewEntry & OtherActor) => executor.write(insertByOther, entry),
    /** Newest first: by time, then by id. */
    list: (filter: AuditFilter, limit: number, offset: number, after?: ListPlace) => {
      const query = matching(filter);
      if (after) query.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
      return executor.all<AuditRow>(
        query
          .select('*')
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(limit)
          .offset(offset),
      );
    },
    /** How many entries there are; `atOnce` of them are counted by one statement. */
    async count(filter: AuditFilter, atOnce = countedAtOnce): Promise<number> {
      for (let before = 0, last: ListPlace | undefined; ; before += atOnce) {
        const rest = () => {
          const query = matching(filter);
          if (last) query.whereRaw('(created_at, id) > (?, ?)', [last.createdAt, last.id]);
          return query;
        };
        const part = rest().select(builder.raw('1')).limit(atOnce).as('part');
        const { total } = (await executor.get<{ total: number }>(
          builder.count({ total: '*' }).from(part),
        )) as { total: number };
        if (total < atOnce) return before + total;
        const place = await executor.get<{ created_at: number; id: string }>(
          rest()
            .select('created_at', 'id')
            .orderBy([{ column: 'created_at' }, { column: 'id' }])
            .limit(1)
            .offset(atOnce - 1),
        );
        // What was counted may have been deleted meanwhile, as too old.
        if (!place) return before + total;
        last = { createdAt: place.created_at, id: place.id };
        await nextTurn();
      }
    },
    findTime: async (projectId: string, id: string) =>
      (await executor.get(findTime, { projectId, id }))?.created_at,
  };
}
