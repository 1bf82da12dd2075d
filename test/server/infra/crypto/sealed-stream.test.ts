import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SealContext, SealedDataError } from '../../../../packages/server/src/infra/crypto/envelope.ts';
import {
  openStream,
  type ReadSealed,
  sealedStreamBytes,
  sealStream,
} from '../../../../packages/server/src/infra/crypto/sealed-stream.ts';

const key = createSecretKey(randomBytes(32));
const context: SealContext = { purpose: 'file', projectId: 'p', table: 'files', recordId: 'f' };
const fileHeader = 33;
const sealedChunk = 64 * 1024 + 16;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

/** Reads sealed bytes as a store does, a given number at a time. */
function readerOf(sealed: Buffer, size: number): ReadSealed {
  return async ({ start, end = sealed.length - 1 }) => inPieces(sealed.subarray(start, end + 1), size);
}

function sealAll(bytes: Buffer, size = 10_000): Promise<Buffer> {
  return collect(sealStream(key, context, inPieces(bytes, size)));
}

function openAll(sealed: Buffer, size = 10_000, place = context): Promise<Buffer> {
  return collect(openStream(key, place, readerOf(sealed, size)));
}

test('a stream of any length opens again, however it is cut into pieces', async () => {
  const around = fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, 200_000);
  await fc.assert(
    fc.asyncProperty(
      around,
      fc.integer({ min: 1000, max: 150_000 }),
      fc.integer({ min: 1000, max: 150_000 }),
      async (length, sealSize, openSize) => {
        const bytes = randomBytes(length);
        const sealed = await sealAll(bytes, sealSize);
        expect(sealed).toHaveLength(sealedStreamBytes(length));
        expect((await openAll(sealed, openSize)).equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});

test('a stream that arrives byte by byte opens too', async () => {
  const bytes = randomBytes(300);
  expect((await openAll(await sealAll(bytes, 1), 1)).equals(bytes)).toBe(true);
});

test('a stream that is cut at any chunk or within one is refused', async () => {
  const sealed = await sealAll(randomBytes(3 * 65_536));
  const lengths = [
    0,
    1,
    fileHeader - 1,
    fileHeader,
    fileHeader + 1,
    fileHeader + sealedChunk,
    fileHeader + 2 * sealedChunk,
  ];
  lengths.push(fileHeader + 2 * sealedChunk + 5, sealed.length - 16, sealed.length - 1);
  for (const length of lengths)
    await expect(openAll(sealed.subarray(0, length))).rejects.toThrow(SealedDataError);
});

test('a stream with chunks swapped, repeated, dropped or added is refused', async () => {
  const sealed = await sealAll(randomBytes(3 * 65_536));
  const header = sealed.subarray(0, fileHeader);
  const chunk = (n: number) =>
    sealed.subarray(fileHeader + n * sealedChunk, fileHeader + (n + 1) * sealedChunk);
  for (const order of [
    [1, 0, 2],
    [0, 0, 1, 2],
    [0, 2],
    [1, 2],
    [0, 1, 2, 2],
  ])
    await expect(openAll(Buffer.concat([header, ...order.map(chunk)]))).rejects.toThrow(SealedDataError);
  expect(await openAll(Buffer.concat([header, ...[0, 1, 2].map(chunk)]))).toHaveLength(3 * 65_536);
});

test('a stream with any one bit flipped is refused, and nothing false is released before that', async () => {
  const bytes = randomBytes(70_000);
  const sealed = await sealAll(bytes);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: sealed.length * 8 - 1 }), async (bit) => {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const released: Buffer[] = [];
      const reading = (async () => {
        for await (const part of openStream(key, context, readerOf(changed, 10_000))) released.push(part);
      })();
      await expect(reading).rejects.toThrow(SealedDataError);
      const releasedBytes = Buffer.concat(released);
      expect(releasedBytes.equals(bytes.subarray(0, releasedBytes.length))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a stream moved to another record or project is refused', async () => {
  const sealed = await sealAll(randomBytes(100));
  for (const change of [{ recordId: 'g' }, { projectId: 'q' }, { table: 't' }, { purpose: 'other' }])
    await expect(openAll(sealed, 1000, { ...context, ...change })).rejects.toThrow(SealedDataError);
});

test('an error of the source comes through, and a reader that stops early ends the source', async () => {
  async function* breaks(): AsyncGenerator<Buffer> {
    yield randomBytes(100_000);
    throw new Error('the client went away');
  }
  await expect(collect(sealStream(key, context, breaks()))).rejects.toThrow('the client went away');

  let ended = false;
  const sealed = await sealAll(randomBytes(300_000));
  async function* watched(part: Buffer): AsyncGenerator<Buffer> {
    try {
      yield* inPieces(part, 50_000);
    } finally {
      ended = true;
    }
  }
  const read: ReadSealed = async ({ start, end = sealed.length - 1 }) => {
    ended = false;
    return watched(sealed.subarray(start, end + 1));
  };
  for await (const part of openStream(key, context, read)) {
    expect(part).toHaveLength(65_536);
    break;
  }
  expect(ended).toBe(true);
});
