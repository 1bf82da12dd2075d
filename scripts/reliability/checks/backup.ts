// A large backup, restored both ways between both databases.

import { createHash } from 'node:crypto';
import { createReadStream, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { sealedStreamBytes } from '../../../packages/server/src/infra/crypto/sealed-stream.ts';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { type Check, every, type Figure, none, shown } from '../check.ts';
import { bootstrap } from '../requests.ts';
import type { World } from '../world.ts';

const fileCount = 5;

interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

const envOf = ({ dataDir, databaseUrl }: Place): Record<string, string> => ({
  ENVSNAP_DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});

const openPlace = ({ dataDir, databaseUrl }: Place) => openDatabase({ url: databaseUrl, dataDir });

/** Logged requests by the million, and sparse files that take no room on the disk. */
async function fill(place: Place, projectId: string, rows: number, fileBytes: number): Promise<void> {
  const database = await openPlace(place);
  const { builder, name } = database.dialect;
  const numbers =
    name === 'sqlite'
      ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select`
      : 'select';
  const from = name === 'sqlite' ? 'n' : `generate_series(1, ${rows}) as n(i)`;
  await database.migrating(({ transact }) =>
    transact(async (executor) => {
      await executor.run(
        builder.raw(
          `insert into request_logs (project_id, api_key_id, method, path, route, status_code, response_time_ms, created_at)
           ${numbers} '${projectId}', '${projectId}', 'GET', '/machine/snapshots/' || i, '/machine/snapshots/:id', 200, i % 90, 1700000000000 + i from ${from}`,
        ),
      );
    }),
  );
  await mkdir(path.join(place.dataDir, 'files'), { recursive: true });
  for (let index = 0; index < fileCount; index += 1) {
    const id = `00000000-0000-4000-8000-00000000000${index}`;
    const blob = path.join(place.dataDir, 'files', id);
    writeFileSync(blob, `sparse ${index}`, { mode: 0o600 });
    truncateSync(blob, sealedStreamBytes(fileBytes));
    await database.run(
      builder('files').insert({
        id,
        project_id: projectId,
        filename: `sparse-${index}`,
        content_type: 'application/octet-stream',
        size_bytes: fileBytes,
        checksum: '0'.repeat(64),
        storage_key: id,
        created_at: 1,
      }),
    );
  }
  await database.close();
}

/** The number of rows of every table that matters here, and digests of the requests and of the files' bytes. */
async function describe(place: Place): Promise<Record<string, string>> {
  const database: Database = await openPlace(place);
  const { builder } = database.dialect;
  const found: Record<string, string> = {};
  for (const table of ['projects', 'api_keys', 'memberships', 'data_keys', 'files']) {
    const row = await database.get<{ total: number }>(builder(table).count({ total: '*' }));
    found[table] = String(row?.total);
  }
  const hash = createHash('sha256');
  let total = 0;
  for (let after = 0; ; ) {
    const rows = await database.all<Record<string, string | number>>(
      builder('request_logs')
        .select('path', 'status_code', 'response_time_ms', 'created_at')
        .where('created_at', '>', after)
        .orderBy('created_at')
        .limit(10_000),
    );
    for (const row of rows)
      hash.update(`${row.path} ${row.status_code} ${row.response_time_ms} ${row.created_at}\n`);
    total += rows.length;
    const last = rows.at(-1);
    if (!last) break;
    after = Number(last.created_at);
  }
  found.request_logs = `${total} ${hash.digest('hex')}`;
  for (let index = 0; index < fileCount; index += 1) {
    const blob = createHash('sha256');
    const file = path.join(place.dataDir, 'files', `00000000-0000-4000-8000-00000000000${index}`);
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) blob.update(chunk);
    found[`file ${index}`] = blob.digest('hex');
  }
  await database.close();
  return found;
}

async function move(
  world: World,
  from: Place,
  to: Place,
): Promise<{ backUp: string; restore: string; failed: string }> {
  const file = path.join(world.folder(), 'backup');
  const made = await world.command(['backup', file], envOf(from));
  if (made.exitCode !== 0) return { backUp: '', restore: '', failed: made.stderr };
  const restored = await world.command(['restore', file], envOf(to));
  const rate = (ms: number) =>
    `${(ms / 1000).toFixed(1)} s, ${Math.round(statSync(file).size / 1e6 / (ms / 1000))} MB/s`;
  return {
    backUp: rate(made.ms),
    restore: rate(restored.ms),
    failed: restored.exitCode === 0 ? '' : restored.stderr,
  };
}

export const backup: Check = {
  name: 'backup',
  what: '1,000,000 logged requests and 5 GB of files are backed up and restored, both ways between both databases',
  async run({ rounds, world }) {
    const rows = rounds(1_000_000);
    const fileBytes = rounds(1_000_000_000);
    const postgres = await world.postgres();
    const places: Place[] = [];
    for (const kind of ['sqlite', 'postgresql', 'postgresql', 'sqlite', 'sqlite']) {
      const databaseUrl = kind === 'postgresql' ? await postgres.createDatabase() : undefined;
      places.push({ dataDir: world.folder(), databaseUrl });
    }
    const [first] = places as [Place];
    const server = await world.startServer(first);
    const { projectId } = await bootstrap(server.url);
    await server.end();
    await fill(first, projectId, rows, fileBytes);
    const original = await describe(first);

    const figures: Figure[] = [];
    let equal = 0;
    for (let index = 1; index < places.length; index += 1) {
      const [from, to] = places.slice(index - 1, index + 1) as [Place, Place];
      const kinds = [from, to].map(({ databaseUrl }) => (databaseUrl ? 'PostgreSQL' : 'SQLite')).join(' → ');
      const { backUp, restore, failed } = await move(world, from, to);
      if (failed) figures.push({ what: kinds, asked: 'no error', measured: failed, reached: false });
      else {
        const copy = await describe(to);
        if (JSON.stringify(copy) === JSON.stringify(original)) equal += 1;
        figures.push(shown(`${kinds}: backup`, backUp), shown(`${kinds}: restore`, restore));
      }
    }
    const target = await world.startServer(places.at(-1) as Place);
    figures.unshift(
      shown('rows and bytes of files in the backup', `${rows}, ${fileCount * fileBytes}`),
      every('restores with equal rows and bytes', equal, places.length - 1),
    );
    figures.push(none('exit code of the server that starts on the last copy', Number(await target.end())));
    return figures;
  },
};
