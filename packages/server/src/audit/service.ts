// The audit log: who did what to which part of a project. An entry is written in the transaction of its change, so neither
// exists without the other.

import type { AuditEntry } from '@envsnap/shared';
import type { AuditAction, AuditTargetType } from '@envsnap/shared/catalogue/audit-actions';
import type { Request } from 'express';
import type { Clock } from '../infra/clock.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import { contextOf, type RequestOrigin } from '../infra/http/request-context.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { pageOf, placeOf } from '../infra/list-parts.ts';
import type { Logger } from '../infra/logger.ts';
import * as rows from './repository.ts';

export type AuditOrigin =
  | ({
      readonly type: 'request';
      /** Id of the calling key; undefined for a caller without one. */
      readonly apiKeyId: string | undefined;
    } & RequestOrigin)
  | { readonly type: 'operator'; readonly account: string | null }
  | { readonly type: 'server' };

export function originOf(request: Request): AuditOrigin {
  const { principal, origin } = contextOf(request);
  return { type: 'request', apiKeyId: principal?.apiKeyId, ...origin };
}

export interface AuditTarget {
  readonly type: AuditTargetType;
  readonly id?: string | undefined;
  readonly name?: string | null | undefined;
}

/** Dependencies of most services. */
export interface Recording {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly audit: AuditLog;
}

interface AuditDeps {
  readonly clock: Clock;
  /** Ascending: old entries are found by their ids. */
  readonly newId: IdGenerator;
  readonly origin: AuditOrigin;
}

/** Records an entry in its own transaction, beside a request. */
export interface AuditingDeps extends Omit<AuditDeps, 'origin'> {
  readonly database: Database;
  readonly logger: Logger;
}

export type AuditLog = ReturnType<typeof createAuditLog>;

export function createAuditLog(executor: Executor, { clock, newId, origin }: AuditDeps) {
  return {
    /**
     * Adds an entry, written at the latest with the commit. Call it in the transaction of the change. Without a project, the entry is
     * about the whole server. `details` never hold a secret.
     */
    record(
      projectId: string | null,
      action: AuditAction,
      target: AuditTarget,
      details: Readonly<Record<string, unknown>> = {},
    ): void {
      const isRequest = origin.type === 'request';
      const entry = {
        id: newId(),
        project_id: projectId,
        created_at: clock.nowMs(),
        action,
        target_type: target.type,
        target_id: target.id ?? null,
        target_name: target.name ?? null,
        details: JSON.stringify(details),
        request_id: isRequest ? origin.requestId : null,
        client_request_id: isRequest ? origin.clientRequestId : null,
        client_address: isRequest ? origin.clientAddress : null,
      };
      if (isRequest && origin.apiKeyId !== undefined) {
        executor.write(rows.insertByKey, { ...entry, actor: origin.apiKeyId });
      } else {
        const actor = isRequest ? 'unknown' : origin.type;
        const actor_label = origin.type === 'operator' ? origin.account : null;
        executor.write(rows.insertByOther, { ...entry, actor_type: actor, actor, actor_label });
      }
    },

    async list(
      filter: rows.AuditFilter,
      { limit, offset, after }: { limit: number; offset: number; after?: string | undefined },
    ) {
      const { projectId } = filter;
      const findTime = async (id: string) =>
        projectId === null ? undefined : (await executor.get(rows.findTime, { projectId, id }))?.created_at;
      const place = await placeOf(after, findTime);
      const [found, total] = await Promise.all([
        rows.listEntries(executor, filter, { limit: limit + 1, offset, after: place }),
        rows.countEntries(executor, filter),
      ]);
      const { rows: page, next } = pageOf(found, limit);
      return { entries: page.map(toAuditEntry), total, limit, offset, next };
    },
  };
}

export function toAuditEntry(row: rows.AuditRow): AuditEntry {
  return {
    id: row.id,
    action: row.action,
    actor: {
      type: row.actor_type,
      apiKeyId: row.actor_type === 'key' ? row.actor : null,
      label: row.actor_label,
      role: row.actor_role,
      memberId: row.actor_member_id,
    },
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    details: JSON.parse(row.details) as Record<string, unknown>,
    requestId: row.request_id,
    clientRequestId: row.client_request_id,
    clientAddress: row.client_address,
    createdAt: toTimestamp(row.created_at),
  };
}
