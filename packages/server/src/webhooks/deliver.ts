// One delivery attempt: signs the body, sends it, and says how it went. Knows nothing of queues and retries.

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type HmacSha256, signWebhook } from '@envsnap/shared';
import { parseRetryAfter } from '@envsnap/shared/retry-after';
import type { Clock } from '../infra/clock.ts';
import { request as httpRequest } from '../infra/http/node-http.ts';
import { type AttemptFailure, describeFailure, failureOfStatus } from './attempt-failure.ts';
import { type ConnectionDeps, ConnectionFailedError, openGuardedConnection } from './guarded-connection.ts';

/** Maximum bytes that are read of a response's body; only the status counts. */
const maxBodyBytes = 16 * 1024;
/** Maximum number of interim responses (`103 Early Hints`): each costs this server time, and a receiver can send them forever. */
const maxInterim = 10;
/** Longest wait for the rest of a response whose status is known, in milliseconds. */
const maxDrainMs = 1000;

interface DeliveryRequest {
  readonly url: string;
  readonly secret: string;
  /** Value of `webhook-id`. */
  readonly eventId: string;
  readonly payload: string;
  /** The trace that the attempt belongs to, sent along. */
  readonly traceparent?: string | undefined;
}

export interface AttemptOutcome {
  readonly success: boolean;
  /** Null if there was no response. */
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** When the attempt began, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly retryAfterMs: number | undefined;
  readonly failure: AttemptFailure | undefined;
}

/** Makes one attempt. Never throws for what the other side does; rejects with the signal's reason when aborted. */
export type Deliver = (delivery: DeliveryRequest, signal?: AbortSignal) => Promise<AttemptOutcome>;

interface DeliverDeps extends ConnectionDeps {
  readonly clock: Clock;
  /** Time limit of one attempt, from the lookup of the host to the response's headers, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Creates the function that makes attempts. Each has its own connection, opened past every agent, so neither
 * proxy settings of the environment nor a pooled connection can lead it around the guard; redirects are not followed.
 */
export function createDeliver(deps: DeliverDeps): Deliver {
  const { clock, timeoutMs } = deps;
  return async (delivery, signal) => {
    const startedAtMs = clock.nowMs();
    const started = performance.now();
    const deadline = new AbortController();
    const abort = () => deadline.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    let answer: Pick<IncomingMessage, 'statusCode' | 'headers'> | undefined;
    let failure: AttemptFailure | undefined;
    try {
      answer = await send(delivery, deps, startedAtMs, deadline.signal);
      failure = failureOfStatus(answer.statusCode ?? 0);
    } catch (error) {
      signal?.throwIfAborted();
      failure = deadline.signal.aborted
        ? describeFailure('timeout', `no response within ${timeoutMs} ms`)
        : failureOfError(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
    return {
      success: failure === undefined,
      responseStatus: answer?.statusCode ?? null,
      durationMs: Math.round(performance.now() - started),
      startedAtMs,
      retryAfterMs: failure && answer && parseRetryAfter(answer.headers['retry-after'], clock.nowMs()),
      failure,
    };
  };
}

const hmacSha256: HmacSha256 = (key, content) => createHmac('sha256', key).update(content).digest();

async function send(
  { url: address, eventId: id, payload, secret, traceparent }: DeliveryRequest,
  deps: DeliverDeps,
  startedAtMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(address);
  const body = Buffer.from(payload);
  const timestampSeconds = Math.floor(startedAtMs / 1000);
  const signatures = await signWebhook({ id, timestampSeconds, body, secret }, hmacSha256);
  const socket = await openGuardedConnection(url, deps, signal);
  const request = httpRequest({
    createConnection: () => socket,
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    setHost: false,
    signal,
    headers: {
      host: url.host,
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'envsnap-webhooks',
      accept: '*/*',
      connection: 'close',
      ...(traceparent !== undefined && { traceparent }),
      ...signatures,
    },
  });
  // This listener stays: errors after the response or the abort have no other one.
  request.on('error', () => undefined);
  let interim = 0;
  request.on('information', () => {
    interim += 1;
    if (interim > maxInterim) request.destroy();
  });
  try {
    // A response that switches protocols closes the request without an error.
    const closed = once(request, 'close').then(() => Promise.reject(new Error('closed without a response')));
    const answered = once(request, 'response');
    request.end(body);
    const [response] = (await Promise.race([answered, closed])) as [IncomingMessage];
    await drain(response);
    return response;
  } finally {
    request.destroy();
    socket.destroy();
  }
}

/** Lets the receiver finish a short response; a long, slow or broken one is cut off. Its status counts either way. */
async function drain(response: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => response.destroy(), maxDrainMs);
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBodyBytes) return;
    }
  } catch {
    // It is not read any further.
  } finally {
    clearTimeout(timer);
  }
}

function failureOfError(error: unknown): AttemptFailure {
  if (error instanceof ConnectionFailedError) return error.failure;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return describeFailure('protocol', `the response is not valid HTTP (${code})`);
  return describeFailure(
    'closed',
    `the connection ended before a response arrived${code ? ` (${code})` : ''}`,
  );
}
