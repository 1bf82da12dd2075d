// Warns of what a call sent and the server does not know: a mistyped name, or a server that is older than this SDK.

import type { CalledOperation } from './transport-event.ts';

/** What was warned of. A server that makes names up is not listened to forever. */
const warned = new Set<string>();
const mostWarnings = 100;

/** Prints each name of the header `X-Ignored-Parameters` once in the life of the program. */
export function warnOfIgnored(operation: CalledOperation, header: string | null): void {
  for (const name of header?.split(', ') ?? []) {
    if (warned.has(name) || warned.size === mostWarnings) continue;
    warned.add(name);
    console.warn(`envsnap: the server does not know "${name}" and ignored it (${operation})`);
  }
}
