// `envsnap-server doctor`: looks at everything the service stands on and says what is wrong and what to do.

import { existsSync, statSync } from 'node:fs';
import { type Config, usesDataDir } from '../config.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { createDataKeys } from '../infra/crypto/data-keys.ts';
import { openKeyring } from '../infra/crypto/keyring.ts';
import { freeBytesOf, isOpenToOthers, listForeignFiles, prepareDataDir } from '../infra/data-dir.ts';
import { openDatabase } from '../infra/db/connection.ts';
import type { Database } from '../infra/db/database.ts';
import { createDatabaseClock, type DatabaseClock, describeSkew } from '../infra/db/database-clock.ts';
import { migrationStatus, refuseNewer } from '../infra/db/migrate.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import { listStaleMachines, recountMachines } from '../snapshots/machine-counts.ts';
import { compareBlobs } from './compare-blobs.ts';
import { recordOperation } from './operator-audit.ts';
import {
  embeddedDatabaseFile,
  keyringOptions,
  loadOperatorConfig,
  type OperatorFlags,
  requireDatabase,
} from './operator-session.ts';
import { columns, count, print } from './print.ts';
import { correctCounters, listMiscounts, type Miscount } from './recount.ts';

/** How a check ended: `fixed` is a problem that `--fix` has removed. */
interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem' | 'fixed';
  readonly text: string;
}

const minFreeBytes = 500 * 1024 * 1024;

const listProjectIds = defineStatement<NoParams, { project_id: string }>((qb) =>
  qb('data_keys').select('project_id').orderBy('project_id'),
);

const countOverdue = defineStatement<{ beforeMs: number }, { total: number }>((qb, p) =>
  qb('webhook_deliveries')
    .count({ total: '*' })
    .where('state', 'pending')
    .where('next_attempt_at', '<', p.beforeMs),
);

const weekMs = 7 * 24 * 3_600_000;
/** Keys that one run names. */
const namedKeys = 20;

const listExpiringKeys = defineStatement<
  { nowMs: number; beforeMs: number },
  { id: string; project_id: string; label: string | null; expires_at: number }
>((qb, p) =>
  qb('api_keys')
    .select('id', 'project_id', 'label', 'expires_at')
    .where('expires_at', '>', p.nowMs)
    .where('expires_at', '<=', p.beforeMs)
    .orderBy('expires_at')
    .limit(namedKeys),
);

/** Runs the checks; exit code 7 when a problem is left. Errors: StartupError when there is nothing to look at. */
export async function runDoctor(flags: OperatorFlags & { fix?: boolean }): Promise<void> {
  const config = loadOperatorConfig(flags);
  requireDatabase(config);
  const findings: Finding[] = [
    { check: 'settings', status: 'ok', text: 'every setting can be read' },
    ...(await checkDataDir(config)),
  ];
  let database: Database | undefined;
  try {
    database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
    findings.push(await checkSchema(database));
    if (findings.every(({ status }) => status !== 'problem')) {
      findings.push(await checkDamage(database));
      findings.push(await checkKeys(database, config));
      findings.push(...(await checkCounters(database, flags.fix === true)));
      findings.push(...(await checkLists(database, flags.fix === true)));
      findings.push(...(await checkFiles(database, config, flags.fix === true)));
      const clock = createDatabaseClock(database);
      await clock.synchronize();
      findings.push(checkClock(clock));
      findings.push(await checkDeliveries(database, clock.nowMs()));
      findings.push(...(await checkApiKeys(database, clock.nowMs())));
      const fixed = findings.filter(({ status }) => status === 'fixed').map(({ text }) => text);
      if (fixed.length > 0) await recordOperation(database, 'database.repaired', { fixed });
    }
  } catch (error) {
    // On a full disk or in damaged files, what was found so far counts most.
    findings.push({ check: 'database', status: 'problem', text: reasonOf(error) });
  }
  await database?.close().catch(() => undefined);
  const problems = findings.filter(({ status }) => status === 'problem').length;
  print(flags, { healthy: problems === 0, findings }, [
    ...columns(findings.map(({ status, check, text }) => [status, check, text])),
    problems === 0 ? 'nothing is wrong' : `${count(problems, 'problem')} found`,
  ]);
  if (problems > 0) process.exitCode = 7;
}

async function checkDataDir(config: Config): Promise<Finding[]> {
  if (!usesDataDir(config)) return [];
  const check = 'data folder';
  try {
    prepareDataDir(config.dataDir);
    const findings: Finding[] = [{ check, status: 'ok', text: config.dataDir }];
    if (isOpenToOthers(config.dataDir)) {
      findings.push({
        check,
        status: 'warning',
        text: `others may look into it: chmod 700 ${config.dataDir}`,
      });
    }
    const file = embeddedDatabaseFile(config);
    if (file !== undefined && existsSync(file) && (statSync(file).mode & 0o077) !== 0) {
      findings.push({ check, status: 'warning', text: `others can read the database: chmod 600 ${file}` });
    }
    const foreign = listForeignFiles(config.dataDir);
    if (foreign.length > 0) {
      const text = `${foreign.join(', ')} there belongs to others than the folder: chown -R --reference=${config.dataDir} ${config.dataDir}`;
      findings.push({ check, status: 'warning', text });
    }
    const free = await freeBytesOf(config.dataDir);
    if (free < minFreeBytes) {
      const text = `only ${Math.round(free / 1024 / 1024)} MB are free on its disk`;
      findings.push({ check, status: 'warning', text });
    }
    return findings;
  } catch (error) {
    return [{ check, status: 'problem', text: reasonOf(error) }];
  }
}

