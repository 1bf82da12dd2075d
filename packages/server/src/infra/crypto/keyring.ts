// Checks that the server has the master keys that its database needs.

import { StartupError } from '../app-error.ts';
import type { Database, Executor } from '../db/database.ts';
import { defineInsert, defineSql, type NoParams } from '../db/statement.ts';
import {
  createMasterKeyFile,
  type Keyring,
  masterKeyFile,
  parseMasterKeys,
  readMasterKeyFile,
} from './master-keys.ts';

const masterKeySetting = 'ENVSNAP_ENCRYPTION_KEY';

interface KeyringOptions {
  setting: string | undefined;
  /** The data folder, whose generated key is used with the embedded database; undefined if no key may be generated. */
  generatedIn: string | undefined;
}

interface MasterKeyRow {
  id: string;
  label: string | null;
}

interface MasterKeyUse extends MasterKeyRow {
  readonly dataKeys: number;
  readonly fingerprintKeys: number;
}

const hasMasterKeys = defineSql<NoParams, { present: boolean | number }>(
  ({ tableExists }) => `select ${tableExists('master_keys')} as present`,
);
const listUses = defineSql<NoParams, MasterKeyUse>(
  `select id, label,
    (select count(*) from data_keys where master_key_id = master_keys.id) as "dataKeys",
    (select count(*) from fingerprint_keys where master_key_id = master_keys.id) as "fingerprintKeys"
  from master_keys order by created_at, id`,
);
const recordMasterKey = defineInsert<MasterKeyRow>('master_keys', {
  computed: ({ nowMs }) => ({ created_at: nowMs() }),
  end: 'on conflict (id) do nothing',
});

/** Finds the master keys, generates one for a new embedded database, and checks that they fit. Call it before migrating. Errors: StartupError. */
export async function openKeyring(database: Database, options: KeyringOptions): Promise<Keyring> {
  const uses = await listMasterKeyUses(database);
  const keyring = findKeyring(options, uses);
  refuseMissing(keyring, uses);
  return keyring;
}

/** The master keys that the database knows, oldest first; none if it is empty. */
export async function listMasterKeyUses(executor: Executor): Promise<MasterKeyUse[]> {
  if (!(await executor.get(hasMasterKeys))?.present) return [];
  return executor.all(listUses);
}

/** The supplied master keys, without generating one; undefined if there are none. Errors: StartupError. */
export function readSuppliedKeys({ setting, generatedIn }: KeyringOptions): Keyring | undefined {
  if (setting !== undefined || generatedIn === undefined) return readKeySetting(setting);
  return readMasterKeyFile(generatedIn);
}

/** Whether the database holds data that cannot be read without the key. */
export function isNeeded({ dataKeys, fingerprintKeys }: MasterKeyUse): boolean {
  return dataKeys + fingerprintKeys > 0;
}

/** The master keys of the setting. Errors: StartupError when it does not parse, or is not set. */
export function readKeySetting(setting: string | undefined): Keyring {
  if (setting !== undefined) return parseMasterKeys(setting, masterKeySetting);
  throw new StartupError(
    `${masterKeySetting} is required with PostgreSQL: 32 bytes in base64 or hex, such as the output of: openssl rand -base64 32`,
  );
}

function findKeyring(options: KeyringOptions, uses: readonly MasterKeyUse[]): Keyring {
  const supplied = readSuppliedKeys(options);
  if (supplied) return supplied;
  const generatedIn = options.generatedIn as string;
  if (uses.length > 0) {
    throw new StartupError(
      `the database needs master key ${describe(listMissing(uses))}, but ${generatedIn} has no ${masterKeyFile} and ` +
        `${masterKeySetting} is not set: restore the file, or set the variable`,
    );
  }
  return createMasterKeyFile(generatedIn);
}

/**
 * The keys that a keyring must have: those that wrap something. If none does, the keyring must have one that the database was
 * created with, so that two servers do not initialise it with different keys.
 */
function listMissing(uses: readonly MasterKeyUse[], keyring?: Keyring): readonly MasterKeyUse[] {
  const needed = uses.filter(isNeeded);
  const isThere = ({ id }: MasterKeyUse) => keyring?.keys.has(id) === true;
  if (needed.length > 0) return needed.filter((use) => !isThere(use));
  return uses.some(isThere) ? [] : uses;
}

function refuseMissing(keyring: Keyring, uses: readonly MasterKeyUse[]): void {
  const missing = listMissing(uses, keyring);
  if (missing.length === 0) return;
  throw new StartupError(
    `the database needs master key ${describe(missing)}, but ${keyring.source} supplies ` +
      `${describe([...keyring.keys.values()])}: start with the key that the database was created with, ` +
      'or list both keys to rotate',
  );
}

function describe(keys: readonly MasterKeyRow[]): string {
  return keys.map(({ id, label }) => (label === null ? id : `${id} (${label})`)).join(', ');
}

/** Records the first master key as known to the database; call it after migrating. Errors: StartupError when another server was faster. */
export async function recordKeyring(database: Database, keyring: Keyring): Promise<void> {
  await database.migrating(({ transact }) =>
    transact(async (executor: Executor) => {
      const { id, label } = keyring.primary;
      refuseMissing(keyring, await listMasterKeyUses(executor));
      await executor.run(recordMasterKey, { id, label });
    }),
  );
}
