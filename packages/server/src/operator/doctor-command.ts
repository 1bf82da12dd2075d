// `envsnap-server doctor`: checks everything that the service depends on, and says what is wrong and what to do.

import { existsSync, statSync } from 'node:fs';
import { type Config, keyringOptions, usesDataDir } from '../config.ts';
import type { FileStore } from '../files/file-store.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { toTimestamp } from '../infra/clock.ts';
import { createDataKeys } from '../infra/crypto/data-keys.ts';
import { openKeyring } from '../infra/crypto/keyring.ts';
import { sealedStreamBytes } from '../infra/crypto/sealed-stream.ts';
import { freeBytesOf, isOpenToOthers, listForeignFiles, prepareDataDir } from '../infra/data-dir.ts';
import { openDatabase } from '../infra/db/connection.ts';
import type { Database } from '../infra/db/database.ts';
import { type DatabaseClock, describeSkew, readDatabaseClock } from '../infra/db/database-clock.ts';
import { migrationStatus, refuseNewer } from '../infra/db/migrate.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';
import { listStaleMachines, recountMachines } from '../snapshots/machine-counts.ts';
import { recordOperation } from './operator-audit.ts';
import {
  embeddedDatabaseFile,
  loadOperatorConfig,
  type OperatorFlags,
  requireDatabase,
} from './operator-session.ts';
import { columns, count, print } from './print.ts';
import { correctCounters, listMiscounts, type Miscount } from './recount.ts';

/** The result of a check, with its message: `fixed` is a problem that `--fix` has removed. */
type Verdict = readonly [status: 'ok' | 'warning' | 'problem' | 'fixed', text: string];

interface Patient {
  readonly database: Database;
  readonly config: Config;
  readonly fix: boolean;
  readonly clock: DatabaseClock;
}

type Check = (patient: Patient) => Promise<Verdict | readonly Verdict[]>;

const minFreeBytes = 500 * 1024 * 1024;

const listProjectIds = defineSql<NoParams, { project_id: string }>(
  'select project_id from data_keys order by project_id',
);

const countOverdue = defineSql<{ beforeMs: number }, { total: number }>(
  "select count(*) as total from webhook_deliveries where state = 'pending' and next_attempt_at < :beforeMs",
);

const tenMinutesMs = 600_000;
const weekMs = 7 * 24 * 3_600_000;
const namedKeys = 20;

const listExpiringKeys = defineSql<
  { nowMs: number; beforeMs: number },
  { id: string; project_id: string; label: string | null; expires_at: number }
>(
  `select id, project_id, label, expires_at from api_keys
  where expires_at > :nowMs and expires_at <= :beforeMs order by expires_at limit ${namedKeys}`,
);

