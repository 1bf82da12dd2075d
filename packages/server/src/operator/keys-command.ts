// `envsnap-server keys rotate|status`: shows which master keys wrap the projects' data keys, and re-wraps them.

import { type Config, keyringOptions } from '../config.ts';
import { StartupError } from '../infra/app-error.ts';
import {
  isNeeded,
  listMasterKeyUses,
  openKeyring,
  readSuppliedKeys,
  recordKeyring,
} from '../infra/crypto/keyring.ts';
import { addGeneratedMasterKey, type Keyring, retireMasterKeys } from '../infra/crypto/master-keys.ts';
import { rotateMasterKey } from '../infra/crypto/rotate-master-key.ts';
import { isSqliteInUse } from '../infra/db/sqlite-file.ts';
import { recordOperation } from './operator-audit.ts';
import {
  embeddedDatabaseFile,
  loadOperatorConfig,
  type OperatorFlags,
  requireDatabase,
  withAnySchema,
  withDatabase,
} from './operator-session.ts';
import { columns, count, print, warn } from './print.ts';

/** Prints the master keys that the database knows and those that are supplied, even if they do not match. */
export async function runKeysStatus(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  const { keyring, problem } = readSupplied(config);
  await withAnySchema(config, async (database) => {
    const uses = await listMasterKeyUses(database);
    const known = new Set(uses.map(({ id }) => id));
    const unused = [...(keyring?.keys.values() ?? [])].filter(({ id }) => !known.has(id));
    const all = [...uses, ...unused.map(({ id, label }) => ({ id, label, dataKeys: 0, fingerprintKeys: 0 }))];
    const masterKeys = all.map((use) => ({
      ...use,
      needed: isNeeded(use),
      supplied: keyring?.keys.has(use.id) ?? false,
      primary: use.id === keyring?.primary.id,
    }));
    const none = ['the database has no master key yet: the first start creates one'];
    const table = columns([
      ['master key', 'label', 'data keys', 'supplied', ''],
      ...masterKeys.map(({ id, label, dataKeys, needed, supplied, primary }) => [
        id,
        label ?? '-',
        String(dataKeys),
        supplied ? 'yes' : 'no',
        primary ? 'first: wraps new data keys' : needed ? '' : 'not needed',
      ]),
    ]);
    print(flags, { source: keyring?.source ?? null, problem, masterKeys }, [
      ...(masterKeys.length > 0 ? table : none),
      keyring ? `supplied by ${keyring.source}` : (problem ?? 'no key is supplied'),
    ]);
    const missing = masterKeys.filter(({ needed, supplied }) => needed && !supplied);
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id).join(', ');
      warn(`The database needs master key ${ids}: no server starts without it.`);
    }
  });
}

function readSupplied(config: Config): { keyring: Keyring | undefined; problem: string | null } {
  try {
    return { keyring: readSuppliedKeys(keyringOptions(config)), problem: null };
  } catch (error) {
    if (error instanceof StartupError) return { keyring: undefined, problem: error.message };
    throw error;
  }
}

/** Wraps every data key with the newest master key; a generated key is replaced while the server is stopped. Errors: StartupError. */
export async function runKeysRotate(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  requireDatabase(config);
  const file = embeddedDatabaseFile(config);
  const generated = config.encryptionKey === undefined && file !== undefined;
  if (generated && isSqliteInUse(file)) {
    throw new StartupError('the server is running and knows only its current key: stop it first');
  }
  await withDatabase(config, async (database) => {
    // Before any change: the present keys must be those of the database.
    const present = await openKeyring(database, keyringOptions(config));
    const keyring = generated ? addGeneratedMasterKey(config.dataDir) : present;
    await recordKeyring(database, keyring);
    const rotation = await rotateMasterKey(database, keyring);
    const retiredFiles = generated ? retireMasterKeys(config.dataDir) : [];
    const { rewrapped, masterKeyId, retired } = rotation;
    await recordOperation(database, 'master_key.rotated', { masterKeyId, rewrapped });
    const lines = [`${count(rewrapped, 'data key')} re-wrapped; all now use master key ${masterKeyId}`];
    if (generated) lines.push(`the key is in ${keyring.source}; back it up`);
    else if (retired.length > 0) {
      lines.push(`can be removed from ${keyring.source} in a day: ${retired.join(', ')}`);
    }
    lines.push(
      retiredFiles.length > 0
        ? `backups made before now need the old key: keep ${retiredFiles.join(', ')} elsewhere as long as you keep them`
        : 'backups made before now need the old key: keep it as long as you keep them',
    );
    print(flags, { ...rotation, retiredFiles }, lines);
  });
}
