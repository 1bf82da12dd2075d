import {
  AbortError,
  ConnectionError,
  type EnvSnap,
  type EnvsnapError,
  NotFoundError,
  TimeoutError,
  UsageError,
} from '@envsnap/sdk';
import { type ErrorCode, errorCodes } from '@envsnap/shared/error-codes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApiError } from '../../../packages/sdk/src/call/error-answer.ts';
import {
  answerWasLost,
  firstDelayMs,
  longestDelayMs,
  type RetryContext,
  retryAfterSecondsOf,
  retryDelayMs,
} from '../../../packages/sdk/src/call/retry.ts';
import { type Step, startScriptedServer, unusedAddress } from '../../support/scripted-server.ts';
import { readTestData } from '../../support/test-data.ts';
import { clientOf, snapshotId } from '../support.ts';

const { statuses, nobodyAsked, headers } = readTestData<{
  statuses: [number, boolean][];
  nobodyAsked: [Record<string, string>][];
  headers: [string, Record<string, string>, number | null][];
}>(import.meta);

const context: RetryContext = {
  attempts: 1,
  repeatable: 'always',
  remainingMs: Number.POSITIVE_INFINITY,
  maxRetryAfterSeconds: 60,
  random: () => 0.5,
};
const apiError = (status: number, code?: ErrorCode, retryAfterSeconds?: number) =>
  createApiError({ status, code, message: 'x', operation: 'getUsage', retryAfterSeconds });

describe('retryDelayMs', () => {
  it.each(Object.entries(errorCodes))('follows the table of codes for %s', (code, { status, retryable }) => {
    expect(retryDelayMs(apiError(status, code as ErrorCode), context) !== undefined).toBe(retryable);
  });

  it.each(statuses)('decides by the status %d when the response has no code', (status, retried) => {
    expect(retryDelayMs(apiError(status), context) !== undefined).toBe(retried);
  });

  it.each<[string, EnvsnapError, Record<RetryContext['repeatable'], boolean>]>([
    ['a lost connection', new ConnectionError('x'), { always: true, refused: false, never: false }],
    ['one attempt too slow', new TimeoutError('try', 1), { always: true, refused: false, never: false }],
    ['a stalled transfer', new TimeoutError('stream', 1), { always: true, refused: false, never: false }],
    [
      'the whole call too slow',
      new TimeoutError('total', 1),
      { always: false, refused: false, never: false },
    ],
    ['the caller', new AbortError('x'), { always: false, refused: false, never: false }],
    ['a wrong call', new UsageError('x'), { always: false, refused: false, never: false }],
    ['a refusal for the rate', apiError(429), { always: true, refused: true, never: false }],
    ['a failing server', apiError(500), { always: true, refused: false, never: false }],
  ])('after %s asks whether the call may be repeated', (_, error, expected) => {
    for (const repeatable of ['always', 'refused', 'never'] as const)
      expect(retryDelayMs(error, { ...context, repeatable }) !== undefined).toBe(expected[repeatable]);
  });

  it('stops after the allowed number of retries', async () => {
    await using server = await startScriptedServer('drop');
    for (const retries of [0, 1, 2]) {
      const before = server.seen.length;
      await clientOf(server, { retries })
        .service.health()
        .catch(() => undefined);
      expect(server.seen.length - before).toBe(retries + 1);
    }
  });

  it('draws from zero up to a bound that doubles and is capped', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        (drawn, attempts) => {
          const delay = retryDelayMs(new ConnectionError('x'), { ...context, attempts, random: () => drawn });
          expect(delay).toBe(drawn * Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1)));
        },
      ),
    );
  });

  it('waits at least as long as the server asks, and not for one that asks too much', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.double({ min: 0, max: 0.999, noNaN: true }), (asked, drawn) => {
        const delay = retryDelayMs(apiError(429, 'rate_limited', asked), { ...context, random: () => drawn });
        if (asked > 60) expect(delay).toBeUndefined();
        else {
          expect(delay).toBeGreaterThanOrEqual(asked * 1000);
          expect(delay).toBeLessThan(asked * 1000 + firstDelayMs);
        }
      }),
    );
  });

  it('does not begin a wait that the total limit would cut short', () => {
    expect(retryDelayMs(apiError(429, 'rate_limited', 5), { ...context, remainingMs: 5000 })).toBeUndefined();
    expect(retryDelayMs(apiError(429, 'rate_limited', 5), { ...context, remainingMs: 5200 })).toBeDefined();
  });
});

