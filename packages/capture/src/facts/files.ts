// Facts about file systems, the captured folder and the home folder. docs/specification.md §11.

import { isDotenvFile } from '../dotenv/read-dotenv.ts';
import { type FactReaders, type FactReading, type FactSources, setOf } from './fact-reader.ts';
import type { FactContext } from './tool-settings.ts';
import { readRegistryNames, readRegistryValue } from './windows-registry.ts';

export function fileReaders(sources: FactContext): FactReaders {
  const { machine, folder, mounts } = sources;
  return {
    'fs.caseSensitive': () => readCaseSensitivity(sources),
    'fs.symlinks': async () => {
      const type = (await mounts.holding(folder))?.type;
      return type === undefined ? undefined : !withoutLinks.has(type);
    },
    'fs.sharedMemory': () => machine.files.isFolder('/dev/shm'),
    'dotenv.lineEnds': async () => {
      const found: string[] = [];
      for (const file of (await machine.files.names(folder)).filter(isDotenvFile))
        if ((await machine.files.text(machine.files.paths.join(folder, file)))?.includes('\r\n'))
          found.push(file);
      return setOf(found);
    },
    'folder.owned': async () => {
      const owner = (await machine.files.status(folder))?.ownerId;
      const { userId } = machine.processState();
      return owner === undefined || userId === undefined ? undefined : owner === userId;
    },
    'home.default': () => {
      const { accountHome } = machine.processState();
      if (accountHome === undefined) return undefined;
      const trimmed = (path: string): string => path.replace(/(?<=[^/])\/+$/, '');
      return trimmed(machine.homeDir) === trimmed(accountHome);
    },
    'windows.defenderExclusion': async () => {
      const lists = await Promise.all(defenderExclusions.map((key) => readRegistryNames(machine, key)));
      if (lists.every((list) => list === undefined)) return undefined;
      const bare = (path: string): string => path.toLowerCase().replace(/\\$/, '');
      const above = new Set(machine.files.upward(folder).map(bare));
      return lists.some((list) => list?.some((path) => above.has(bare(path))));
    },
    'windows.wsl': async () => {
      const distribution = await readRegistryValue(machine, subsystem, 'DefaultDistribution');
      if (distribution === undefined) return undefined;
      const key = `${subsystem}\\${distribution}`;
      const name = await readRegistryValue(machine, key, 'DistributionName');
      const version = await readRegistryValue(machine, key, 'Version');
      return name && `${name}${version === undefined ? '' : ` in version ${Number(version)}`}`;
    },
  };
}

const subsystem = 'HKCU\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Lxss';
const defenderExclusions = ['Policies\\Microsoft', 'Microsoft'].map(
  (vendor) => `HKLM\\SOFTWARE\\${vendor}\\Windows Defender\\Exclusions\\Paths`,
);
/** File systems that cannot hold symbolic links. */
const withoutLinks = new Set(['vfat', 'msdos', 'exfat', 'fat', 'fat32']);

/**
 * Looks up an existing name in the other case, if the folder does not have both. Goes upward if a folder has no name
 * with letters, but never out of the file system.
 */
async function readCaseSensitivity({ machine, folder, mounts }: FactSources): Promise<FactReading> {
  const own = (await mounts.holding(folder))?.point;
  for (const above of machine.files.upward(folder)) {
    if ((await mounts.holding(above))?.point !== own) break;
    const entries = await machine.files.entries(above);
    const there = new Set(entries.map((entry) => entry.name));
    // A dangling link proves nothing.
    const name = entries
      .filter(({ kind }) => kind === 'file' || kind === 'directory')
      .map((entry) => entry.name)
      .sort()
      .find((each) => otherCase(each) !== each && !there.has(otherCase(each)));
    if (name === undefined) continue;
    return (await machine.files.status(machine.files.paths.join(above, otherCase(name)))) === undefined;
  }
  return undefined;
}

/** ASCII letters only, because file systems treat the others differently. */
function otherCase(name: string): string {
  return name.replace(/[a-zA-Z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}
