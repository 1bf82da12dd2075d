// Reads versions from the archives of Java programs.

import type { VersionFromFiles } from './tool.ts';

/** Largest archive that is read. */
const maxArchiveBytes = 8 * 1024 * 1024;

/** Maven, if its archive's name has no version, as on Debian: read from the build properties in the archive. */
export const mavenCoreJar: VersionFromFiles = async ({ machine, realPath }) => {
  const library = machine.files.paths.join(machine.files.paths.dirname(realPath), '..', 'lib');
  const name = (await machine.files.names(library)).find((each) => /^maven-core-.*\.jar$/.test(each));
  if (name === undefined) return undefined;
  const path = machine.files.paths.join(library, name);
  return machine.fileCache.of('maven', path, async () => {
    try {
      const archive = await machine.readFile(path, { length: maxArchiveBytes });
      const properties = await archiveEntry(
        archive,
        'META-INF/maven/org.apache.maven/maven-core/pom.properties',
      );
      return properties && /^version=(\S+)/m.exec(properties)?.[1];
    } catch {
      return undefined;
    }
  });
};

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** Text of a small entry of a ZIP archive, by its exact name. */
async function archiveEntry(bytes: Uint8Array, wanted: string): Promise<string | undefined> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < 0) return undefined;
  let at = archive.readUInt32LE(end + 16);
  for (let remaining = archive.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    if (archive.readUInt32LE(at) !== directoryEntry) return undefined;
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (name === wanted) return entryText(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return undefined;
}

async function entryText(archive: Buffer, at: number): Promise<string | undefined> {
  const method = archive.readUInt16LE(at + 10);
  const compressedBytes = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const content = archive.subarray(from, from + compressedBytes);
  if (method === 0) return content.toString('utf8');
  if (method !== 8) return undefined;
  const { inflateRawSync } = await import('node:zlib');
  return inflateRawSync(content, { maxOutputLength: 65_536 }).toString('utf8');
}
