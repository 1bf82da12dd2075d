// Distinguishes callers of this machine from requests that a proxy forwards.

import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** Headers that proxies add. A proxy on this machine that adds none of them counts as a direct caller. */
const proxyHeaders =
  'forwarded via x-forwarded-for x-forwarded-host x-forwarded-prefix x-forwarded-proto x-real-ip'.split(' ');

export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return proxyHeaders.some((name) => headers[name] !== undefined);
}

/** Whether a request comes from this machine itself, through no proxy. */
export function isDirectCaller({ socket, headers }: IncomingMessage): boolean {
  if (isForwarded({ headers })) return false;
  if (socket.remoteAddress === undefined) return false;
  const address = socket.remoteAddress.replace(/^::ffff:/i, '');
  const isLoopback = address === '::1' || (isIPv4(address) && address.startsWith('127.'));
  // A connection from this machine to one of its addresses comes from the same address.
  return isLoopback || socket.remoteAddress === socket.localAddress;
}
