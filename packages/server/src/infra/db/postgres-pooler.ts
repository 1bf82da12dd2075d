// Detects a pooler such as PgBouncer in front of PostgreSQL. In its transaction mode, each transaction may use another
// connection of PostgreSQL, so settings and prepared statements may be missing the next time.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readBudget } from './postgres-connections.ts';

export interface Pooler {
  /** Whether it provides named statements on every connection of PostgreSQL. */
  readonly keepsStatements: boolean;
}

interface ExaminedServer {
  /** The version of PostgreSQL, as in `server_version_num`: 150018 is 15.18. */
  readonly version: number;
  /** Undefined if there is no detectable pooler. */
  readonly pooler: Pooler | undefined;
  /** Connections that all servers may open, and those that PostgreSQL has left for them. A pooler has its own. */
  readonly budget: { readonly servers: number; readonly mayOpen: number; readonly left: number };
}

/** Connects once to detect it. `limits` are parameters of the connection that a pooler may refuse. */
export async function examineServer(
  config: pg.ClientConfig,
  limits: pg.ClientConfig,
): Promise<ExaminedServer> {
  const client = await connect({ ...config, ...limits }).catch((error: unknown) => {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return connect(config);
    throw error;
  });
  try {
    const { rows } = await client.query<{ version: number; pid: number }>(
      "select current_setting('server_version_num')::int as version, pg_backend_pid() as pid",
    );
    const { version = 0, pid } = rows[0] ?? {};
    // A pooler fronts many PostgreSQL processes, so the process number that it reports is its own.
    const { processID } = client as unknown as { processID: number | null };
    const budgets = await client.query(readBudget);
    return {
      version,
      budget: budgets.rows[0],
      pooler: processID === pid ? undefined : { keepsStatements: await keepsStatements(client) },
    };
  } finally {
    await client.end();
  }
}

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** A pooler that keeps statements renames them; one that does not passes ours on unchanged. */
async function keepsStatements(client: pg.Client): Promise<boolean> {
  const name = `envsnap_probe_${randomBytes(8).toString('hex')}`;
  await client.query('BEGIN');
  await client.query({ name, text: 'select 1' });
  const { rows } = await client.query('select 1 from pg_prepared_statements where name = $1', [name]);
  const isHandedOn = rows.length > 0;
  // The pooler gives the connection to others.
  if (isHandedOn) await client.query(`DEALLOCATE ${name}`);
  await client.query('COMMIT');
  return !isHandedOn;
}
