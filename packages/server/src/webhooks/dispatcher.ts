// Delivers the outbox in the background: decides when to look for work, and how much each endpoint gets.

import type { Clock } from '../infra/clock.ts';
import type { Database } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import * as queue from './delivery-repository.ts';
import type { ClaimedDelivery, DeliveryWorker, Order } from './delivery-worker.ts';

/** Attempts to one endpoint at the same time, in each process. */
const maxInFlightPerWebhook = 4;
/** The same for an endpoint whose last attempt failed: enough to notice that it is back. */
const maxInFlightPerFailingWebhook = 1;
/** All attempts at the same time, in each process. */
const maxInFlight = 128;
/** Attempts for failing endpoints, so that others always have room. */
const maxInFlightOfFailing = 64;
const pollMs = 1000;

interface DispatcherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly worker: DeliveryWorker;
  readonly logger: Logger;
  /** True if no other process uses the database. Then leases found at the start belong to a dead process. */
  readonly exclusive: boolean;
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

interface InFlight {
  readonly webhookId: string;
  readonly failing: boolean;
  readonly done: Promise<void>;
}

export function createDispatcher({ database, clock, worker, logger, exclusive }: DispatcherDeps) {
  const inFlight = new Set<InFlight>();
  const aborting = new AbortController();
  let started = false;
  let abandoned = !exclusive;

  /** Starts due deliveries, or cleans up. Returns the milliseconds until the next check. */
  async function look(): Promise<number> {
    const nowMs = clock.nowMs();
    const nextMs = (await database.get(queue.findNextDue))?.next_attempt_at;
    if (nextMs === undefined) return pollMs;
    if ((nextMs <= nowMs && (await claimDue(nowMs))) || (await dropSome(nowMs))) return 0;
    if (nextMs > nowMs) return Math.min(nextMs - nowMs, pollMs);
    const laterMs = (await database.get(queue.findNextDueAfter, { nowMs }))?.next_attempt_at;
    return laterMs === undefined ? pollMs : Math.min(Math.max(laterMs - clock.nowMs(), 1), pollMs);
  }

  /** Claims and starts due deliveries for which there is room; false if there were none. */
  async function claimDue(nowMs: number): Promise<boolean> {
    const due = await database.all(queue.listDueWebhooks, { nowMs });
    const orders = plan(due, [...inFlight]);
    const claimed = orders.length === 0 || loop.stopping ? [] : await worker.claim(orders, nowMs);
    const failing = new Set(due.filter((webhook) => webhook.failing_since !== null).map(({ id }) => id));
    for (const delivery of claimed) begin(delivery, failing.has(delivery.webhook_id));
    return claimed.length > 0;
  }

  /** Drops some queued deliveries of a webhook that was switched off; false if there were none. */
  async function dropSome(nowMs: number): Promise<boolean> {
    const webhookId = (await database.get(queue.findSwitchedOff))?.id;
    if (webhookId === undefined || loop.stopping) return false;
    return (await database.run(queue.dropSome, { webhookId, nowMs, limit: queue.droppedAtOnce })) > 0;
  }

  function begin(delivery: ClaimedDelivery, failing: boolean): void {
    const done = worker
      .perform(delivery, aborting.signal)
      .catch((error: unknown) => {
        logger.warn({ err: error, deliveryId: delivery.id }, 'a delivery attempt could not be recorded');
      })
      .finally(() => {
        inFlight.delete(entry);
        void loop.wake();
      });
    const entry: InFlight = { webhookId: delivery.webhook_id, failing, done };
    inFlight.add(entry);
  }

  const loop = createWorkerLoop({
    async round() {
      if (!abandoned) {
        await database.run(queue.releaseAllLeases, { nowMs: clock.nowMs() });
        abandoned = true;
      }
      return look();
    },
    intervalMs: pollMs,
    onError: (error) => logger.warn({ err: error }, 'the delivery queue could not be read'),
  });

  return {
    start() {
      started = true;
      loop.start();
    },
    wake() {
      if (started) void loop.wake();
    },
    /**
     * Claims nothing more, waits up to `graceMs` for running attempts, then aborts them and releases their claims.
     */
    stop: async (graceMs: number) => {
      const timer = setTimeout(() => aborting.abort(new Error('the server is stopping')), graceMs);
      await loop.stop();
      await Promise.all([...inFlight].map(({ done }) => done));
      clearTimeout(timer);
    },
  };
}

/**
 * How many deliveries each webhook may get now. Those that work come before those that fail, and among them those with
 * the fewest attempts under way, so that no backlog keeps others waiting.
 */
export function plan(
  due: readonly queue.DueWebhookRow[],
  inFlight: readonly Pick<InFlight, 'webhookId' | 'failing'>[],
): Order[] {
  const counts = new Map<string, number>();
  for (const { webhookId } of inFlight) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  const countOf = ({ id }: queue.DueWebhookRow) => counts.get(id) ?? 0;
  const isFailing = ({ failing_since }: queue.DueWebhookRow) => failing_since !== null;
  const sorted = due.toSorted(
    (a, b) => Number(isFailing(a)) - Number(isFailing(b)) || countOf(a) - countOf(b),
  );

  let room = maxInFlight - inFlight.length;
  let roomOfFailing = maxInFlightOfFailing - inFlight.filter(({ failing }) => failing).length;
  const orders: Order[] = [];
  for (const webhook of sorted) {
    const cap = isFailing(webhook) ? maxInFlightPerFailingWebhook : maxInFlightPerWebhook;
    const limit = Math.min(cap - countOf(webhook), room, isFailing(webhook) ? roomOfFailing : room);
    if (limit <= 0) continue;
    orders.push({ webhookId: webhook.id, limit });
    room -= limit;
    if (isFailing(webhook)) roomOfFailing -= limit;
  }
  return orders;
}
