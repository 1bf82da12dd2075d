// Re-wraps everything that a master key wraps: the projects' data keys and fingerprint keys.

import type { Database } from '../db/database.ts';
import { defineSql, type Statement } from '../db/statement.ts';
import { dataKeyPlace, unwrap } from './data-keys.ts';
import { type SealContext, seal } from './envelope.ts';
import { fingerprintKeyPlace } from './fingerprint-keys.ts';
import type { Keyring } from './master-keys.ts';

interface Rotation {
  masterKeyId: string;
  rewrapped: number;
  retired: string[];
}

interface WrappedRow {
  id: string;
  project_id: string;
  master_key_id: string;
  wrapped_key: Buffer;
}

interface WrappedKeys {
  readonly claimOld: Statement<{ masterKeyId: string; limit: number }, WrappedRow>;
  readonly replace: Statement<{ id: string; masterKeyId: string; wrappedKey: Uint8Array }, never>;
  readonly placeOf: (row: WrappedRow) => SealContext;
}

const rowsPerTransaction = 200;

function wrappedKeysOf(
  table: string,
  idColumn: string,
  placeOf: (row: WrappedRow) => SealContext,
): WrappedKeys {
  return {
    claimOld: defineSql(
      ({ lock }) => `select ${idColumn} as id, project_id, master_key_id, wrapped_key from ${table}
      where master_key_id <> :masterKeyId order by ${idColumn} limit :limit ${lock(table)}`,
    ),
    replace: defineSql(
      `update ${table} set master_key_id = :masterKeyId, wrapped_key = :wrappedKey where ${idColumn} = :id`,
    ),
    placeOf,
  };
}

const dataKeys = wrappedKeysOf('data_keys', 'project_id', (row) => dataKeyPlace(row.project_id));
const fingerprintKeys = wrappedKeysOf('fingerprint_keys', 'id', (row) =>
  fingerprintKeyPlace(row.project_id, row.id),
);

const retireMasterKeys = defineSql<{ masterKeyId: string }, { id: string }>(
  `delete from master_keys where id <> :masterKeyId
    and not exists (select 1 from data_keys where master_key_id = master_keys.id)
    and not exists (select 1 from fingerprint_keys where master_key_id = master_keys.id)
  returning id`,
);

/**
 * Wraps every data key and fingerprint key with the keyring's first master key, in batches. May run while servers work,
 * provided all have that key, and continues where it stopped if it is run again. Sealed values do not change.
 */
export async function rotateMasterKey(database: Database, keyring: Keyring): Promise<Rotation> {
  const { id: masterKeyId } = keyring.primary;
  const rewrapped = await rewrapAll(database, keyring, dataKeys);
  await rewrapAll(database, keyring, fingerprintKeys);
  const retired = await database.transact((executor) => executor.all(retireMasterKeys, { masterKeyId }));
  await database.discardDeleted();
  return { masterKeyId, rewrapped, retired: retired.map(({ id }) => id).sort() };
}

async function rewrapAll(database: Database, keyring: Keyring, keys: WrappedKeys): Promise<number> {
  const { id: masterKeyId, key } = keyring.primary;
  for (let rewrapped = 0; ; ) {
    const batch = await database.transact(async (executor) => {
      const rows = await executor.all(keys.claimOld, { masterKeyId, limit: rowsPerTransaction });
      for (const row of rows) {
        const place = keys.placeOf(row);
        const wrappedKey = seal(key, place, unwrap(keyring, place, row));
        await executor.run(keys.replace, { id: row.id, masterKeyId, wrappedKey });
      }
      return rows.length;
    });
    rewrapped += batch;
    if (batch < rowsPerTransaction) return rewrapped;
  }
}
