// @module-tag both-databases

import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase as openAny } from '../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startServiceOn } from '../../support/service.ts';

const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

describeEachDatabase((openDatabase) => {
  describe('requests that are counted together', () => {
    it('are counted exactly for several keys, on replicas whose connections are all in use', async () => {
      const isShared = openDatabase.databaseName === 'postgresql';
      const target = isShared ? await openDatabase.target('migrated') : undefined;
      const open = async () => {
        if (!target) return openDatabase();
        const database = await openAny({ ...target, poolSize: 2 });
        opened.push(database);
        return database;
      };
      const env = { ENVSNAP_RATE_PER_MINUTE: '25', ENVSNAP_MAX_SNAPSHOTS: '1000' };
      const first = await open();
      const masterKey = '33'.repeat(32);
      const replicas = [
        await startServiceOn(first, env, masterKey),
        await startServiceOn(isShared ? await open() : first, env, masterKey),
      ];
      const keys: string[] = [];
      for (let index = 0; index < 4; index += 1)
        keys.push((await (replicas[0] as (typeof replicas)[0]).bootstrap()).apiKey);
      const calls = Array.from({ length: 240 }, (_, index) => {
        const key = keys[index % keys.length] as string;
        const replica = replicas[Math.floor(index / keys.length) % 2] as (typeof replicas)[0];
        return index % 3 === 0
          ? replica.send(key, 'GET', '/machine/keys/current')
          : replica.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      });
      const answers = await Promise.all(calls);
      for (const [at, key] of keys.entries()) {
        const own = answers.filter((_, index) => index % keys.length === at);
        const admitted = own.filter(({ status }) => status === 200 || status === 201);
        expect([key, admitted.length]).toEqual([key, 25]);
        expect(own.filter(({ status }) => status === 429)).toHaveLength(35);
        const stored = await first.get<{ total: number }>(
          first.dialect.builder('snapshots').count({ total: '*' }),
        );
        expect(stored?.total).toBe(answers.filter(({ status }) => status === 201).length);
      }
    });
  });
});
