// Makes the SDK's client for a connection. The only file that loads the SDK for the commands.

import { EnvSnap } from '@envsnap/sdk';
import { version } from '../program.ts';
import { waitingFor } from '../terminal/interrupt.ts';
import type { Connection } from './settings.ts';

/** How the program names itself to servers. */
export const userAgent = `envsnap/${version}`;

/** A person at a terminal sees how long a longer wait is, and decides; the program itself waits only for shorter ones. */
export const maxRetryAfterSeconds = 3;

/** A client of the server of a connection. */
export function createClient(connection: Pick<Connection, 'baseUrl' | 'apiKey'>): EnvSnap {
  const { apiKey, baseUrl } = connection;
  return new EnvSnap({
    apiKey,
    baseUrl,
    userAgent,
    maxRetryAfterSeconds,
    fetch: (input, init) => waitingFor(() => fetch(input, init)),
  });
}
