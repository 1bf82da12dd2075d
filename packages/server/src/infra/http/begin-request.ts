// First step of every request: its id, its context, and the notice of its end for the log.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { type ByteBudget, createByteBudget, createPayersBudgets, freeBytes } from './byte-budget.ts';
import { attachContext, type RequestContext } from './request-context.ts';

/** The record of a request whose response was sent or whose connection is gone. */
export interface FinishedRequest {
  readonly context: RequestContext;
  readonly method: string;
  /** Status of the response; 499 if the caller disconnected before there was one. */
  readonly status: number;
  readonly arrivedMs: number;
  readonly durationMs: number;
}

/** The beginning of the path of a share. The token after it must not be logged: anyone who reads it can open the page. */
export const sharePathStart = '/share/';

export type OnFinished = (request: FinishedRequest) => void;

/** Ids that callers may choose: visible characters that are safe in logs and headers. docs/specification.md §9. */
const wellFormedRequestId = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The share of the budget for all callers without a key. The rest is for identified callers. */
const strangersPart = 1 / 8;
const payersPart = 1 / 4;

/** Gives the request its context and `X-Request-Id`, and calls `onFinished` once at its end. */
export function createBeginRequest(onFinished: OnFinished, budget: ByteBudget, clock: Clock): RequestHandler {
  const strangers = createByteBudget(budget.limitBytes * strangersPart);
  const payers = createPayersBudgets(budget.limitBytes * payersPart);
  return (request, response, next) => {
    // Read here, not computed at the end: after rounding twice, the second of two requests could appear to be the first.
    const arrivedMs = clock.nowMs();
    const startedMs = performance.now();
    const sent = request.headers['x-request-id'];
    const clientRequestId = typeof sent === 'string' && wellFormedRequestId.test(sent) ? sent : null;
    const ownRequestId = randomUUID();
    const requestId = clientRequestId ?? ownRequestId;
    const queryStart = request.url.indexOf('?');
    const connected = request.socket.remoteAddress ?? 'unknown';
    // Finding the caller behind a proxy costs more than everything else here.
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    const address = clientAddress((isForwarded && request.ip) || connected, connected);
    const context: RequestContext = {
      requestId,
      origin: { requestId: ownRequestId, clientRequestId, clientAddress: address },
      address,
      arrivedMs,
      clientAddress: limitSubject(address),
      path: withoutToken(queryStart < 0 ? request.url : request.url.slice(0, queryStart)),
      operation: undefined,
      route: undefined,
      principal: undefined,
      refusedBy: undefined,
      hold(bytes) {
        if (bytes <= freeBytes) return;
        if (!context.principal) strangers.hold(response, bytes);
        budget.hold(response, bytes);
      },
      holdBody(bytes) {
        if (bytes <= freeBytes) return;
        const payer = context.principal?.payer;
        if (payer !== undefined) payers.hold(payer, response, bytes);
        context.hold(bytes);
      },
      bodyDigest: undefined,
    };
    attachContext(request, context);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.once('close', () => {
      onFinished({
        context,
        method: request.method,
        status: response.writableFinished || response.headersSent ? response.statusCode : 499,
        arrivedMs,
        durationMs: performance.now() - startedMs,
      });
    });
    next(findHostProblem(request) ?? findCodingProblem(request));
  };
}

/**
 * A path for logs and traces: without anything after `/share/`, because a token works in any encoding and with anything that a
 * chat appends to its link. Texts elsewhere that look like a token or a key are left out too.
 */
function withoutToken(path: string): string {
  return path.replace(/(?<=\/share)(?:\/|%2f).*/i, '/…').replace(/[\w-]{43,}/g, '…');
}

/** With two `Host` headers, or none, a proxy and this server may disagree about a request. RFC 9112 §3.2. */
function findHostProblem({ rawHeaders, httpVersion }: IncomingMessage): AppError | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return new AppError('malformed_request', 'A request must not have several Host headers');
  if (hosts === 1 || httpVersion !== '1.1') return undefined;
  return new AppError('malformed_request', 'An HTTP/1.1 request needs a Host header');
}

/** `chunked` is the only transfer coding that is read here, and HTTP/1.0 has none. RFC 9112 §6.1. */
function findCodingProblem({ headers, httpVersion }: IncomingMessage): AppError | undefined {
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (coding === undefined || (coding === 'chunked' && httpVersion === '1.1')) return undefined;
  const message = 'Transfer-Encoding must be chunked, in HTTP/1.1, or absent';
  return new AppError('malformed_request', message, undefined, { headers: { Connection: 'close' } });
}

/** Path and query of a request target; an absolute URL, as proxies send it, loses its host, every target its fragment. */
export function originForm(target: string): string {
  const fragment = target.indexOf('#');
  const withoutFragment = fragment < 0 ? target : target.slice(0, fragment);
  if (withoutFragment.startsWith('/')) return withoutFragment;
  const rest = withoutFragment.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  return rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
}

/**
 * The address of a client; IPv4 as such, also if mapped into IPv6. A proxy's value may have a port (`192.0.2.1:4711`,
 * `[2001:db8::1]:4711`); if it is not an address, the proxy's own is used.
 */
function clientAddress(forwarded: string, connected: string): string {
  if (isIPv4(forwarded)) return forwarded;
  const stripped = forwarded.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([^:]+):\d+$/, '$1');
  const address = isIP(stripped) ? stripped : connected;
  const bare = address.split('%', 1)[0] as string;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  return mapped ? (mapped[1] as string) : bare.toLowerCase();
}

/** The unit to which limits on addresses apply: an IPv4 address, or the /64 network of an IPv6 address. */
function limitSubject(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::') as [string, string?];
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}
