// Rate limits and quotas under concurrent load are exact.

import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import { listMiscounts } from '../../../packages/server/src/operator/recount.ts';
import { type Check, every, type Figure, none } from '../check.ts';
import { bootstrap, send, upload } from '../requests.ts';

export const rate: Check = {
  name: 'rate',
  what: 'three servers on one PostgreSQL get 300 requests of one key at once: 60 pass, no more and no fewer',
  async run({ rounds, world }) {
    const databaseUrl = await (await world.postgres()).createDatabase();
    const env = { ENVSNAP_RATE_PER_MINUTE: '60', ENVSNAP_TRUST_PROXY: '127.0.0.1' };
    const start = () => world.startServer({ databaseUrl, env });
    const servers = [await start(), await start(), await start()];
    const tries = rounds(50);
    let exact = 0;
    let right = 0;
    let refused = 0;
    for (let round = 0; round < tries; round += 1) {
      // Callers without a key are limited by address, so each round comes from another one.
      const headers = { 'x-forwarded-for': `10.1.${round >> 8}.${round & 255}` };
      const made = await send('POST', `${servers[0]?.url}/machine/keys/bootstrap`, {
        headers,
        body: { projectName: 'p' },
      });
      const key = made.body.apiKey as string;
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          send('GET', `${servers[index % 3]?.url}/machine/keys/current`, { key }),
        ),
      );
      if (answers.filter(({ status }) => status === 200).length === 60) exact += 1;
      for (const { status, headers: sent, body } of answers) {
        if (status !== 429) continue;
        refused += 1;
        const after = Number(sent.get('retry-after'));
        if (after >= 1 && after <= 60 && body.retryAfter === after) right += 1;
      }
    }
    return [
      every('rounds with exactly 60 admitted', exact, tries),
      every('refusals with a right Retry-After', right, refused),
    ];
  },
};

export const quotas: Check = {
  name: 'quotas',
  what: '100 creations at once where 5 more fit: exactly 5 are made; snapshots, files and bytes, on both databases',
  async run({ rounds, world }) {
    const figures: Figure[] = [];
    for (const [name, databaseUrl] of await world.databases()) {
      const env = { ENVSNAP_MAX_SNAPSHOTS: '5', ENVSNAP_MAX_FILES: '5', ENVSNAP_MAX_STORAGE_BYTES: '5000' };
      const server = await world.startServer({ databaseUrl, env });
      const tries = rounds(30);
      const exact = { snapshots: 0, files: 0, bytes: 0 };
      for (let round = 0; round < tries; round += 1) {
        const many = <Result>(make: (index: number) => Promise<Result>) =>
          Promise.all(Array.from({ length: 100 }, (_, index) => make(index)));
        const made = (statuses: number[]) => statuses.filter((status) => status === 201).length;
        const one = await bootstrap(server.url);
        const url = `${server.url}/machine/snapshots`;
        const created = await many(() => send('POST', url, { key: one.key, body: { machineName: 'm' } }));
        if (made(created.map(({ status }) => status)) === 5) exact.snapshots += 1;
        if (made(await many(() => upload(server.url, one.key, 10))) === 5) exact.files += 1;
        const two = await bootstrap(server.url);
        // 1,000 bytes each, of 5,000: five fit as bytes and as files.
        const sized = made(await many((index) => upload(server.url, two.key, index % 2 === 0 ? 1000 : 1001)));
        const { body } = await send('GET', `${server.url}/machine/usage`, { key: two.key });
        if (sized >= 4 && sized <= 5 && body.storage.usedBytes <= 5000) exact.bytes += 1;
      }
      await server.end();
      const database = await openDatabase({ url: databaseUrl, dataDir: server.dataDir });
      const wrong = await listMiscounts(database);
      await database.close();
      figures.push(
        every(`${name}: rounds with exactly 5 snapshots`, exact.snapshots, tries),
        every(`${name}: rounds with exactly 5 files`, exact.files, tries),
        every(`${name}: rounds within the limit of bytes`, exact.bytes, tries),
        none(`${name}: projects whose counters differ from a recount`, wrong.length),
      );
    }
    return figures;
  },
};
