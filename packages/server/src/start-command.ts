// `envsnap-server start`: runs the server until a signal ends it.

import { isBootstrapExposed, listUnknownSettings, loadConfig } from './config.ts';
import { createLogger, flushLogger } from './infra/logger.ts';
import { startServer } from './main.ts';

interface StartFlags {
  host?: string;
  port?: string;
  dataDir?: string;
  databaseUrl?: string;
}

/** Starts the server, and ends the process on SIGTERM and SIGINT. Errors: StartupError. */
export async function runStart(flags: StartFlags): Promise<void> {
  const config = loadConfig(process.env, flags);
  const logger = createLogger({ level: config.logLevel });
  const unknown = listUnknownSettings(process.env);
  if (unknown.length > 0) logger.warn({ unknown }, 'the server knows no such settings; are they misspelled?');
  if (isBootstrapExposed(config)) {
    logger.warn(
      { host: config.host },
      'anyone who can reach this address can create projects without a key; set ENVSNAP_BOOTSTRAP to token or closed',
    );
  }
  const server = await startServer(config, logger);

  async function stop(signal: NodeJS.Signals): Promise<void> {
    logger.info({ signal }, 'stopping');
    await server.stop();
    await flushLogger(logger);
    process.exit(0);
  }
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Last, because a reader of this line may send a signal.
  process.stdout.write(`envsnap-server listening on ${server.url}\n`);
}
