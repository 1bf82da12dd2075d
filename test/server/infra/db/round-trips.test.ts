// @module-tag both-databases

import { afterEach, describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../../support/databases.ts';
import { type PostgresProxy, startPostgresProxy } from '../../../support/postgres-proxy.ts';
import { type ApiAnswer, startServiceOn } from '../../../support/service.ts';

const proxies: PostgresProxy[] = [];
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});

describeEachDatabase((openDatabase) => {
  describe.skipIf(openDatabase.databaseName === 'sqlite')('a request waits for the database', () => {
    it('three times to read a snapshot, five times to store one, with or without Idempotency-Key', async () => {
      const target = await openDatabase.target('migrated');
      const proxy = await startPostgresProxy(target.url as string);
      proxies.push(proxy);
      const service = await startServiceOn(await openDatabase.again({ ...target, url: proxy.url }));
      const { apiKey: key } = await service.bootstrap();
      const body = { machineName: 'm', envVars: { A: '1' } };
      let round = 0;
      const post = (headers: Record<string, string> = {}) =>
        service.request('POST', '/machine/snapshots', { key, body, headers });
      const idempotent = () => {
        round += 1;
        return post({ 'idempotency-key': `round ${round}` });
      };
      const { id } = (await post()).body;
      const get = () => service.send(key, 'GET', `/machine/snapshots/${id}`);
      const webhook = { url: 'https://example.com/', events: ['file.deleted'] };
      await service.send(key, 'POST', '/machine/webhooks', webhook);

      /**
       * The least of several calls: the first ones open connections and prepare statements, and background writes are counted
       * with some of them, more on a busy machine.
       */
      async function roundTripsOf(
        call: () => Promise<ApiAnswer>,
        status: number,
        asked: number,
      ): Promise<number> {
        const counts: number[] = [];
        for (let time = 0; time < 6 || (time < 40 && Math.min(...counts) > asked); time += 1) {
          await Promise.all([call(), call(), call()]);
          counts.push(
            await proxy.countRoundTrips(async () => {
              expect(await call()).toMatchObject({ status });
            }),
          );
        }
        return Math.min(...counts);
      }
      expect(await roundTripsOf(get, 200, 3)).toBe(3);
      expect(await roundTripsOf(post, 201, 5)).toBe(5);
      expect(await roundTripsOf(idempotent, 201, 5)).toBe(5);
    });
  });
});
