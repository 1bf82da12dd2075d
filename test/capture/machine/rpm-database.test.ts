import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { readRpm } from '../../../packages/capture/src/machine/packages/rpm.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-rpm-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A header as rpm stores it, followed by the given number of other bytes. */
function header(
  name: string,
  version: string,
  release: string,
  epoch: number | undefined,
  filler: number,
): Buffer {
  const texts: [number, Buffer][] = [
    [1000, Buffer.from(`${name}\0`)],
    [1001, Buffer.from(`${version}\0`)],
    [1002, Buffer.from(`${release}\0`)],
    [1004, Buffer.from(`a package\0`)],
  ];
  const number = Buffer.alloc(4);
  number.writeUInt32BE(epoch ?? 0);
  const entries = epoch === undefined ? texts : [...texts, [1003, number] as [number, Buffer]];
  const index = Buffer.alloc(8 + 16 * entries.length);
  index.writeUInt32BE(entries.length, 0);
  let offset = 0;
  for (const [at, [tag, bytes]] of entries.entries()) {
    index.writeUInt32BE(tag, 8 + 16 * at);
    index.writeUInt32BE(6, 12 + 16 * at);
    index.writeUInt32BE(offset, 16 + 16 * at);
    index.writeUInt32BE(1, 20 + 16 * at);
    offset += bytes.length;
  }
  return Buffer.concat([index, ...entries.map(([, bytes]) => bytes), Buffer.alloc(filler, 0x41)]);
}

function write(file: string, pageSize: number, packages: readonly Buffer[]): string {
  const location = path.join(folder, file);
  const database = new DatabaseSync(location);
  database.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE Other (x); INSERT INTO Other VALUES (1.5);`);
  database.exec('CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL)');
  const insert = database.prepare('INSERT INTO Packages (blob) VALUES (?)');
  database.exec('BEGIN');
  for (const bytes of packages) insert.run(bytes);
  database.exec('COMMIT');
  database.close();
  return location;
}

async function read(location: string) {
  const system = createSystem();
  const found = await readRpm(openMachine(system), location);
  return found && [...found];
}

describe('the database of rpm', () => {
  it.each([512, 4096, 65_536])('is read with pages of %d bytes', async (pageSize) => {
    const expected = Array.from({ length: 300 }, (_, index) => [`package-${index}`, `1.${index}-2.fc42`]);
    const packages = expected.map(([name = '', version = ''], index) => {
      const [number = '', release = ''] = version.split('-');
      return header(name, number, release, undefined, (index * 397) % 40_000);
    });
    const location = write(`pages-${pageSize}.sqlite`, pageSize, packages);
    expect(await read(location)).toEqual(expected);
  });

  it('writes the epoch, and leaves keys of signatures out', async () => {
    const location = write('epoch.sqlite', 4096, [
      header('openssl-libs', '3.2.1', '2.fc40', 1, 10),
      header('gpg-pubkey', 'a15b79cc', '63d04c2c', undefined, 10),
    ]);
    expect(await read(location)).toEqual([['openssl-libs', '1:3.2.1-2.fc40']]);
  });

  it('is not read if it is of another kind', async () => {
    expect(await read('/var/lib/rpm/Packages')).toBeUndefined();
  });
});
