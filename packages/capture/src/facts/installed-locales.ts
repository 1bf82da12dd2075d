// Which locales the C library has: folders of /usr/lib/locale, and the index of its archive.

import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { FactReading, FactSources } from './fact-reader.ts';

const folder = '/usr/lib/locale';
/** The archive's index comes first; its content may have 200 MB. */
const maxIndexBytes = 8 * 1024 * 1024;

export async function readInstalledLocales({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'darwin') return sorted(await foldersOf(machine.files, '/usr/share/locale'));
  // musl knows no installed locales, but translations of its messages.
  const names = await foldersOf(
    machine.files,
    (await machine.files.isFolder(folder)) ? folder : '/usr/share/i18n/locales/musl',
  );
  const archived = await archivedLocales(machine);
  return sorted([...names, ...archived]);
}

async function foldersOf(files: MachineFiles, path: string): Promise<string[]> {
  const entries = await files.entries(path);
  return entries.filter(({ kind }) => kind !== 'file').map(({ name }) => name);
}

/** glibc itself always has C and POSIX; one locale may stand in a folder and in the archive. */
function sorted(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.replace(/\.utf-?8$/i, '.utf8')))].sort();
}

/** `struct locarhead` and its table of names: locale/locarchive.h of glibc. Words have the machine's byte order. */
async function archivedLocales(machine: CapturedMachine): Promise<string[]> {
  const archive = `${folder}/locale-archive`;
  if (!(await machine.files.isFile(archive))) return [];
  try {
    const head = Buffer.from(await machine.readFile(archive, { length: 56 }));
    const little = head.readUInt32LE(0) === 0xde020109;
    if (!little && head.readUInt32BE(0) !== 0xde020109) return [];
    const u32 = (bytes: Buffer, at: number): number =>
      little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const [tableOffset, size] = [u32(head, 8), u32(head, 16)];
    const end = Math.max(tableOffset + size * 12, u32(head, 20) + u32(head, 24));
    if (end > maxIndexBytes) return [];
    const index = Buffer.from(await machine.readFile(archive, { length: end }));
    const names: string[] = [];
    for (let entry = 0; entry < size; entry += 1) {
      const name = u32(index, tableOffset + entry * 12 + 4);
      const record = u32(index, tableOffset + entry * 12 + 8);
      if (name === 0 || record === 0) continue;
      names.push(index.toString('latin1', name, index.indexOf(0, name)));
    }
    return names;
  } catch {
    return [];
  }
}
