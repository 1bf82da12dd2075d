// Webhooks: create, read, update, delete. The dispatcher delivers. docs/specification.md §5.

import { randomBytes } from 'node:crypto';
import { attemptsCounted, type FailingWebhook, type SentEvent, type WebhookPageData } from '@envsnap/console';
import {
  type DeliveryAttempt,
  limits,
  operations,
  type RequestOf,
  type Role,
  type Webhook,
  type WebhookWithDeliveries,
} from '@envsnap/shared';
import type { Recording } from '../audit/service.ts';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, ofExisting } from '../infra/db/project-quotas.ts';
import { bodySent } from './chat-text.ts';
import { dropPending, dropUnsubscribed } from './delivery-repository.ts';
import type { Outbox } from './outbox.ts';
import * as rows from './repository.ts';

const dayMs = 86_400_000;
/** Days that the log counts attempts of. */
const daysShown = 14;
/** Attempts on a page of the console. */
const attemptsOnPage = 50;

export interface LogFilter {
  readonly after?: string | undefined;
  readonly event?: string | undefined;
  readonly onlyFailed?: boolean;
}

interface WebhookServiceDeps extends Recording {
  readonly dataKeys: DataKeys;
  readonly outbox: Pick<Outbox, 'request'>;
}

export function createWebhookService(
  executor: Executor,
  { clock, newId, dataKeys, audit, outbox }: WebhookServiceDeps,
) {
  const lock = async (projectId: string, id: string) =>
    existing(await executor.get(rows.lockWebhook, { projectId, id }));
  const listAttempts = (webhookId: string) =>
    executor.all(rows.listAttempts, { webhookId, limit: limits.recentDeliveries });

  return {
    /**
     * Subscribes a URL. Only this response contains the secret. `consoleUrl` is where people find the console, for links in
     * chats; it ends with a slash. Call it in a transaction. Errors: `webhook_quota_exceeded`.
     */
    async create(
      projectId: string,
      {
        url,
        events,
        format = 'standard',
        secret = `whsec_${randomBytes(32).toString('base64')}`,
      }: RequestOf<typeof operations.createWebhook>['body'],
      consoleUrl: string | null,
    ): Promise<Webhook & { secret: string }> {
      const { max_webhooks: max } = ofExisting(await executor.get(lockQuotas, { projectId }));
      const webhooks = await executor.get(rows.countWebhooks, { projectId });
      if (webhooks && webhooks.total >= max) {
        throw new AppError('webhook_quota_exceeded', `Webhook quota exceeded (max ${max})`);
      }
      const id = newId();
      const nowMs = clock.nowMs();
      const cipher = await dataKeys.cipherOf(executor, projectId);
      await executor.run(rows.insertWebhook, {
        id,
        project_id: projectId,
        url,
        events: JSON.stringify(events),
        format,
        console_url: consoleUrl,
        secret_ciphertext: cipher.seal(rows.secretPlace(id), Buffer.from(secret)),
        active: true,
        created_at: nowMs,
        updated_at: nowMs,
      });
      audit.record(projectId, 'webhook.created', { type: 'webhook', id, name: originOf(url) }, { events });
      return { id, url, events, format, secret, active: true, createdAt: toTimestamp(nowMs) };
    },

    async list(projectId: string): Promise<Webhook[]> {
      return (await executor.all(rows.listWebhooks, { projectId })).map(toWebhook);
    },

    async get(projectId: string, id: string): Promise<WebhookWithDeliveries> {
      const row = existing(await executor.get(rows.findWebhook, { projectId, id }));
      return { ...toWebhook(row), recentDeliveries: (await listAttempts(id)).map(toAttempt) };
    },

    /** For webhooks that fail, or that failures switched off: how many of the last 20 attempts failed. */
    async failing(projectId: string): Promise<FailingWebhook[]> {
      const failing: FailingWebhook[] = [];
      for (const { id } of await executor.all(rows.listFailingWebhooks, { projectId })) {
        const attempts = await listAttempts(id);
        failing.push({
          id,
          failed: attempts.filter(({ success }) => !success).length,
          attempts: attempts.length,
        });
      }
      return failing;
    },

    /**
     * A webhook as a role may see it, with its attempts by day and a page of its events, newest first. Each event has its
     * attempts and state, and its body if the role may see it. `after` is the last attempt of the page before. Errors:
     * `webhook_not_found`.
     */
    async log(
      projectId: string,
      id: string,
      role: Role,
      { after, event, onlyFailed = false }: LogFilter = {},
    ): Promise<Omit<WebhookPageData, 'failing' | 'event' | 'onlyFailed'>> {
      const webhook = toWebhook(existing(await executor.get(rows.findWebhook, { projectId, id })));
      const isFiltered = onlyFailed || event !== undefined;
      const page = { webhookId: id, limit: isFiltered ? attemptsCounted : attemptsOnPage + 1 };
      const read = await (after === undefined
        ? executor.all(rows.listAttempts, page)
        : executor.all(rows.listAttemptsBefore, { ...page, attemptId: after }));
      const found = read.filter((row) => row.event === (event ?? row.event) && !(onlyFailed && row.success));
      const attempts = found.slice(0, attemptsOnPage);
      const byEvent = Map.groupBy(attempts, (row) => row.event_id);
      const events = { webhookId: id, eventIds: [...byEvent.keys()] };
      const counted = await executor.all(rows.listAttemptsOfEvents, { ...events, limit: attemptsCounted });
      const known = Map.groupBy(counted, (row) => row.event_id);
      const states = await executor.all(rows.listEventStates, events);
      const stateOf = new Map(
        states.filter((row) => row.webhook_id === id).map((row) => [row.event_id, row]),
      );
      const bodies = mayChange(role) ? await executor.all(rows.listEventBodies, events) : [];
      const bodyOf = new Map(bodies.map((row) => [row.id, bodySent(webhook.format, row)]));
      const sinceDay = Math.floor(clock.nowMs() / dayMs) - daysShown + 1;
      const counts = await executor.all(rows.countAttempts, {
        webhookId: id,
        sinceMs: sinceDay * dayMs,
        limit: attemptsCounted,
      });
      const countOf = new Map(counts.map((row) => [row.day, row]));
      return {
        webhook: shownTo(role, webhook),
        events: [...byEvent].flatMap(([eventId, onPage]) => {
          const ofEvent = known.get(eventId) ?? onPage;
          // An event is on the page of its newest attempt, with all of them.
          if ((after !== undefined || onlyFailed) && ofEvent[0]?.id !== onPage[0]?.id) return [];
          const attempts = ofEvent.map(toAttempt);
          const body = bodyOf.get(eventId) ?? null;
          return { id: eventId, ...outcomeOf(ofEvent, stateOf.get(eventId)), attempts, body };
        }),
        next: found.length > attemptsOnPage ? (attempts.at(-1)?.id ?? null) : null,
        days: Array.from({ length: daysShown }, (_, place) => {
          const { total = 0, failed = 0 } = countOf.get(sinceDay + place) ?? {};
          return { day: toTimestamp((sinceDay + place) * dayMs).slice(0, 10), total, failed };
        }),
      };
    },

    /**
     * Changes a webhook. Deliveries that are queued when it is switched off are never sent; the dispatcher drops them. Switching it on
     * again, or changing its URL, clears its failures. Call it in a transaction. Errors: `webhook_not_found`.
     */
    async update(
      projectId: string,
      id: string,
      change: RequestOf<typeof operations.updateWebhook>['body'],
      consoleUrl: string | null,
    ): Promise<Webhook> {
      const row = await lock(projectId, id);
      const nowMs = clock.nowMs();
      const changed = {
        ...row,
        url: change.url ?? row.url,
        events: change.events ? JSON.stringify(change.events) : row.events,
        format: change.format ?? row.format,
        active: change.active ?? row.active,
      };
      await executor.run(rows.updateWebhook, { ...changed, consoleUrl, nowMs });
      const reactivated = changed.active && !row.active;
      if (reactivated || changed.url !== row.url) await executor.run(rows.restartClock, { id });
      // An event that was being recorded while the webhook was switched off may have been queued.
      if (reactivated) await executor.run(dropPending, { webhookId: id, nowMs });
      if (changed.events !== row.events)
        await executor.run(dropUnsubscribed, { webhookId: id, events: rows.parseEvents(changed), nowMs });
      const target = { type: 'webhook', id, name: originOf(changed.url) } as const;
      const details = {
        ...(changed.url !== row.url && { urlChanged: true }),
        ...(changed.events !== row.events && {
          events: { from: rows.parseEvents(row), to: rows.parseEvents(changed) },
        }),
        ...(changed.format !== row.format && { format: { from: row.format, to: changed.format } }),
        ...(changed.active !== row.active && { active: { from: row.active, to: changed.active } }),
      };
      audit.record(projectId, 'webhook.updated', target, details);
      return toWebhook(changed);
    },

    /**
     * Queues for delivery now, active or not, the event of an attempt with the same id and body, or a test; a success ends the
     * retries that are still planned. Returns the delivery's id. Call it in a transaction. Errors: `webhook_not_found`,
     * `delivery_not_found`.
     */
    async request(projectId: string, id: string, attemptId?: string): Promise<string> {
      await lock(projectId, id);
      return outbox.request(projectId, id, attemptId);
    },

    /**
     * Deletes a webhook: nothing is sent to it after the commit, and its secret is gone. The deletion worker removes its queue and
     * log. Errors: `webhook_not_found`.
     */
    async remove(projectId: string, id: string): Promise<void> {
      const { url } = await lock(projectId, id);
      await executor.run(rows.deleteWebhook, { projectId, id, nowMs: clock.nowMs() });
      audit.record(projectId, 'webhook.deleted', { type: 'webhook', id, name: originOf(url) });
    },
  };
}

