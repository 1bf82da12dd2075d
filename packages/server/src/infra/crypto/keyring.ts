// Owns the agreement between the master keys that the server was given and those that its database needs.

import { StartupError } from '../app-error.ts';
import type { Database, Executor } from '../db/database.ts';
import { migrationStatus } from '../db/migrate.ts';
import { defineStatement, type NoParams } from '../db/statement.ts';
import {
  createMasterKeyFile,
  type Keyring,
  masterKeyFile,
  parseMasterKeys,
  readMasterKeyFile,
} from './master-keys.ts';

/** Name of the setting that holds the master keys. */
const masterKeySetting = 'ENVSNAP_ENCRYPTION_KEY';

/** Where the master keys can come from. */
export interface KeyringOptions {
  /** Value of the setting; undefined when it is not set. */
  setting: string | undefined;
  /** The data folder, whose generated key is used on the embedded database; undefined where none may be made. */
  generatedIn: string | undefined;
}

interface MasterKeyRow {
  id: string;
  label: string | null;
}

const listMasterKeys = defineStatement<NoParams, MasterKeyRow>((qb) =>
  qb('master_keys').select('id', 'label').orderBy('id'),
);

const recordMasterKey = defineStatement<{ id: string; label: string | null }>((qb, p, dialect) =>
  qb('master_keys')
    .insert({ id: p.id, label: p.label, created_at: dialect.nowMs() })
    .onConflict('id')
    .ignore(),
);

/**
 * Finds the master keys and checks that they are those of the database, before anything is written there; call it
 * before migrating. On a new embedded database it makes the key's file. Errors: StartupError, one line that names
 * the ids expected and supplied.
 */
export async function openKeyring(database: Database, options: KeyringOptions): Promise<Keyring> {
  const { applied } = await migrationStatus(database);
  const needed = applied.length > 0 ? await database.all(listMasterKeys) : [];
  const keyring = findKeyring(options, needed);
  refuseMissing(keyring, needed);
  return keyring;
}

/** The master keys of the setting. Errors: StartupError when it does not parse, or is not set. */
export function readKeySetting(setting: string | undefined): Keyring {
  if (setting !== undefined) return parseMasterKeys(setting, masterKeySetting);
  throw new StartupError(
    `${masterKeySetting} is required with PostgreSQL: 32 bytes in base64 or hex, such as the output of: openssl rand -base64 32`,
  );
}

function findKeyring({ setting, generatedIn }: KeyringOptions, needed: readonly MasterKeyRow[]): Keyring {
  if (setting !== undefined || generatedIn === undefined) return readKeySetting(setting);
  const existing = readMasterKeyFile(generatedIn);
  if (existing) return existing;
  if (needed.length > 0) {
    throw new StartupError(
      `the database needs master key ${describe(needed)}, but ${generatedIn} has no ${masterKeyFile} and ` +
        `${masterKeySetting} is not set: restore the file or set the key`,
    );
  }
  return createMasterKeyFile(generatedIn);
}

function refuseMissing(keyring: Keyring, needed: readonly MasterKeyRow[]): void {
  const missing = needed.filter(({ id }) => !keyring.keys.has(id));
  if (missing.length === 0) return;
  throw new StartupError(
    `the database needs master key ${describe(missing)}, but ${keyring.source} supplies ` +
      `${describe([...keyring.keys.values()])}: start with the key that it was made with, ` +
      'or to rotate list both, the newest first',
  );
}

function describe(keys: readonly MasterKeyRow[]): string {
  return keys.map(({ id, label }) => (label === null ? id : `${id} (${label})`)).join(', ');
}

/**
 * Records the first master key as one that the database needs, so that a start without it is refused; call it after
 * migrating. Errors: StartupError when another server recorded a different key at the same time.
 */
export async function recordKeyring(database: Database, keyring: Keyring): Promise<void> {
  await database.migrating(({ transact }) =>
    transact(async (executor: Executor) => {
      const { id, label } = keyring.primary;
      refuseMissing(keyring, await executor.all(listMasterKeys));
      await executor.run(recordMasterKey, { id, label });
    }),
  );
}