describe('retryAfterSecondsOf', () => {
  const now = Date.parse('2026-02-07T13:00:00Z');
  it.each(headers)('reads %s', (_, given, seconds) => {
    expect(retryAfterSecondsOf(new Headers(given), now)).toBe(seconds ?? undefined);
  });
});

describe('answerWasLost', () => {
  it('is true if the server may have acted without reporting it', () => {
    expect(answerWasLost(new ConnectionError('x'))).toBe(true);
    expect(answerWasLost(new TimeoutError('try', 1))).toBe(true);
    expect(answerWasLost(apiError(502))).toBe(true);
    expect(answerWasLost(apiError(524))).toBe(true);
    expect(answerWasLost(apiError(503))).toBe(false);
    expect(answerWasLost(apiError(500, 'internal_error'))).toBe(false);
    expect(answerWasLost(apiError(429, 'rate_limited'))).toBe(false);
  });

  it.each(nobodyAsked)('is false if the server was not reached: %j', ({ message, ...code }) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(message), code) });
    expect(answerWasLost(new ConnectionError('x', { cause }))).toBe(false);
  });
});

const answer = (status: number, code?: string, headers: Record<string, string> = {}): Step => ({
  status,
  json: code ? { error: code, code, requestId: 'r' } : {},
  headers,
});
/** A response that is sufficient for every operation called here. */
const side = { a: null, b: null, match: true };
const good: Step = {
  status: 200,
  json: {
    success: true,
    id: snapshotId,
    snapshotA: snapshotId,
    runtimeVersions: {},
    dependencies: {},
    envVars: {},
    metadata: {},
    diff: { os: side, arch: side, runtimes: [], dependencies: [], envVars: [] },
    delivery: { id: snapshotId },
    resources: { snapshots: 0 },
    storage: { usedBytes: 0 },
    quotas: { maxSnapshots: 50 },
  },
};

/** Calls by what repeating them does: read, replace, delete, create with a key, read by POST, act by POST. */
const calls: Record<string, (client: EnvSnap) => Promise<unknown>> = {
  GET: (client) => client.snapshots.get(snapshotId),
  PATCH: (client) => client.projects.update(snapshotId, { name: 'n' }),
  DELETE: (client) => client.snapshots.delete(snapshotId),
  'creating POST': (client) => client.snapshots.create({ machineName: 'm' }),
  'reading POST': (client) => client.snapshots.compare({ snapshotA: snapshotId, snapshotB: snapshotId }),
  'acting POST': (client) => client.webhooks.test(snapshotId),
};
const failures: Record<string, { step: Step; retried: boolean; retriedWhenActing?: boolean }> = {
  'a dropped connection': { step: 'drop', retried: true },
  'a torn answer': { step: 'truncate', retried: true },
  '429': {
    step: answer(429, 'rate_limited', { 'retry-after': '0' }),
    retried: true,
    retriedWhenActing: true,
  },
  '408': { step: answer(408, 'request_timeout'), retried: true },
  '500': { step: answer(500, 'internal_error'), retried: true },
  '503': { step: answer(503, 'shutting_down'), retried: true },
  '502 of a proxy': { step: { status: 502, text: 'Bad gateway' }, retried: true },
  '409 key in use': { step: answer(409, 'idempotency_key_in_use'), retried: true },
  '422 key reused': { step: answer(422, 'idempotency_key_reused'), retried: false },
  '403': { step: answer(403, 'role_forbidden'), retried: false },
  '400': { step: answer(400, 'validation_failed'), retried: false },
  '413': { step: answer(413, 'body_too_large'), retried: false },
};
const matrix = Object.keys(calls).flatMap((call) => Object.keys(failures).map((failure) => [call, failure]));

