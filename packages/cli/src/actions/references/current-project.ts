// Which project a command is about.

import type { EnvSnap } from '@envsnap/sdk';
import type { Connection } from '../../connection/settings.ts';

/** The project that was named, else the one of the key: from the profile when the key is from there, else asked. */
export async function projectOf(
  client: EnvSnap,
  connection: Connection,
  named?: string | undefined,
): Promise<string> {
  return named ?? connection.projectId ?? (await client.keys.current()).projectId;
}
