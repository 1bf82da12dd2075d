// Rows of webhooks, and their delivery log as callers read it. What the dispatcher does is in delivery-repository.ts.

import type { WebhookEvent } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** A webhook as its row has it; times in milliseconds since the epoch, `events` as JSON. */
export interface WebhookRow {
  id: string;
  url: string;
  events: string;
  active: boolean;
  created_at: number;
}

/** What a delivery to a webhook needs. */
export interface WebhookTargetRow {
  id: string;
  url: string;
  secret_ciphertext: Buffer;
}

/** A line of the delivery log. */
export interface AttemptRow {
  id: string;
  event: string;
  response_status: number | null;
  success: boolean;
  attempted_at: number;
  attempt: number;
  duration_ms: number;
  error: string | null;
}

interface NewWebhook {
  id: string;
  projectId: string;
  url: string;
  events: string;
  secretCiphertext: Uint8Array;
  nowMs: number;
}

interface ChangedWebhook {
  id: string;
  url: string;
  events: string;
  active: boolean;
  nowMs: number;
}

interface Identity {
  projectId: string;
  id: string;
}

const columns = ['id', 'url', 'events', 'active', 'created_at'];

const insertWebhook = defineStatement<NewWebhook>((qb, p) =>
  qb('webhooks').insert({
    id: p.id,
    project_id: p.projectId,
    url: p.url,
    events: p.events,
    secret_ciphertext: p.secretCiphertext,
    active: true,
    created_at: p.nowMs,
    updated_at: p.nowMs,
  }),
);

const lockWebhookQuota = defineStatement<{ projectId: string }, { max_webhooks: number }>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select('max_webhooks').where('project_id', p.projectId)),
);

const countWebhooks = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('webhooks').count({ total: '*' }).where('project_id', p.projectId).whereNull('deleted_at'),
);

const listWebhooks = defineStatement<{ projectId: string }, WebhookRow>((qb, p) =>
  qb('webhooks')
    .select(columns)
    .where('project_id', p.projectId)
    .whereNull('deleted_at')
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]),
);

const findWebhook = defineStatement<Identity, WebhookRow>((qb, p) =>
  qb('webhooks').select(columns).where({ id: p.id, project_id: p.projectId }).whereNull('deleted_at'),
);

const lockWebhook = defineStatement<Identity, WebhookRow>((qb, p, dialect) =>
  dialect.lockRows(
    qb('webhooks').select(columns).where({ id: p.id, project_id: p.projectId }).whereNull('deleted_at'),
  ),
);

const findTarget = defineStatement<Identity, WebhookTargetRow>((qb, p) =>
  qb('webhooks')
    .select('id', 'url', 'secret_ciphertext')
    .where({ id: p.id, project_id: p.projectId })
    .whereNull('deleted_at'),
);

const updateWebhook = defineStatement<ChangedWebhook>((qb, p) =>
  qb('webhooks')
    .update({ url: p.url, events: p.events, active: p.active, updated_at: p.nowMs })
    .where('id', p.id),
);

const restartClock = defineStatement<{ id: string }>((qb, p) =>
  qb('webhooks').update({ failing_since: null, deactivation_reason: null }).where('id', p.id),
);

const markDeleted = defineStatement<Identity & { nothing: Uint8Array; nowMs: number }>((qb, p) =>
  qb('webhooks').where({ id: p.id, project_id: p.projectId }).update({
    url: '',
    secret_ciphertext: p.nothing,
    active: false,
    failing_since: null,
    deleted_at: p.nowMs,
  }),
);

const listAttempts = defineStatement<{ webhookId: string; limit: number }, AttemptRow>((qb, p) =>
  qb('webhook_attempts')
    .select('id', 'event', 'response_status', 'success', 'attempted_at', 'attempt', 'duration_ms', 'error')
    .where('webhook_id', p.webhookId)
    .orderBy([
      { column: 'attempted_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limitTo(p.limit),
);

/** Queries of webhooks. */
export function createWebhookRepository(executor: Executor) {
  return {
    /** How many webhooks the project may have; nobody else adds one until the transaction ends. Undefined when it is gone. */
    lockQuota: async (projectId: string) =>
      (await executor.get(lockWebhookQuota, { projectId }))?.max_webhooks,
    count: async (projectId: string) => (await executor.get(countWebhooks, { projectId }))?.total ?? 0,
    insert: (webhook: NewWebhook) => executor.run(insertWebhook, webhook),
    /** Newest first. */
    list: (projectId: string) => executor.all(listWebhooks, { projectId }),
    find: (projectId: string, id: string) => executor.get(findWebhook, { projectId, id }),
    /** Like `find`, and nobody else changes the row until the transaction ends. */
    lock: (projectId: string, id: string) => executor.get(lockWebhook, { projectId, id }),
    findTarget: (projectId: string, id: string) => executor.get(findTarget, { projectId, id }),
    update: (webhook: ChangedWebhook) => executor.run(updateWebhook, webhook),
    /** Forgets earlier failures. */
    restartClock: (id: string) => executor.run(restartClock, { id }),
    /** Deletes the webhook with its secret: nobody finds it, and nothing is sent to it. Its queue and its log are left for later. */
    remove: (projectId: string, id: string, nowMs: number) =>
      executor.run(markDeleted, { projectId, id, nothing: new Uint8Array(), nowMs }),
    /** The latest attempts, newest first. */
    listAttempts: (webhookId: string, limit: number) => executor.all(listAttempts, { webhookId, limit }),
  };
}

/** The events of a row. */
export function parseEvents(row: Pick<WebhookRow, 'events'>): WebhookEvent[] {
  return JSON.parse(row.events) as WebhookEvent[];
}