/** The checks of a database whose schema is this program's. */
const checks: Readonly<Record<string, Check>> = {
  async database({ database }) {
    const damage = await database.findDamage();
    return damage.length === 0
      ? ['ok', 'whole']
      : ['problem', `damaged, restore a backup: ${damage.join('; ')}`];
  },
  async encryption({ database, config }) {
    try {
      const dataKeys = createDataKeys(await openKeyring(database, keyringOptions(config)));
      const projects = await database.all(listProjectIds);
      for (const { project_id } of projects) await dataKeys.cipherOf(database, project_id);
      return ['ok', `${count(projects.length, 'data key')} can be opened`];
    } catch (error) {
      return ['problem', reasonOf(error)];
    }
  },
  async quotas({ database, fix }) {
    const miscounts = await listMiscounts(database);
    if (miscounts.length === 0) return ['ok', 'every counter agrees with a recount'];
    for (const { projectId } of fix ? miscounts : [])
      await database.transact((executor) => correctCounters(executor, projectId));
    return miscounts.map(({ projectId, counted, actual }) =>
      mended(fix, `project ${projectId} counts ${describeUsage(counted)} but holds ${describeUsage(actual)}`),
    );
  },
  async lists({ database, fix }) {
    const stale = await listStaleMachines(database);
    if (stale.length === 0) return ['ok', 'the counts of machines agree with the stored snapshots'];
    for (const projectId of fix ? stale : [])
      await database.transact((executor) => recountMachines(executor, projectId));
    return stale.map((projectId) =>
      mended(fix, `the counts of machines of project ${projectId} do not agree with its snapshots`),
    );
  },
  async files({ database, config, fix }) {
    try {
      const store = await openFileStore(config);
      const { total, missing, cut, stray } = await compareBlobs(database, store);
      const damaged = (ids: readonly string[], what: string) =>
        ids.map((id): Verdict => {
          const text = `file ${id} ${what} in ${store.location}: restore it from a backup, or delete it`;
          return ['problem', text];
        });
      const verdicts = [
        ...damaged(missing, 'has lost its bytes'),
        ...damaged(cut, 'has bytes of the wrong length'),
      ];
      for (const key of fix ? stray : []) await store.remove(key);
      if (stray.length > 0)
        verdicts.push(mended(fix, `${count(stray.length, 'stored file')} that nothing refers to`, 'warning'));
      return verdicts.length > 0 ? verdicts : ['ok', `${count(total, 'file')} in ${store.location}`];
    } catch (error) {
      return ['problem', reasonOf(error)];
    }
  },
  async clock({ clock }) {
    return clock.isOwnClockWrong() ? ['problem', describeSkew(clock)] : ['ok', "agrees with the database's"];
  },
  async webhooks({ database, clock }) {
    const overdue =
      (await database.get(countOverdue, { beforeMs: clock.nowMs() - tenMinutesMs }))?.total ?? 0;
    if (overdue === 0) return ['ok', 'no delivery is overdue'];
    const deliveries = overdue === 1 ? '1 delivery is' : `${overdue} deliveries are`;
    return ['warning', `${deliveries} overdue by ten minutes: is a server running?`];
  },
  async 'API keys'({ database, clock }) {
    const nowMs = clock.nowMs();
    const keys = await database.all(listExpiringKeys, { nowMs, beforeMs: nowMs + weekMs });
    if (keys.length === 0) return ['ok', 'none expires within a week'];
    return keys.map(({ id, project_id, label, expires_at }): Verdict => {
      const key = `${label === null ? '' : `${label}, `}key ${id} of project ${project_id}`;
      return ['warning', `${key}, expires at ${toTimestamp(expires_at)}: create its replacement before that`];
    });
  },
};

/** Runs the checks; exit code 7 if a problem is left. Errors: StartupError if there is no database. */
export async function runDoctor(flags: OperatorFlags & { fix?: boolean }): Promise<void> {
  const config = loadOperatorConfig(flags);
  requireDatabase(config);
  const findings: { check: string; status: Verdict[0]; text: string }[] = [];
  const note = (check: string, found: Verdict | readonly Verdict[]) => {
    const verdicts = typeof found[0] === 'string' ? [found as Verdict] : (found as readonly Verdict[]);
    for (const [status, text] of verdicts) findings.push({ check, status, text });
  };
  note('settings', ['ok', 'every setting can be read']);
  if (usesDataDir(config)) note('data folder', await checkDataDir(config));
  let database: Database | undefined;
  try {
    database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
    note('schema', await checkSchema(database));
    const isUsable = findings.every(({ status }) => status !== 'problem');
    if (database.notice !== undefined) note('database', ['problem', database.notice]);
    if (isUsable) {
      const clock = await readDatabaseClock(database);
      for (const [name, check] of Object.entries(checks))
        note(name, await check({ database, config, fix: flags.fix === true, clock }));
      const fixed = findings.filter(({ status }) => status === 'fixed').map(({ text }) => text);
      if (fixed.length > 0) await recordOperation(database, 'database.repaired', { fixed });
    }
  } catch (error) {
    // If the disk is full or files are damaged, the results so far matter most.
    note('database', ['problem', reasonOf(error)]);
  }
  await database?.close().catch(() => undefined);
  const problems = findings.filter(({ status }) => status === 'problem').length;
  print(flags, { healthy: problems === 0, findings }, [
    ...columns(findings.map(({ status, check, text }) => [status, check, text])),
    problems === 0 ? 'nothing is wrong' : `${count(problems, 'problem')} found`,
  ]);
  if (problems > 0) process.exitCode = 7;
}

