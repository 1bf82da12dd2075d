import { expect, it } from 'vitest';
import { giveUpUpload } from '../../../packages/server/src/files/blob-ledger.ts';
import { createBlobSweeper } from '../../../packages/server/src/files/blob-sweeper.ts';
import { createBlobs } from '../../../packages/server/src/files/blobs.ts';
import { withStoreErrors } from '../../../packages/server/src/files/file-store.ts';
import { systemClock } from '../../../packages/server/src/infra/clock.ts';
import { createDataKeys } from '../../../packages/server/src/infra/crypto/data-keys.ts';
import { recordKeyring } from '../../../packages/server/src/infra/crypto/keyring.ts';
import { parseMasterKeys } from '../../../packages/server/src/infra/crypto/master-keys.ts';
import { createNameableIdGenerator } from '../../../packages/server/src/infra/ids.ts';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { describeEachDatabase } from '../../support/databases.ts';

describeEachDatabase((openDatabase) => {
  it('an upload to a store that hangs ends with its error, and waits for nothing else of that store', async () => {
    const database = await openDatabase();
    const keyring = parseMasterKeys('01'.repeat(32), 'the test');
    await recordKeyring(database, keyring);
    const dataKeys = createDataKeys(keyring);
    const newId = createNameableIdGenerator(systemClock);
    const projectId = newId();
    await database.transact(async (executor) => {
      const project = { id: projectId, name: 'p', created_at: 1, updated_at: 1 };
      await executor.run(executor.dialect.builder('projects').insert(project));
      await dataKeys.create(executor, projectId);
    });
    const removals: string[] = [];
    const store = withStoreErrors({
      location: 'nowhere',
      putBytes: 1,
      put: () => Promise.reject(new Error('the store is silent')),
      open: () => Promise.reject(new Error('the store is silent')),
      remove: (key) => {
        removals.push(key);
        return new Promise(() => undefined);
      },
      list: async function* () {},
      check: async () => undefined,
    });
    const logger = createLogger({ level: 'silent' });
    const sweeper = createBlobSweeper(database, store, logger);
    const blobs = createBlobs({ database, store, dataKeys, sweeper, newId });
    async function* content() {
      yield Buffer.from('hello');
    }
    const file = { filename: 'a', contentType: 'text/plain', content: content() };
    await expect(blobs.receive(projectId, file, () => undefined)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    // Bytes that the store may have are removed later; until then they are in the ledger.
    await expect.poll(() => removals).toHaveLength(1);
    const [key = ''] = removals;
    expect(await database.run(giveUpUpload, { key })).toBe(1);
  });
});