describe('the retry matrix', () => {
  it.concurrent.each(matrix)('%s after %s', async (call = '', failure = '') => {
    const { step, retried, retriedWhenActing = false } = failures[failure] ?? { step: good, retried: false };
    await using server = await startScriptedServer(step, good);
    const expected = call === 'acting POST' ? retriedWhenActing : retried;
    const outcome = await calls[call]?.(clientOf(server, { retries: 1 })).then(
      () => 'done',
      () => 'failed',
    );
    expect(outcome).toBe(expected ? 'done' : 'failed');
    expect(server.seen).toHaveLength(expected ? 2 : 1);
    const [first, second] = server.seen;
    if (second) {
      expect(second.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
      expect(second.body).toEqual(first?.body);
    }
    expect(first?.headers['idempotency-key'] !== undefined).toBe(call === 'creating POST');
  });
});

describe('a deletion whose response was lost', () => {
  it.each<[string, Step]>([
    ['a dropped connection', 'drop'],
    ['a gateway that gave up', { status: 504, text: 'Gateway time-out' }],
  ])('counts as done when the repetition finds nothing (%s)', async (_, step) => {
    await using server = await startScriptedServer(step, answer(404, 'snapshot_not_found'));
    const response = await clientOf(server).snapshots.delete(snapshotId).withResponse();
    expect(response).toMatchObject({ data: { success: true }, status: 404, attempts: 2 });
  });

  it('is not assumed if the server had responded', async () => {
    for (const script of [[], [answer(503, 'shutting_down')]]) {
      await using server = await startScriptedServer(...script, answer(404, 'snapshot_not_found'));
      await expect(clientOf(server).snapshots.delete(snapshotId)).rejects.toMatchObject({
        name: 'NotFoundError',
      });
    }
  });

  it.each<[string, Step]>([
    ['a proxy', { status: 404, text: 'default backend - 404' }],
    ['a server that does not know the path', answer(404, 'route_not_found')],
  ])('is not assumed when the 404 is that of %s', async (_, step) => {
    await using server = await startScriptedServer('drop', step);
    await expect(clientOf(server).files.delete(snapshotId)).rejects.toMatchObject({ status: 404 });
    expect(server.seen).toHaveLength(2);
  });

  it('is not assumed when the first attempt reached nobody', async () => {
    await using server = await startScriptedServer(answer(404, 'snapshot_not_found'));
    const nobody = await unusedAddress();
    let attempts = 0;
    const client = clientOf(server, { fetch: (url, init) => fetch(attempts++ === 0 ? nobody : url, init) });
    await expect(client.snapshots.delete(snapshotId)).rejects.toThrow(NotFoundError);
    expect(attempts).toBe(2);
  });

  it('is not assumed for a key that is not accepted any more', async () => {
    await using server = await startScriptedServer('drop', answer(401, 'invalid_api_key'));
    await expect(clientOf(server).projects.delete(snapshotId)).rejects.toMatchObject({
      name: 'AuthenticationError',
    });
  });
});

describe('Retry-After', () => {
  it('is waited for', async () => {
    const limited = answer(429, 'rate_limited', { 'retry-after': '1' });
    await using server = await startScriptedServer(limited, good);
    await clientOf(server).usage.get();
    const [first, second] = server.seen;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('beyond the limit ends the call at once, and is reported', async () => {
    await using server = await startScriptedServer(answer(429, 'rate_limited', { 'retry-after': '61' }));
    await expect(clientOf(server).usage.get()).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterSeconds: 61,
    });
    expect(server.seen).toHaveLength(1);
  });
});
