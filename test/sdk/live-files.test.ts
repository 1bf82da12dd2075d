// Files through the SDK and the real service: streamed both ways, verified, and with names that are only data.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { EnvSnap } from '@envsnap/sdk';
import { operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { describeOnSqlite, type OpenDatabase } from '../support/databases.ts';
import { startProject } from '../support/service.ts';
import { startSeveringProxy } from '../support/severing-proxy.ts';
import { readTestData } from '../support/test-data.ts';

const { filenames } = readTestData<{ filenames: string[] }>(import.meta);

async function start(openDatabase: OpenDatabase, env: Record<string, string> = {}) {
  const { service, key: apiKey } = await startProject(openDatabase, env);
  return new EnvSnap({ apiKey, baseUrl: service.url });
}

/** Bytes that any encoding would change. */
function* bytesInChunks(chunks: number, chunkBytes: number) {
  for (let chunk = 0; chunk < chunks; chunk += 1)
    yield Buffer.from(Array.from({ length: chunkBytes }, (_, index) => (index * 31 + chunk * 7) % 256));
}

describeOnSqlite((openDatabase) => {
  describe('files', () => {
    it('are uploaded, listed, downloaded and deleted', async () => {
      const client = await start(openDatabase);
      const content = Buffer.concat([...bytesInChunks(3, 100_000)]);
      const checksum = createHash('sha256').update(content).digest('hex');
      const made = await client.files.upload({
        content,
        filename: 'data.bin',
        contentType: 'application/x-data',
      });
      expect(operations.uploadFile.response.parse(made)).toEqual(made);
      expect(made).toMatchObject({ filename: 'data.bin', size: 300_000, checksum });
      const list = await client.files.list();
      expect(operations.listFiles.response.parse(list)).toEqual(list);
      expect(list.files).toMatchObject([
        { id: made.id, contentType: 'application/x-data', sizeBytes: 300_000 },
      ]);
      expect(await client.files.iterate().toArray()).toEqual(list.files);
      const { stream, ...facts } = await client.files.download(made.id, { verify: true });
      expect(facts).toMatchObject({
        filename: 'data.bin',
        contentType: 'application/x-data',
        sizeBytes: 300_000,
        checksum,
      });
      expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(content)).toBe(true);
      expect(await client.files.delete(made.id)).toEqual({ success: true });
      await expect(client.files.download(made.id)).rejects.toMatchObject({ code: 'file_not_found' });
    });

    it('of unknown size come from a stream and go into one', async () => {
      const client = await start(openDatabase);
      const seen: number[] = [];
      const made = await client.files.upload({
        content: Readable.from(bytesInChunks(40, 65_536)),
        filename: 'stream.bin',
        onProgress: ({ transferredBytes }) => seen.push(transferredBytes),
      });
      expect(made.size).toBe(40 * 65_536);
      expect(seen.at(-1)).toBe(made.size);
      const { stream } = await client.files.download(made.id, { verify: true });
      const hash = createHash('sha256');
      for await (const chunk of stream) hash.update(chunk);
      expect(hash.digest('hex')).toBe(made.checksum);
    });

    it.each(filenames)('keep the name %s', async (filename) => {
      const client = await start(openDatabase);
      const made = await client.files.upload({ content: 'x', filename });
      expect(made.filename).toBe(filename);
      const download = await client.files.download(made.id);
      expect(download.filename).toBe(filename);
      expect(await new Response(download.stream).text()).toBe('x');
    });

    it('that are empty stay empty', async () => {
      const client = await start(openDatabase);
      const made = await client.files.upload({ content: '', filename: 'empty' });
      const download = await client.files.download(made.id, { verify: true });
      expect(download.sizeBytes).toBe(0);
      expect(await new Response(download.stream).text()).toBe('');
    });

    it('whose connection breaks again and again arrive whole, and are asked for no byte twice', async () => {
      const { service, key: apiKey } = await startProject(openDatabase);
      const client = new EnvSnap({ apiKey, baseUrl: service.url });
      const content = Buffer.concat([...bytesInChunks(50, 65_536)]);
      const { id } = await client.files.upload({ content, filename: 'large.bin' });
      await using proxy = await startSeveringProxy(service.url, 700_000);
      const shaky = new EnvSnap({ apiKey, baseUrl: proxy.baseUrl });
      const download = await shaky.files.download(id);
      expect(Buffer.from(await new Response(download.stream).arrayBuffer()).equals(content)).toBe(true);
      // 3.3 MB in pieces of 0.7 MB less the heads.
      expect(proxy.severed()).toBe(4);
    });

    it('that are too many or too large are refused, also from a stream', async () => {
      const client = await start(openDatabase, {
        ENVSNAP_MAX_FILES: '1',
        ENVSNAP_MAX_STORAGE_BYTES: '100000',
      });
      const content = () => Readable.from(bytesInChunks(10, 65_536));
      await expect(client.files.upload({ content, filename: 'large' })).rejects.toMatchObject({
        name: 'QuotaError',
        code: 'storage_quota_exceeded',
      });
      await client.files.upload({ content: 'x', filename: 'one' });
      await expect(client.files.upload({ content: 'x', filename: 'two' })).rejects.toMatchObject({
        name: 'QuotaError',
        code: 'file_quota_exceeded',
      });
    });
  });
});