async function checkDataDir(config: Config): Promise<Verdict[]> {
  const { dataDir } = config;
  try {
    prepareDataDir(dataDir);
    const file = embeddedDatabaseFile(config);
    const isReadable = file !== undefined && existsSync(file) && (statSync(file).mode & 0o077) !== 0;
    const foreign = listForeignFiles(dataDir).join(', ');
    const free = await freeBytesOf(dataDir);
    const warnings = [
      isOpenToOthers(dataDir) && `other users can read it: chmod 700 ${dataDir}`,
      isReadable && `other users can read the database: chmod 600 ${file}`,
      foreign &&
        `${foreign} there has a different owner from the folder: chown -R --reference=${dataDir} ${dataDir}`,
      free < minFreeBytes && `only ${Math.round(free / 1024 / 1024)} MB are free on its disk`,
    ];
    return [['ok', dataDir], ...warnings.flatMap((text): Verdict[] => (text ? [['warning', text]] : []))];
  } catch (error) {
    return [['problem', reasonOf(error)]];
  }
}

async function checkSchema(database: Database): Promise<Verdict> {
  const status = await migrationStatus(database);
  try {
    refuseNewer(status);
  } catch (error) {
    return ['problem', reasonOf(error)];
  }
  if (status.pending.length === 0) return ['ok', 'up to date'];
  return ['problem', `lacks ${status.pending.join(', ')}: run envsnap-server migrate`];
}

function mended(isFixed: boolean, text: string, otherwise: Verdict[0] = 'problem'): Verdict {
  return isFixed ? ['fixed', text] : [otherwise, `${text} (--fix)`];
}

function describeUsage(usage: Miscount['actual']): string {
  const { snapshots, runs, files, storageBytes } = usage;
  return `${count(snapshots, 'snapshot')}, ${count(runs, 'run')}, ${count(files, 'file')}, ${count(storageBytes, 'byte')}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

const listFiles = defineSql<NoParams, { id: string; storage_key: string; size_bytes: number }>(
  'select id, storage_key, size_bytes from files order by id',
);
const listLedger = defineSql<NoParams, { storage_key: string }>('select storage_key from unneeded_blobs');

/**
 * Compares rows and store: ids of files whose bytes are missing or cut, and keys of stray bytes that belong to no file. A server
 * may be running, so each apparent difference is checked again.
 */
async function compareBlobs(database: Database, store: FileStore) {
  const stored = new Map<string, number>();
  for await (const { key, sizeBytes } of store.list()) stored.set(key, sizeBytes);
  const { files, ledger } = await database.frozen(async (executor) => ({
    files: await executor.all(listFiles),
    ledger: await executor.all(listLedger),
  }));
  const needed = new Set([...files, ...ledger].map((row) => row.storage_key));
  const missing: string[] = [];
  const cut: string[] = [];
  for (const { id, storage_key, size_bytes } of files) {
    const sizeBytes = stored.get(storage_key);
    if (sizeBytes !== undefined && sizeBytes !== sealedStreamBytes(size_bytes)) cut.push(id);
    // It may have been stored after the list was made.
    if (sizeBytes === undefined && !(await exists(store, storage_key))) missing.push(id);
  }
  const isKey = (key: string) => needed.has(key.replace(/\.part$/, ''));
  return { total: files.length, missing, cut, stray: [...stored.keys()].filter((key) => !isKey(key)) };
}

async function exists(store: FileStore, key: string): Promise<boolean> {
  try {
    for await (const _ of await store.open(key)) return true;
    return true;
  } catch {
    return false;
  }
}
