// The life of the server process: open, migrate, listen, and on a signal stop without losing what is in flight.

import { createService } from './compose.ts';
import type { Config } from './config.ts';
import { createBlobLedger } from './files/blob-ledger.ts';
import { openFileStore } from './files/open-file-store.ts';
import { openKeyring, readKeySetting, recordKeyring } from './infra/crypto/keyring.ts';
import { prepareDataDir } from './infra/data-dir.ts';
import { openDatabase } from './infra/db/connection.ts';
import { migrate } from './infra/db/migrate.ts';
import { checkAddress, listen } from './infra/http/http-server.ts';
import type { Logger } from './infra/logger.ts';
import { createMetricsApp } from './metrics/routes.ts';
import { version } from './version.ts';

/** Milliseconds that requests in flight have to finish once the server is told to stop. */
const graceMs = 10_000;

export interface RunningServer {
  readonly url: string;
  /** Stops once; later calls wait for the same end. */
  stop(): Promise<void>;
}

/** Starts the server. Errors: StartupError, before anything is written where the configuration is at fault. */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  if (config.encryptionKey !== undefined || config.databaseUrl !== undefined) {
    readKeySetting(config.encryptionKey);
  }
  await checkAddress(config);
  if (config.databaseUrl === undefined || config.fileStore.kind === 'disk') prepareDataDir(config.dataDir);
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    onConnectionLost: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });
  try {
    const keyring = await openKeyring(database, {
      setting: config.encryptionKey,
      generatedIn: config.databaseUrl === undefined ? config.dataDir : undefined,
    });
    await migrate(database);
    await recordKeyring(database, keyring);
    const fileStore = await openFileStore(config.fileStore, config.dataDir);
    const service = createService({ config, database, keyring, fileStore, logger });
    const metricsHttp =
      typeof config.metrics === 'number'
        ? await listen(createMetricsApp(service.metrics), { host: config.host, port: config.metrics })
        : undefined;
    const http = await listen(service.app, config).catch(async (error: unknown) => {
      await metricsHttp?.stop(0);
      throw error;
    });
    try {
      // Nobody else works on an embedded database: what is unfinished there belongs to a server that was killed.
      if (config.databaseUrl === undefined) await createBlobLedger(database).giveUpAll();
    } catch (error) {
      await Promise.all([http.stop(0), metricsHttp?.stop(0)]);
      throw error;
    }
    service.start();
    logger.info({ version, url: http.url, database: database.dialect.name }, 'listening');
    let stopped: Promise<void> | undefined;
    return {
      url: http.url,
      stop() {
        stopped ??= (async () => {
          service.beginStop();
          await http.stop(graceMs);
          await service.finishStop();
          await metricsHttp?.stop(0);
          await database.close();
          logger.info('stopped');
        })();
        return stopped;
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
