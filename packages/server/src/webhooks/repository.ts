// Rows of webhooks, and their delivery log as callers read it. What the dispatcher does is in delivery-repository.ts.

import type { WebhookEvent, WebhookFormat } from '@envsnap/shared';
import { defineStatement } from '../infra/db/statement.ts';
import { newestFirst } from '../infra/list-parts.ts';

/** A webhook as its row has it; times in milliseconds since the epoch, `events` as JSON. */
export interface WebhookRow {
  id: string;
  url: string;
  events: string;
  format: WebhookFormat;
  active: boolean;
  created_at: number;
}

/** A line of the delivery log. */
export interface AttemptRow {
  id: string;
  event_id: string;
  event: string;
  response_status: number | null;
  success: boolean;
  attempted_at: number;
  attempt: number;
  duration_ms: number;
  error: string | null;
}

/** The columns of a line. */
export const attemptColumns = [
  'id',
  'event_id',
  'event',
  'response_status',
  'success',
  'attempted_at',
  'attempt',
  'duration_ms',
  'error',
] as const satisfies readonly (keyof AttemptRow)[];

interface NewWebhookRow extends WebhookRow {
  project_id: string;
  secret_ciphertext: Uint8Array;
  console_url: string | null;
  updated_at: number;
}

interface Identity {
  projectId: string;
  id: string;
}

const columns = ['id', 'url', 'events', 'format', 'active', 'created_at'];

export const insertWebhook = defineStatement<NewWebhookRow>((qb, p) => qb('webhooks').insert(p));

export const countWebhooks = defineStatement<{ projectId: string }, { total: number }>((qb, p) =>
  qb('webhooks').count({ total: '*' }).where('project_id', p.projectId).whereNull('deleted_at'),
);

export const listWebhooks = defineStatement<{ projectId: string }, WebhookRow>((qb, p) =>
  qb('webhooks')
    .select(columns)
    .where('project_id', p.projectId)
    .whereNull('deleted_at')
    .orderBy(newestFirst),
);

/** Webhooks whose last attempt failed, and those that failures switched off. */
export const listFailingWebhooks = defineStatement<{ projectId: string }, { id: string }>((qb, p) =>
  qb('webhooks')
    .select('id')
    .where('project_id', p.projectId)
    .whereNull('deleted_at')
    .whereRaw('(failing_since is not null or deactivation_reason is not null)')
    .orderBy(['created_at', 'id']),
);

export const findWebhook = defineStatement<Identity, WebhookRow>((qb, p) =>
  qb('webhooks').select(columns).where({ id: p.id, project_id: p.projectId }).whereNull('deleted_at'),
);

/** The same, and nobody else changes the row until the transaction ends. */
export const lockWebhook = defineStatement<Identity, WebhookRow>((qb, p, dialect) =>
  dialect.lockRows(
    qb('webhooks').select(columns).where({ id: p.id, project_id: p.projectId }).whereNull('deleted_at'),
  ),
);

interface ChangedWebhook extends Omit<WebhookRow, 'created_at'> {
  consoleUrl: string | null;
  nowMs: number;
}

export const updateWebhook = defineStatement<ChangedWebhook>((qb, p) =>
  qb('webhooks')
    .update({
      ...{ url: p.url, events: p.events, format: p.format, active: p.active },
      ...{ console_url: p.consoleUrl, updated_at: p.nowMs },
    })
    .where('id', p.id),
);

/** Forgets earlier failures. */
export const restartClock = defineStatement<{ id: string }>((qb, p) =>
  qb('webhooks').update({ failing_since: null, deactivation_reason: null }).where('id', p.id),
);

/**
 * Deletes a webhook with its secret: nobody finds it, and nothing is sent to it. Its queue and its log are left for
 * later.
 */
export const deleteWebhook = defineStatement<Identity & { nowMs: number }>((qb, p) =>
  qb('webhooks')
    .where({ id: p.id, project_id: p.projectId })
    .update({
      url: '',
      secret_ciphertext: Buffer.alloc(0),
      active: false,
      failing_since: null,
      deleted_at: p.nowMs,
    }),
);

/** The latest attempts, newest first. */
export const listAttempts = defineStatement<{ webhookId: string; limit: number }, AttemptRow>((qb, p) =>
  qb('webhook_attempts')
    .select(attemptColumns)
    .where('webhook_id', p.webhookId)
    .orderBy([
      { column: 'attempted_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limitTo(p.limit),
);

/** How far the deliveries of some events are, for each webhook that got them. */
export interface EventStateRow {
  event_id: string;
  webhook_id: string;
  delivered: number;
  dropped: number;
  /** When a delivery that is pending is due; null when none is. */
  next_attempt_at: number | null;
  /** Until when an attempt that has begun may take; null when none has. */
  lease_until: number | null;
}

/** For all webhooks: SQLite would otherwise read the whole queue of one. */
export const listEventStates = defineStatement<{ eventIds: string[] }, EventStateRow>((qb, p, dialect) =>
  qb('webhook_deliveries')
    .select('event_id', 'webhook_id')
    .max({ lease_until: 'lease_until' })
    .select(
      qb.raw("max(case when state = 'delivered' then 1 else 0 end) as delivered"),
      qb.raw("max(case when state = 'dropped' then 1 else 0 end) as dropped"),
      qb.raw("min(case when state = 'pending' then next_attempt_at end) as next_attempt_at"),
    )
    .where(dialect.anyOf('event_id', p.eventIds))
    .groupBy('event_id', 'webhook_id'),
);

/** The events of a row. */
export function parseEvents(row: Pick<WebhookRow, 'events'>): WebhookEvent[] {
  return JSON.parse(row.events) as WebhookEvent[];
}
