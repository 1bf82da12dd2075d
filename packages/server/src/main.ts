// The life of the server process: open, migrate, listen, and on a signal stop without losing what is in flight.

import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from './compose.ts';
import { type Config, keyringOptions, usesDataDir } from './config.ts';
import { giveUpAllUploads } from './files/blob-ledger.ts';
import { openFileStore } from './files/open-file-store.ts';
import { openKeyring, readKeySetting, recordKeyring } from './infra/crypto/keyring.ts';
import { isOpenToOthers, prepareDataDir } from './infra/data-dir.ts';
import { type DataDirLock, lockDataDir } from './infra/data-dir-lock.ts';
import { openDatabase } from './infra/db/connection.ts';
import type { Database } from './infra/db/database.ts';
import { readDatabaseClock } from './infra/db/database-clock.ts';
import { migrate, migrationStatus, refuseNewer } from './infra/db/migrate.ts';
import { uncountedHeaders } from './infra/http/admission.ts';
import { listen } from './infra/http/http-server.ts';
import type { Logger } from './infra/logger.ts';
import { version } from './version.ts';

/** Milliseconds that requests in flight have to finish once the server is asked to stop. */
const graceMs = 10_000;
/** Milliseconds for the last writes after that: a silent database must not keep the process. */
const finishMs = 5000;

interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the server. Errors: StartupError, for a wrong configuration before anything is written. */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  if (config.encryptionKey !== undefined || config.databaseUrl !== undefined) {
    readKeySetting(config.encryptionKey);
  }
  // Its code is loaded only if it is used.
  const traces = config.telemetry && (await import('./traces.ts')).openTraces(config.telemetry, logger);
  // The ports come first: when one is taken, no folder has been made and no database touched.
  const api = await bind(config, uncountedHeaders(config.projectDefaults.maxRequestsPerMinute));
  const metricsPort = await bindMetrics(config).catch(async (error: unknown) => {
    await api.http.stop(0);
    throw error;
  });
  let database: Database | undefined;
  let lock: DataDirLock | undefined;
  try {
    const usesFolder = usesDataDir(config);
    if (usesFolder) prepareDataDir(config.dataDir);
    // Servers on PostgreSQL may share a folder of files; an embedded database has one server.
    if (config.databaseUrl === undefined) lock = lockDataDir(config.dataDir, api.http.url);
    const opened = await openDatabase({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      keepsReserve: true,
      poolSize: config.databasePoolSize,
      onWarning: (details, message) => logger.warn(details, message),
    });
    database = opened;
    if (opened.notice !== undefined) logger.error(opened.notice);
    refuseNewer(await migrationStatus(opened));
    // Everything is checked before the schema changes: an old server can continue with a database that this one has not touched.
    const fileStore = await openFileStore(config, (reason) =>
      logger.error({ reason }, 'the file store cannot be reached: requests for files get 503 until it can'),
    );
    const keyring = await openKeyring(opened, keyringOptions(config));
    await migrate(opened, undefined, (migration, ms) => logger.info({ migration, ms, version }, 'migrated'));
    await recordKeyring(opened, keyring);
    // Nobody else works on an embedded database, so unfinished work there is that of a killed server.
    if (config.databaseUrl === undefined) await opened.run(giveUpAllUploads);
    const clock = await readDatabaseClock(opened);
    const service = createService({ config, database: opened, keyring, fileStore, logger, clock, traces });
    metricsPort?.serve(service.metricsApp);
    api.serve(service.app);
    service.start();
    logger.info({ version, url: api.http.url, database: opened.dialect.name }, 'listening');
    if (usesFolder && isOpenToOthers(config.dataDir)) {
      logger.warn(
        { dataDir: config.dataDir },
        'other users can read the data folder; chmod 700 keeps them out',
      );
    }
    let stopped: Promise<void> | undefined;
    return {
      url: api.http.url,
      stop() {
        stopped ??= (async () => {
          service.beginStop();
          await api.http.drain(config.drainSeconds * 1000);
          await api.http.stop(graceMs);
          await metricsPort?.http.stop(0);
          // Like after a kill, the next start takes care of unfinished work.
          const finish = async () => {
            await service.finishStop();
            await traces?.stop();
            await opened.close();
          };
          const failure = await settledWithin(finish(), finishMs);
          if (failure === undefined) logger.info('stopped');
          else logger.error({ err: failure }, 'stopped, but not everything was finished');
          lock?.release();
        })();
        return stopped;
      },
    };
  } catch (error) {
    await Promise.all([api.http.stop(0), metricsPort?.http.stop(0)]);
    await database?.close();
    lock?.release();
    throw error;
  }
}

/** The error of `work`, or an error that it took too long; undefined if it succeeded. */
function settledWithin(work: Promise<void>, ms: number): Promise<unknown> {
  const late = new Error(`did not stop within ${ms} ms: the database does not respond`);
  return Promise.race([work.catch((error: unknown) => error), sleep(ms, late, { ref: false })]);
}

/** Listens; requests that come before `serve` has been called wait for it. */
async function bind(address: { host: string; port: number }, headers: Readonly<Record<string, string>> = {}) {
  const serving = Promise.withResolvers<RequestListener>();
  let listener: RequestListener = (request, response) =>
    void serving.promise.then((made) => made(request, response));
  const http = await listen((request, response) => listener(request, response), address, headers);
  const serve = (made: RequestListener) => {
    listener = made;
    serving.resolve(made);
  };
  return { http, serve };
}

async function bindMetrics({ host, metrics }: Config) {
  return typeof metrics === 'number' ? bind({ host, port: metrics }) : undefined;
}
