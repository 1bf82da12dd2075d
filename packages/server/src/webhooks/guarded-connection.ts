// Opens the connection of a delivery, only to permitted addresses. Deliveries have no other way to the network.

import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type AttemptFailure, describeFailure, failureOfRefusal } from './attempt-failure.ts';
import type { ResolveHost } from './resolve-host.ts';
import type { TargetGuard } from './target-guard.ts';

/** Time for one of several addresses. Node.js's default of 250 ms is too short for distant endpoints. */
const addressTimeoutMs = 2500;

type OpenSocket = (options: TcpNetConnectOpts) => Socket;

export interface ConnectionDeps {
  readonly guard: TargetGuard;
  readonly resolveHost: ResolveHost;
  readonly openSocket?: OpenSocket;
}

export class ConnectionFailedError extends Error {
  override readonly name = 'ConnectionFailedError';
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure, cause?: unknown) {
    super(failure.text, { cause });
    this.failure = failure;
  }
}

/**
 * Connects to the URL's host, with TLS for https. It checks the literal address, or every address that the name resolves to, and
 * tries only permitted ones. It checks the address of the connected socket again before a byte is sent, so a resolver that
 * changes its answer gains nothing. `signal` ends the attempt at any point. Throws ConnectionFailedError, or the signal's reason.
 */
export async function openGuardedConnection(
  url: URL,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await permittedAddresses(host, deps, signal);
  const socket = (deps.openSocket ?? connectTcp)({
    host,
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    // Called for names only; a literal address has already been checked.
    lookup: (_host, _options, callback) => callback(null, addresses.slice()),
  });
  await opened(socket, 'connect', signal, 'connect');
  const remote = deps.guard.judge(socket.remoteAddress ?? '');
  if (!remote.allowed) {
    socket.destroy();
    throw new ConnectionFailedError(failureOfRefusal(host, remote.kind, isIP(host) !== 0));
  }
  if (url.protocol !== 'https:') return socket;
  const encrypted = connectTls({
    socket,
    host,
    // A literal address must not be sent as a server name; the certificate is checked against `host` then.
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
  await opened(encrypted, 'secureConnect', signal, 'tls');
  return encrypted;
}

async function permittedAddresses(
  host: string,
  { guard, resolveHost }: ConnectionDeps,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  const found = family === 0 ? await resolve(host, resolveHost, signal) : [{ address: host, family }];
  const permitted = found.filter(({ address }) => guard.judge(address).allowed);
  const [first] = found;
  if (!first) throw new ConnectionFailedError(describeFailure('dns', `${host} has no address`));
  if (permitted.length === 0) {
    const { kind } = guard.judge(first.address);
    throw new ConnectionFailedError(failureOfRefusal(host, kind, family !== 0));
  }
  return permitted;
}

async function resolve(
  host: string,
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  // A lookup cannot be cancelled, so a late answer is ignored.
  const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason));
  try {
    return await Promise.race([resolveHost(host), aborted]);
  } catch (error) {
    signal.throwIfAborted();
    const failure = describeFailure('dns', `${host} could not be resolved (${codeOf(error)})`);
    throw new ConnectionFailedError(failure, error);
  }
}

async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  reason: 'connect' | 'tls',
): Promise<void> {
  // This listener stays, because a destroyed socket may still report an error that nothing else would catch.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw new ConnectionFailedError(describeFailure(reason, `could not connect (${codeOf(error)})`), error);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(codeOf))].join(', ');
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : 'unknown error';
}
