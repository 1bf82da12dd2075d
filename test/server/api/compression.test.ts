// Responses that are compressed for callers who accept it, and those that never are.

import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOnSqlite } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';

/** A response in its transmitted form; fetch would decompress it. */
function raw(
  url: string,
  options: { key: string; method?: string; accept?: string; headers?: Record<string, string> },
) {
  const { key, method = 'GET', accept, headers = {} } = options;
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = httpRequest(
        url,
        {
          method,
          headers: { 'x-api-key': key, ...(accept ? { 'accept-encoding': accept } : {}), ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes: Buffer.concat(chunks),
            }),
          );
        },
      );
      sent.once('error', reject);
      sent.end();
    },
  );
}

describeOnSqlite((openDatabase) => {
  describe('a large response', () => {
    const packages = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`package-${index}`, `1.${index}.0`]));

    it.each([
      ['some 20 KB', 1_000],
      ['some 600 KB', 30_000],
    ])('of %s is sent as br or gzip to who accepts it, and as it is to everybody else', async (_, count) => {
      const warnings: string[] = [];
      const note = ({ name }: Error) => void warnings.push(name);
      process.on('warning', note);
      onTestFinished(() => void process.off('warning', note));
      const { service, key } = await startProject(openDatabase);
      const body = { machineName: 'm', dependencies: { 'package-lock.json': packages(count) } };
      const { id } = (await service.send(key, 'POST', '/machine/snapshots', body)).body;
      const url = `${service.url}/machine/snapshots/${id}`;
      const plain = await raw(url, { key });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.headers.vary).toContain('Accept-Encoding');
      const br = await raw(url, { key, accept: 'gzip;q=0.5, br' });
      expect(br.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
      const gz = await raw(url, { key, accept: 'gzip' });
      expect(gz.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(gz.bytes).equals(plain.bytes)).toBe(true);
      expect(gz.bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect((await raw(url, { key, accept: 'identity' })).bytes.equals(plain.bytes)).toBe(true);
      expect(
        (await raw(url, { key, accept: 'br;q=0, gzip;q=0' })).headers['content-encoding'],
      ).toBeUndefined();
      // Each form accepts the tag of the other.
      const tag = String(br.headers.etag);
      expect(tag).toBe(`W/${plain.headers.etag}`);
      expect((await raw(url, { key, headers: { 'if-none-match': tag } })).status).toBe(304);
      // Node.js would write it into the log, for each such response.
      expect(warnings).not.toContain('MaxListenersExceededWarning');
    });

    it('is never compressed where it is small', async () => {
      const { service, key } = await startProject(openDatabase);
      const { headers } = await raw(`${service.url}/machine/usage`, { key, accept: 'br, gzip' });
      expect(headers['content-encoding']).toBeUndefined();
    });
  });
});
