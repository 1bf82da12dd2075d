// Data for tests of backups, and stores and archives that misbehave.

import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FileStore } from '../../../packages/server/src/files/file-store.ts';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { openArchive } from '../../../packages/server/src/operator/backup/read-archive.ts';
import { type Row, tables, writeRows } from '../../../packages/server/src/operator/backup/tables.ts';

const projectId = '00000000-0000-4000-8000-000000000001';
export const fileId = '00000000-0000-4000-8000-000000000002';
export const content = randomBytes(100);

/** A project with the given number of logged requests, and the row of one file. */
export async function fill(database: Database, requests: number): Promise<void> {
  const table = (name: string) => {
    const found = tables.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no table ${name}`);
    return found;
  };
  await database.transact(async (executor) => {
    const insert = (name: string, rows: Row[]) => writeRows(executor, table(name), rows);
    const times = { created_at: 1_700_000_000_000 };
    await insert('projects', [{ id: projectId, name: 'p', description: null, ...times, updated_at: 1 }]);
    await insert('project_quotas', [
      {
        project_id: projectId,
        max_snapshots: 1,
        max_files: 5,
        max_storage_bytes: 10_000,
        max_requests_per_minute: 1,
        max_requests_per_day: 1,
        files_used: 1,
        storage_used_bytes: content.length,
      },
    ]);
    await insert('files', [
      {
        id: fileId,
        project_id: projectId,
        filename: 'f',
        content_type: 'text/plain',
        size_bytes: content.length,
        checksum: createHash('sha256').update(content).digest('hex'),
        storage_key: fileId,
        ...times,
      },
    ]);
    const logged = Array.from({ length: requests }, (_, index) => ({
      project_id: projectId,
      api_key_id: projectId,
      method: 'GET',
      path: `/machine/snapshots/${randomBytes(20).toString('hex')}`,
      route: '/machine/snapshots/:id',
      status_code: 200,
      response_time_ms: index % 50,
      ...times,
    }));
    await insert('request_logs', logged);
  });
}

export async function digestOfRequests(database: Database): Promise<string> {
  const columns = ['method', 'path', 'status_code', 'response_time_ms', 'created_at'];
  const rows = await database.all(database.dialect.builder('request_logs').select(columns).orderBy('path'));
  return `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex')}`;
}

export async function* chunks(...parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

/** New sessions end if they leave a transaction idle for longer. */
export async function limitIdleTransactions(database: Database): Promise<void> {
  const { builder } = database.dialect;
  await database.run(
    builder.raw(
      `do $$ begin execute format('alter database %I set idle_in_transaction_session_timeout = 2000', current_database()); end $$`,
    ),
  );
}

/** A store that takes longer for a file than {@link limitIdleTransactions} allows. */
export function slowStore(store: FileStore): FileStore {
  return {
    ...store,
    async put(key, source) {
      await sleep(2500);
      await store.put(key, source);
    },
  };
}

/** Writes a backup as version 0.1 did: a compressed tar with plain rows and the digest of each entry at its end. */
export async function writeOldArchive(made: string, old: string): Promise<void> {
  const { pack } = createRequire(path.resolve('packages/server/package.json'))('tar-stream');
  const archive = pack();
  const checksums: Record<string, string> = {};
  for await (const { name, content: entry } of openArchive(made)) {
    const bytes = await buffer(entry);
    const plainName = name.replace(/\.gz$/, '');
    let plain = name === plainName ? bytes : gunzipSync(bytes);
    if (name === 'manifest.json')
      plain = Buffer.from(plain.toString().replace('"formatVersion": 2', '"formatVersion": 1'));
    archive.entry({ name: plainName }, plain);
    checksums[plainName] = createHash('sha256').update(plain).digest('hex');
  }
  archive.entry({ name: 'checksums.json' }, JSON.stringify(checksums));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part);
  const output = createWriteStream(old);
  await new Promise((resolve) => output.end(gzipSync(Buffer.concat(parts)), resolve as () => void));
}
