// The context of a request while the server handles it: kept on Express's request, under one symbol.

import type { IncomingMessage } from 'node:http';
import type { Operation, Role } from '@envsnap/shared';

/** Who calls: a key, its project and its role there, with the project's request limits. */
export interface Principal {
  readonly apiKeyId: string;
  /** The console session that acts for the key, if there is one. */
  readonly sessionId?: string;
  readonly projectId: string;
  readonly role: Role;
  readonly maxRequestsPerMinute: number;
  readonly maxRequestsPerDay: number;
  /** Who created the project: the address of a bootstrap, also for projects created with its keys. */
  readonly payer: string;
}

export interface RequestOrigin {
  /** The server's own id of the request, which no caller can choose. */
  readonly requestId: string;
  /** The caller's `X-Request-Id`, when it sent a well-formed one. */
  readonly clientRequestId: string | null;
  /** Address of the client, behind trusted proxies. */
  readonly clientAddress: string;
}

export interface RequestContext {
  /** Id of the request as responses and the log show it: the caller's own, if it sent one. */
  readonly requestId: string;
  readonly origin: RequestOrigin;
  readonly address: string;
  readonly arrivedMs: number;
  /** The unit for limits without a key: the IPv4 address, or the IPv6 network. */
  readonly clientAddress: string;
  /** Path as requested, without the query. */
  readonly path: string;
  operation: Operation | undefined;
  /** The template of the path, for the log; also known when no operation has the method. */
  route: string | undefined;
  principal: Principal | undefined;
  refusedBy: 'minute' | 'day' | undefined;
  /** Reserves memory for the request until its response has been read. Errors: `server_busy`. */
  readonly hold: (bytes: number) => void;
  /** The same for bytes of a body that have arrived; one payer gets at most a quarter of the memory. */
  readonly holdBody: (bytes: number) => void;
  /** SHA-256 of the body's meaning, if there is an `Idempotency-Key`. */
  bodyDigest: Uint8Array | undefined;
}

const contextKey = Symbol('envsnap request context');
type WithContext = IncomingMessage & { [contextKey]?: RequestContext };

export function attachContext(request: IncomingMessage, context: RequestContext): void {
  (request as WithContext)[contextKey] = context;
}

export function contextOf(request: IncomingMessage): RequestContext {
  const context = (request as WithContext)[contextKey];
  if (!context) throw new Error('the request has no context; begin-request must run first');
  return context;
}
