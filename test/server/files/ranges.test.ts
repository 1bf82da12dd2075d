// Ranges of files: exactly the bytes that were asked for, whatever part of the sealed form holds them. RFC 9110 §14.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseByteRange } from '../../../packages/server/src/files/send-file.ts';
import { describeOnSqlite } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';
import { download, upload } from './support.ts';

it.each([
  [undefined, undefined],
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=3-5', { start: 3, end: 5 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=3-99', { start: 3, end: 9 }],
  ['bytes=-4', { start: 6, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['Bytes=1-2', { start: 1, end: 2 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-3', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['items=0-1', undefined],
  ['bytes=a-b', undefined],
  [`bytes=${'9'.repeat(20)}-`, undefined],
])('of ten bytes, %s means %o', (header, expected) => {
  expect(parseByteRange(header, 10)).toEqual(expected);
});

it('no range is satisfiable of nothing', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseByteRange('bytes=-1', 0)).toBe('unsatisfiable');
});

const chunkBytes = 64 * 1024;
const sizes = [1, 10, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, 3 * chunkBytes + 7];

describeOnSqlite((openDatabase) => {
  it('any range of any file gives its bytes, with their place and length', async () => {
    const { service, key } = await startProject(openDatabase);
    const files = await Promise.all(
      sizes.map(async (size) => {
        const content = randomBytes(size);
        return { content, id: (await upload(service, { key, content })).body.id as string };
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(files.length - 1), fc.nat(), fc.nat(), async (which, a, b) => {
        const { content, id } = files[which] as (typeof files)[number];
        const [start, end] = [a % content.length, b % content.length].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const answer = await download(service, key, id, { headers: { range: `bytes=${start}-${end}` } });
        expect(answer.status).toBe(206);
        expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${content.length}`);
        expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
        expect(answer.bytes.equals(content.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it.runIf(process.platform === 'linux')('no file stays open after a response', async () => {
    const { service, key } = await startProject(openDatabase);
    const { id } = (await upload(service, { key, content: randomBytes(3 * chunkBytes) })).body;
    for (const range of [
      'bytes=0-9',
      `bytes=${chunkBytes + 5}-${chunkBytes + 9}`,
      `bytes=${2 * chunkBytes}-`,
    ])
      expect((await download(service, key, id, { headers: { range } })).status).toBe(206);
    const isOpen = (descriptor: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`).includes(id);
      } catch {
        return false;
      }
    };
    await expect.poll(() => readdirSync('/proc/self/fd').filter(isOpen)).toEqual([]);
  });

  it('conditions decide between the range, the whole and nothing', async () => {
    const { service, key } = await startProject(openDatabase);
    const { id, checksum } = (await upload(service, { key, content: '0123456789' })).body;
    const ask = (headers: Record<string, string>, method = 'GET') =>
      download(service, key, id, { method, headers });
    const etag = `"${checksum}"`;
    const whole = await ask({});
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect((await ask({ range: 'bytes=4-', 'if-range': etag })).bytes.toString()).toBe('456789');
    for (const other of ['"another"', `W/${etag}`, 'Sat, 07 Feb 2026 13:00:00 GMT']) {
      const answer = await ask({ range: 'bytes=4-', 'if-range': other });
      expect([answer.status, answer.bytes.toString()]).toEqual([200, '0123456789']);
    }
    expect((await ask({ range: 'bytes=4-', 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ range: 'bytes=0-1,5-6' })).status).toBe(200);
    const head = await ask({ range: 'bytes=4-' }, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    const outside = await ask({ range: 'bytes=10-' });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('content-range')).toBe('bytes */10');
    expect(JSON.parse(outside.bytes.toString())).toMatchObject({ code: 'range_not_satisfiable' });
  });

  it('bytes that were changed are never sent, wherever the range begins', async () => {
    const { service, key } = await startProject(openDatabase);
    const { id } = (await upload(service, { key, content: randomBytes(3 * chunkBytes) })).body;
    const file = path.join(service.config.dataDir, 'files', id);
    const sealed = readFileSync(file);
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    writeFileSync(file, sealed);
    const answer = await download(service, key, id, { headers: { range: `bytes=${2 * chunkBytes + 5}-` } });
    expect(answer.status).toBe(500);
  });
});