async function checkSchema(database: Database): Promise<Finding> {
  const status = await migrationStatus(database);
  const { pending } = status;
  const check = 'schema';
  try {
    refuseNewer(status);
  } catch (error) {
    return { check, status: 'problem', text: reasonOf(error) };
  }
  if (pending.length > 0) {
    return { check, status: 'problem', text: `lacks ${pending.join(', ')}: run envsnap-server migrate` };
  }
  return { check, status: 'ok', text: 'up to date' };
}

async function checkDamage(database: Database): Promise<Finding> {
  const damage = await database.findDamage();
  const check = 'database';
  if (damage.length === 0) return { check, status: 'ok', text: 'whole' };
  return { check, status: 'problem', text: `damaged, restore a backup: ${damage.join('; ')}` };
}

async function checkKeys(database: Database, config: Config): Promise<Finding> {
  const check = 'encryption';
  try {
    const dataKeys = createDataKeys(await openKeyring(database, keyringOptions(config)));
    const projects = await database.all(listProjectIds);
    for (const { project_id } of projects) await dataKeys.cipherOf(database, project_id);
    return { check, status: 'ok', text: `${count(projects.length, 'data key')} can be opened` };
  } catch (error) {
    return { check, status: 'problem', text: reasonOf(error) };
  }
}

async function checkCounters(database: Database, fix: boolean): Promise<Finding[]> {
  const check = 'quotas';
  const miscounts = await listMiscounts(database);
  if (miscounts.length === 0) return [{ check, status: 'ok', text: 'every counter agrees with a recount' }];
  if (fix) {
    for (const { projectId } of miscounts) {
      await database.transact((executor) => correctCounters(executor, projectId));
    }
  }
  return miscounts.map(({ projectId, counted, actual }) => ({
    check,
    status: fix ? 'fixed' : 'problem',
    text: `project ${projectId} counts ${describeUsage(counted)} but holds ${describeUsage(actual)}${fix ? '' : ' (--fix)'}`,
  }));
}

async function checkLists(database: Database, fix: boolean): Promise<Finding[]> {
  const check = 'lists';
  const stale = await listStaleMachines(database);
  if (stale.length === 0)
    return [{ check, status: 'ok', text: 'machines count the snapshots that are stored' }];
  if (fix) {
    for (const projectId of stale)
      await database.transact((executor) => recountMachines(executor, projectId));
  }
  return stale.map((projectId) => ({
    check,
    status: fix ? 'fixed' : 'problem',
    text: `machines of project ${projectId} do not count the snapshots that are stored${fix ? '' : ' (--fix)'}`,
  }));
}

function describeUsage(usage: Miscount['actual']): string {
  const { snapshots, runs, files, storageBytes } = usage;
  return `${count(snapshots, 'snapshot')}, ${count(runs, 'run')}, ${count(files, 'file')}, ${count(storageBytes, 'byte')}`;
}

async function checkFiles(database: Database, config: Config, fix: boolean): Promise<Finding[]> {
  const check = 'files';
  try {
    const store = await openFileStore(config);
    const { total, missing, cut, stray } = await compareBlobs(database, store);
    const findings: Finding[] = [
      ...missing.map((id) => ({ id, what: 'has lost its bytes' })),
      ...cut.map((id) => ({ id, what: 'has bytes of the wrong length' })),
    ].map(({ id, what }) => ({
      check,
      status: 'problem',
      text: `file ${id} ${what} in ${store.location}: restore it from a backup, or delete it`,
    }));
    if (stray.length > 0) {
      if (fix) for (const key of stray) await store.remove(key);
      const text = `${count(stray.length, 'stored file')} that nothing refers to${fix ? '' : ' (--fix)'}`;
      findings.push({ check, status: fix ? 'fixed' : 'warning', text });
    }
    if (findings.length > 0) return findings;
    return [{ check, status: 'ok', text: `${count(total, 'file')} in ${store.location}` }];
  } catch (error) {
    return [{ check, status: 'problem', text: reasonOf(error) }];
  }
}

function checkClock(clock: DatabaseClock): Finding {
  const check = 'clock';
  if (!clock.isOwnClockWrong()) return { check, status: 'ok', text: "agrees with the database's" };
  return { check, status: 'problem', text: describeSkew(clock) };
}

async function checkDeliveries(database: Database, nowMs: number): Promise<Finding> {
  const check = 'webhooks';
  const tenMinutesMs = 600_000;
  const row = await database.get(countOverdue, { beforeMs: nowMs - tenMinutesMs });
  const overdue = row?.total ?? 0;
  if (overdue === 0) return { check, status: 'ok', text: 'no delivery is overdue' };
  const text = `${overdue === 1 ? '1 delivery is' : `${overdue} deliveries are`} overdue by ten minutes: is a server running?`;
  return { check, status: 'warning', text };
}

async function checkApiKeys(database: Database, nowMs: number): Promise<Finding[]> {
  const check = 'API keys';
  const keys = await database.all(listExpiringKeys, { nowMs, beforeMs: nowMs + weekMs });
  if (keys.length === 0) return [{ check, status: 'ok', text: 'none expires within a week' }];
  return keys.map(({ id, project_id, label, expires_at }) => ({
    check,
    status: 'warning',
    text: `${label === null ? '' : `${label}, `}key ${id} of project ${project_id}, expires at ${toTimestamp(expires_at)}: make another before`,
  }));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
