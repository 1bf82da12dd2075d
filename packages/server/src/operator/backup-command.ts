// `envsnap-server backup FILE|FOLDER`: everything in one file, while the server runs.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { openFileStore } from '../files/open-file-store.ts';
import { StartupError } from '../infra/app-error.ts';
import { masterKeyFile } from '../infra/crypto/master-keys.ts';
import { createBackup } from './backup/create-backup.ts';
import { recordOperation } from './operator-audit.ts';
import { loadOperatorConfig, type OperatorFlags, parseNumber, withDatabase } from './operator-session.ts';
import { count, print, warn } from './print.ts';

/** Maximum number of lost files that a warning names. */
const mostNamed = 10;

/** Runs the command. Exit code 7 if the store has lost contents of files. Errors: StartupError, OperatorError. */
export async function runBackup(
  file: string,
  flags: OperatorFlags & { includeMasterKey?: boolean; files?: boolean; keep?: string },
): Promise<void> {
  const config = loadOperatorConfig(flags);
  const keep = flags.keep === undefined ? undefined : parseNumber('--keep', flags.keep, 1, 999_999);
  const target = findTarget(path.resolve(file), keep);
  const keyFile = path.join(config.dataDir, masterKeyFile);
  const hasGeneratedKey = config.encryptionKey === undefined && existsSync(keyFile);
  if (flags.includeMasterKey && !hasGeneratedKey) {
    throw new StartupError(
      '--include-master-key works only with a generated key; keep a copy of ENVSNAP_ENCRYPTION_KEY elsewhere',
    );
  }
  const withFiles = flags.files ?? config.fileStore.kind === 'disk';
  const summary = await withDatabase(config, async (database) => {
    const made = await createBackup(target, {
      database,
      store: withFiles ? await openFileStore(config) : undefined,
      masterKey: flags.includeMasterKey ? readFileSync(keyFile, 'utf8') : undefined,
    });
    const details = { file: target, includesMasterKey: flags.includeMasterKey === true };
    // Only `backup.created` updates the monitored time of the last backup.
    const action = made.lostFiles.length === 0 ? 'backup.created' : 'backup.incomplete';
    // The backup exists even if nothing more can be written.
    await recordOperation(database, action, details).catch((error: unknown) =>
      warn(`The backup could not be recorded in the audit log: ${(error as Error).message}`),
    );
    return made;
  });
  const { manifest, rows, files, missingFiles, lostFiles } = summary;
  const isWhole = lostFiles.length === 0;
  // Only now, so that a failed or incomplete backup does not cost an older one.
  const removed = keep === undefined || !isWhole ? [] : await removeOldBackups(target, keep);
  print(flags, { file: target, ...summary, removed }, [
    `${target}: ${count(rows.projects ?? 0, 'project')}, ${count(rows.snapshots ?? 0, 'snapshot')}, ${count(files, 'file')}`,
    ...(removed.length > 0
      ? [`removed ${count(removed.length, 'older backup')}: ${removed.join(', ')}`]
      : []),
  ]);
  const ids = manifest.masterKeys.map(({ id }) => id).join(', ');
  if (flags.includeMasterKey) {
    warn('The backup contains the master key: anyone with the file can read everything in it.');
  } else if (ids !== '') {
    const from = hasGeneratedKey ? keyFile : 'ENVSNAP_ENCRYPTION_KEY';
    warn(
      `Not in the backup: master key ${ids} (${from}). Without it, nothing encrypted can be read; keep it safe.`,
    );
  }
  if (!withFiles)
    warn(`Not in the backup: the contents of files, which stay in the bucket (--files includes them).`);
  if (missingFiles.length > 0) {
    warn(
      `Left out: ${count(missingFiles.length, 'file')} that ${missingFiles.length === 1 ? 'was' : 'were'} deleted in the meantime`,
    );
  }
  if (isWhole) return;
  const named = lostFiles.slice(0, mostNamed);
  const more = lostFiles.length > named.length ? ` and ${lostFiles.length - named.length} more` : '';
  warn(
    `The store has lost the contents of ${count(lostFiles.length, 'file')}: ${named.join(', ')}${more}. This backup has only their records ` +
      'and does not count as complete, so no older backup was removed. Look for the contents in the store, or in its volume.',
  );
  process.exitCode = 7;
}

/** Where the backup goes: the named file, or a new one in the named folder. */
function findTarget(named: string, keep: number | undefined): string {
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory())
    return path.join(named, nameBackup(Date.now()));
  if (existsSync(named)) throw new StartupError(`${named} exists already; name a new file`);
  if (keep !== undefined)
    throw new StartupError(`--keep needs a folder for the backups; there is none at ${named}`);
  if (!existsSync(path.dirname(named))) throw new StartupError(`there is no folder ${path.dirname(named)}`);
  return named;
}

/** `envsnap-20260207T131500123Z.backup`: names in the order of their time. */
const backupName = /^envsnap-\d{8}T\d{9}Z\.backup$/;

/** The name of a backup that is begun at that moment (milliseconds since the epoch, UTC). */
function nameBackup(atMs: number): string {
  return `envsnap-${new Date(atMs).toISOString().replaceAll(/[-:.]/g, '')}.backup`;
}

/** Removes the oldest backups beside a new one until `keep` are left, and no other files; their names, oldest first. */
async function removeOldBackups(file: string, keep: number): Promise<string[]> {
  const folder = path.dirname(file);
  const backups = (await readdir(folder)).filter((name) => backupName.test(name)).sort();
  const latest = backups.at(-1);
  if (latest !== path.basename(file)) {
    warn(
      `No older backup was removed: ${latest} is named for a later time. Correct the clock, or rename it.`,
    );
    return [];
  }
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}
