// The SQLite database of rpm, as on Fedora, Red Hat 9 and their relatives; older formats are not read.
// https://rpm-software-management.github.io/rpm/manual/hregions.html

import type { CapturedMachine } from '../../system/machine.ts';
import { columnsOf, readRows } from './sqlite-table.ts';
import type { InstalledPackages } from './text-databases.ts';

/** Name, version and release are at the beginning of a package's header, before its thousands of files. */
const prefixBytes = 16 * 1024;
const tags = { name: 1000, version: 1001, release: 1002, epoch: 1003 } as const;

/** Undefined if the database cannot be read as a file. */
export async function readRpm(
  machine: CapturedMachine,
  path: string,
): Promise<InstalledPackages | undefined> {
  if (!path.endsWith('.sqlite')) return undefined;
  // Rows that are still in the write-ahead log are not in the file.
  const log = await machine.files.status(`${path}-wal`);
  if (log !== undefined && log.sizeBytes > 0) return undefined;
  const packages: [string, string][] = [];
  const read = (offset: number, length: number) => machine.readFile(path, { offset, length });
  for await (const row of readRows(read, 'Packages', prefixBytes)) {
    const blob = columnsOf(row)[1];
    const entry = Buffer.isBuffer(blob) ? readHeader(blob) : undefined;
    // The keys that sign packages are in the same table.
    if (entry && entry[0] !== 'gpg-pubkey') packages.push(entry);
  }
  return packages;
}

/** An index with 16 bytes per entry (tag, type, offset, count), then the data. */
function readHeader(blob: Buffer): [name: string, version: string] | undefined {
  const count = blob.readUInt32BE(0);
  const data = 8 + 16 * count;
  const found = new Map<number, number>();
  for (let entry = 0; entry < count && 8 + 16 * entry + 16 <= blob.length; entry += 1) {
    const at = 8 + 16 * entry;
    found.set(blob.readUInt32BE(at), data + blob.readUInt32BE(at + 8));
  }
  const text = (tag: number): string | undefined => {
    const at = found.get(tag);
    const end = at === undefined ? -1 : blob.indexOf(0, at);
    return at === undefined || end < 0 ? undefined : blob.toString('utf8', at, end);
  };
  const [name, version, release] = [text(tags.name), text(tags.version), text(tags.release)];
  if (!name || !version || !release) return undefined;
  const epochAt = found.get(tags.epoch);
  const epoch = epochAt === undefined || epochAt + 4 > blob.length ? '' : `${blob.readUInt32BE(epochAt)}:`;
  return [name, `${epoch}${version}-${release}`];
}
