// Shared by the tests of files: uploads in the form of clients, and a view of the store.

import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { expect } from 'vitest';
import { openFileStore } from '../../../packages/server/src/files/open-file-store.ts';
import { defineSql } from '../../../packages/server/src/infra/db/statement.ts';
import { openRaw, type RawConnection } from '../../support/raw-http.ts';
import type { ApiAnswer, TestService } from '../../support/service.ts';

export interface Upload {
  readonly key: string;
  readonly name?: string;
  readonly content?: Uint8Array | string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

/** Uploads with the platform's own FormData. */
export async function upload(service: TestService, options: Upload): Promise<ApiAnswer> {
  const { key, name = 'a.txt', content = 'hello', type = 'text/plain', headers = {} } = options;
  const form = new FormData();
  form.append('file', new Blob([content as BlobPart], { type }), name);
  const response = await fetch(`${service.url}/machine/files`, {
    method: 'POST',
    headers: { 'x-api-key': key, ...headers },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends a form unchanged. */
export function uploadRaw(
  service: TestService,
  key: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  return service.request('POST', '/machine/files', {
    key,
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=XX', ...headers },
  });
}

/** A form with one part, whose headers are given. */
export function formOf(disposition: string, content = 'hello', type = 'text/plain'): Uint8Array {
  return Buffer.from(
    `--XX\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--XX--\r\n`,
  );
}

export async function download(service: TestService, key: string, id: string, init: RequestInit = {}) {
  const response = await fetch(`${service.url}/machine/files/${id}`, {
    ...init,
    headers: { 'x-api-key': key, ...(init.headers as Record<string, string>) },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** More than the system's buffers can hold for a reader who reads nothing: Linux sends 4 MiB ahead at most. */
export const fileBytes = 8 * 1024 * 1024;

/** Begins a download and reads only its beginning. */
export async function beginDownload(url: string, path: string, key = ''): Promise<RawConnection> {
  const connection = await openRaw(url);
  connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    connection.socket.once('data', () => {
      connection.socket.pause();
      resolve();
    });
  });
  return connection;
}

/** Reads to the end; returns the total number of bytes. */
export async function takeRest(connection: RawConnection): Promise<number> {
  connection.socket.resume();
  await connection.closed;
  return connection.socket.bytesRead;
}

/** The content of the store. */
export async function storedKeys(service: TestService): Promise<string[]> {
  const store = await openFileStore(service.config);
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
}

const findUsage = defineSql<
  { projectId: string },
  { files_used: number; storage_used_bytes: number; files: number; bytes: number; unneeded: number }
>(
  `select files_used, storage_used_bytes,
    (select count(*) from files where project_id = :projectId) as files,
    (select coalesce(sum(size_bytes), 0) from files where project_id = :projectId) as bytes,
    (select count(*) from unneeded_blobs) as unneeded
  from project_quotas where project_id = :projectId`,
);

/** Usage by the counters and by a recount, with the number of blobs that wait for removal. */
export async function usageOf(service: TestService, projectId: string) {
  const row = await service.database.get(findUsage, { projectId });
  if (!row) throw new Error('the project has no quotas');
  expect({ files: row.files_used, bytes: row.storage_used_bytes }).toEqual({
    files: Number(row.files),
    bytes: Number(row.bytes),
  });
  return { files: row.files_used, bytes: row.storage_used_bytes, unneeded: Number(row.unneeded) };
}

/** Begins an upload of `announcedBytes`, sends `sentBytes` of it, and cuts the connection once `until` resolves. */
export async function abortedUpload(
  service: TestService,
  key: string,
  {
    announcedBytes,
    sentBytes,
    until,
  }: { announcedBytes: number; sentBytes: number; until: () => Promise<void> },
): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(
    `POST /machine/files HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n` +
      `Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: ${announcedBytes}\r\n\r\n` +
      '--XX\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\n',
  );
  await new Promise((resolve) => socket.write(randomBytes(sentBytes), resolve));
  await until();
  socket.destroy();
}