/** Scheme and host: the rest of a URL may hold a secret. The audit log, which outlives the webhook, and most roles see no more. */
function originOf(url: string): string {
  return new URL(url).origin;
}

/** A webhook's URL may give access to anyone who knows it. Only roles that may change it see all of it. */
export function shownTo<Shown extends Webhook>(role: Role, webhook: Shown): Shown {
  return mayChange(role) ? webhook : { ...webhook, url: originOf(webhook.url) };
}

function mayChange(role: Role): boolean {
  return operations.updateWebhook.access.some((each) => each === role);
}

export function webhookNotFound(): AppError {
  return new AppError('webhook_not_found', 'Webhook not found');
}

function existing(row: rows.WebhookRow | undefined): rows.WebhookRow {
  if (!row) throw webhookNotFound();
  return row;
}

function toWebhook(row: rows.WebhookRow): Webhook {
  return { ...toAnswer(row), events: rows.parseEvents(row) };
}

/** The state of an event. The log may outlive the queue. */
function outcomeOf(
  attempts: readonly rows.AttemptRow[],
  state: rows.EventStateRow | undefined,
): Pick<SentEvent, 'state' | 'nextAttemptAt'> {
  const nextAttemptAt = state?.next_attempt_at ? toTimestamp(state.next_attempt_at) : null;
  if (state?.lease_until) return { state: 'sending', nextAttemptAt: null };
  if (nextAttemptAt !== null) return { state: 'retrying', nextAttemptAt };
  if (state?.delivered || attempts.some(({ success }) => success))
    return { state: 'delivered', nextAttemptAt };
  return { state: state?.dropped ? 'dropped' : 'failed', nextAttemptAt };
}

export function toAttempt({ event_id: _, ...row }: rows.AttemptRow): DeliveryAttempt {
  return toAnswer(row);
}
