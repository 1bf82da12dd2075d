// One delivery attempt: signs the body, sends it, and says how it went. Knows nothing of queues and retries.

import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type HmacSha256, signWebhook } from '@envsnap/shared';
import { parseRetryAfter } from '@envsnap/shared/retry-after';
import type { Clock } from '../infra/clock.ts';
import { request as httpRequest } from '../infra/http/node-http.ts';
import { type AttemptFailure, describeFailure, failureOfStatus } from './attempt-failure.ts';
import { type ConnectionDeps, ConnectionFailedError, openGuardedConnection } from './guarded-connection.ts';

/** More of an answer's body than this is not read, in bytes. What is read is dropped: only the status counts. */
const maxBodyBytes = 16 * 1024;
/** Longest wait for the rest of an answer whose status is known, in milliseconds. */
const maxDrainMs = 1000;

/** What to send, and where. */
interface DeliveryRequest {
  readonly url: string;
  readonly secret: string;
  /** Value of `webhook-id`. */
  readonly eventId: string;
  /** The exact body. */
  readonly payload: string;
  /** The trace that the attempt belongs to, sent along. */
  readonly traceparent?: string | undefined;
}

/** How an attempt went. */
export interface AttemptOutcome {
  readonly success: boolean;
  /** Null when no answer came. */
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** When the attempt began, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly retryAfterMs: number | undefined;
  /** Undefined on success. */
  readonly failure: AttemptFailure | undefined;
}

/** Makes one attempt. Never throws for what the other side does; rejects with the signal's reason when aborted. */
export type Deliver = (delivery: DeliveryRequest, signal?: AbortSignal) => Promise<AttemptOutcome>;

interface DeliverDeps extends ConnectionDeps {
  readonly clock: Clock;
  /** Time limit of one attempt, from the look-up of the host to the answer's headers, in milliseconds. */
  readonly timeoutMs: number;
}

class DeadlineError extends Error {}

/**
 * Creates the function that makes attempts. Each has a connection of its own, opened past every agent, so neither
 * proxy settings of the environment nor a pooled connection can lead it around the guard; redirects are not followed.
 */
export function createDeliver(deps: DeliverDeps): Deliver {
  const { timeoutMs } = deps;
  return async (delivery, signal) => {
    const startedAtMs = deps.clock.nowMs();
    const started = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new DeadlineError()), timeoutMs);
    const cancel = () => deadline.abort(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      const { statusCode = 0, headers } = await send(delivery, deps, startedAtMs, deadline.signal);
      const failure = failureOfStatus(statusCode);
      return {
        success: failure === undefined,
        responseStatus: statusCode,
        durationMs: Math.round(performance.now() - started),
        startedAtMs,
        retryAfterMs: failure && parseRetryAfter(headers['retry-after'], deps.clock.nowMs()),
        failure,
      };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return {
        success: false,
        responseStatus: null,
        durationMs: Math.round(performance.now() - started),
        startedAtMs,
        retryAfterMs: undefined,
        failure: failureOfError(error, timeoutMs),
      };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  };
}

const hmacSha256: HmacSha256 = (key, content) => createHmac('sha256', key).update(content).digest();

async function send(
  delivery: DeliveryRequest,
  deps: DeliverDeps,
  startedAtMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(delivery.url);
  const body = Buffer.from(delivery.payload);
  const timestampSeconds = Math.floor(startedAtMs / 1000);
  const signatures = await signWebhook(
    { id: delivery.eventId, timestampSeconds, body, secret: delivery.secret },
    hmacSha256,
  );
  const socket = await openGuardedConnection(url, deps, signal);
  const request = httpRequest({
    createConnection: () => socket,
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: {
      host: url.host,
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'envsnap-webhooks',
      accept: '*/*',
      connection: 'close',
      ...(delivery.traceparent !== undefined && { traceparent: delivery.traceparent }),
      ...signatures,
    },
  });
  try {
    const response = await answerOf(request, body, signal);
    await drain(response, signal);
    return response;
  } finally {
    end(request, socket);
  }
}

function answerOf(request: ClientRequest, body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    request.once('response', resolve);
    // Stays for good: errors after the answer or the abort have no other listener.
    request.on('error', reject);
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('the connection was closed without an answer'));
    });
    request.end(body);
  });
}

/** Lets the receiver finish a short answer; a long, slow or broken one is cut off. Its status stands either way. */
function drain(response: IncomingMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, maxDrainMs);
    signal.addEventListener('abort', finish, { once: true });
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) finish();
    });
    response.on('error', finish).once('close', finish).once('end', finish);
  });
}

function end(request: ClientRequest, socket: Socket): void {
  request.destroy();
  socket.destroy();
}

function failureOfError(error: unknown, timeoutMs: number): AttemptFailure {
  if (error instanceof DeadlineError) return describeFailure('timeout', `no answer within ${timeoutMs} ms`);
  if (error instanceof ConnectionFailedError) return error.failure;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return describeFailure('protocol', `the answer is not valid HTTP (${code})`);
  return describeFailure('closed', `the connection ended before an answer came${code ? ` (${code})` : ''}`);
}
