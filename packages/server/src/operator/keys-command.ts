// `envsnap-server keys rotate|status`: which master keys wrap the projects' data keys, and wrapping them anew.

import { StartupError } from '../infra/app-error.ts';
import { openKeyring, recordKeyring } from '../infra/crypto/keyring.ts';
import { addGeneratedMasterKey, type Keyring, keepNewestMasterKey } from '../infra/crypto/master-keys.ts';
import { rotateMasterKey } from '../infra/crypto/rotate-master-key.ts';
import type { Database } from '../infra/db/database.ts';
import { isSqliteInUse } from '../infra/db/sqlite-in-use.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';
import { recordOperation } from './operator-audit.ts';
import {
  embeddedDatabaseFile,
  keyringOptions,
  loadOperatorConfig,
  type OperatorFlags,
  requireDatabase,
  withDatabase,
} from './operator-session.ts';
import { columns, count, print } from './print.ts';

interface MasterKeyUse {
  id: string;
  label: string | null;
  data_keys: number;
}

const listUses = defineStatement<NoParams, MasterKeyUse>((qb) =>
  qb('master_keys')
    .select(
      'id',
      'label',
      qb('data_keys').count('*').where('master_key_id', qb.ref('master_keys.id')).as('data_keys'),
    )
    .orderBy('created_at')
    .orderBy('id'),
);

/** Prints the master keys that the database needs. */
export async function runKeysStatus(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  await withDatabase(config, async (database) => {
    const keyring = await openKeyring(database, keyringOptions(config));
    const uses = await database.all(listUses);
    const masterKeys = uses.map(({ id, label, data_keys }) => ({
      id,
      label,
      dataKeys: Number(data_keys),
      primary: id === keyring.primary.id,
    }));
    const lines = columns([
      ['master key', 'label', 'data keys', ''],
      ...masterKeys.map(({ id, label, dataKeys, primary }) => [
        id,
        label ?? '-',
        String(dataKeys),
        primary ? 'newest: wraps new data keys' : '',
      ]),
    ]);
    print(flags, { source: keyring.source, masterKeys }, [...lines, `supplied by ${keyring.source}`]);
  });
}

/**
 * Wraps every data key with the newest master key. With keys from the setting that is its first one; a generated key
 * is replaced by a new one, which needs the server stopped. Errors: StartupError.
 */
export async function runKeysRotate(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  requireDatabase(config);
  const file = embeddedDatabaseFile(config);
  const generated = config.encryptionKey === undefined && file !== undefined;
  if (generated && isSqliteInUse(file)) {
    throw new StartupError(
      'the server is running and knows only its present key: stop it before the generated key is replaced',
    );
  }
  await withDatabase(config, async (database) => {
    // Before anything changes: the present keys must be those of the database.
    const present = await openKeyring(database, keyringOptions(config));
    const keyring = generated ? addGeneratedMasterKey(config.dataDir) : present;
    const rotation = await rotate(database, keyring);
    if (generated) keepNewestMasterKey(config.dataDir);
    const { rewrapped, masterKeyId, retired } = rotation;
    await recordOperation(database, 'master_key.rotated', { masterKeyId, rewrapped });
    const lines = [
      `${count(rewrapped, 'data key')} wrapped anew; all are under master key ${masterKeyId} now`,
    ];
    if (generated) lines.push(`the key is in ${keyring.source}; back it up`);
    else if (retired.length > 0) {
      lines.push(`no longer needed, may leave ${keyring.source}: ${retired.join(', ')}`);
    }
    print(flags, rotation, lines);
  });
}

async function rotate(database: Database, keyring: Keyring) {
  await recordKeyring(database, keyring);
  return rotateMasterKey(database, keyring);
}
