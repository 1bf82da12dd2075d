// Facts about file systems, the captured folder and the home folder. docs/specification.md §11.

import { isDotenvFile } from '../dotenv/read-dotenv.ts';
import { type FactReaders, type FactReading, type FactSources, setOf } from './fact-reader.ts';
import { readRegistryNames, readRegistryValue } from './windows-registry.ts';

export function fileReaders(sources: FactSources): FactReaders<'files'> {
  const { machine, folder, mounts } = sources;
  const onWindows = machine.platform === 'win32';
  const temporary = (): string => {
    if (onWindows) return machine.env.TEMP ?? machine.env.TMP ?? 'C:\\Windows\\Temp';
    return machine.env.TMPDIR || '/tmp';
  };
  const option = (path: string, name: string) => async (): Promise<FactReading> => {
    const mount = await mounts.holding(path);
    return mount?.options.includes(name);
  };
  const onRegistry = async (key: string, name: string): Promise<string | undefined> =>
    onWindows ? readRegistryValue(machine, key, name) : undefined;

  return {
    'fs.type': async () => (await mounts.holding(folder))?.type,
    'fs.temporaryType': async () => (await mounts.holding(temporary()))?.type,
    'fs.caseSensitive': () => readCaseSensitivity(sources),
    'fs.symlinks': async () => {
      if (onWindows) {
        const mode = await onRegistry(
          'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\AppModelUnlock',
          'AllowDevelopmentWithoutDevLicense',
        );
        return mode === undefined ? undefined : Number(mode) === 1;
      }
      const type = (await mounts.holding(folder))?.type;
      return type === undefined ? undefined : !withoutLinks.has(type);
    },
    'fs.noexec': option(folder, 'noexec'),
    'fs.temporaryNoexec': option(temporary(), 'noexec'),
    'fs.readOnly': option(folder, 'ro'),
    'fs.temporaryWritable': () => machine.isWritable(temporary()),
    'fs.full': () => machine.isFull(folder).catch(() => undefined),
    'fs.temporaryFull': () => machine.isFull(temporary()).catch(() => undefined),
    'fs.sharedMemory': () => (machine.platform === 'linux' ? machine.files.isFolder('/dev/shm') : undefined),
    'dotenv.lineEnds': async () => {
      const found: string[] = [];
      for (const file of await machine.files.names(folder)) {
        if (!isDotenvFile(file)) continue;
        const text = await machine.files.text(machine.files.paths.join(folder, file));
        if (text?.includes('\r\n')) found.push(file);
      }
      return setOf(found);
    },
    'folder.owned': async () => {
      if (onWindows) return undefined;
      const owner = (await machine.files.status(folder))?.ownerId;
      const { userId } = machine.processState();
      return owner === undefined || userId === undefined ? undefined : owner === userId;
    },
    'folder.plainPath': () => isPlain(folder),
    'home.default': () => {
      const { accountHome } = machine.processState();
      if (onWindows || accountHome === undefined) return undefined;
      const trimmed = (path: string): string => path.replace(/(?<=[^/])\/+$/, '');
      return trimmed(machine.homeDir) === trimmed(accountHome);
    },
    'home.writable': () => machine.isWritable(machine.homeDir),
    'home.plainPath': () => isPlain(machine.homeDir),
    'windows.longPaths': async () => {
      const value = await onRegistry(
        'HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem',
        'LongPathsEnabled',
      );
      return value === undefined ? undefined : Number(value) === 1;
    },
    'windows.codePage': () => onRegistry(codePages, 'ACP'),
    'windows.consoleCodePage': () => onRegistry(codePages, 'OEMCP'),
    'windows.executionPolicy': async () => {
      for (const key of executionPolicies) {
        const policy = await onRegistry(key, 'ExecutionPolicy');
        if (policy !== undefined) return policy;
      }
      return undefined;
    },
    'windows.defenderExclusion': async () => {
      if (!onWindows) return undefined;
      const lists = await Promise.all(defenderExclusions.map((key) => readRegistryNames(machine, key)));
      if (lists.every((list) => list === undefined)) return undefined;
      const bare = (path: string): string => path.toLowerCase().replace(/\\$/, '');
      const above = new Set(machine.files.upward(folder).map(bare));
      return lists.some((list) => list?.some((path) => above.has(bare(path))));
    },
    'windows.wsl': async () => {
      const distribution = await onRegistry(subsystem, 'DefaultDistribution');
      if (distribution === undefined) return undefined;
      const key = `${subsystem}\\${distribution}`;
      const name = await onRegistry(key, 'DistributionName');
      const version = await onRegistry(key, 'Version');
      return name && `${name}${version === undefined ? '' : ` in version ${Number(version)}`}`;
    },
  };
}

const subsystem = 'HKCU\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Lxss';
const defenderExclusions = ['Policies\\Microsoft', 'Microsoft'].map(
  (vendor) => `HKLM\\SOFTWARE\\${vendor}\\Windows Defender\\Exclusions\\Paths`,
);
const codePages = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage';
/** Where Windows PowerShell looks, the first that says something. */
const executionPolicies = [
  'HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\PowerShell',
  'HKCU\\SOFTWARE\\Policies\\Microsoft\\Windows\\PowerShell',
  'HKCU\\SOFTWARE\\Microsoft\\PowerShell\\1\\ShellIds\\Microsoft.PowerShell',
  'HKLM\\SOFTWARE\\Microsoft\\PowerShell\\1\\ShellIds\\Microsoft.PowerShell',
];

/** File systems of which none can hold a symbolic link. */
const withoutLinks = new Set(['vfat', 'msdos', 'exfat', 'fat', 'fat32']);

function isPlain(path: string): boolean {
  return /^[\x21-\x7e]*$/.test(path);
}

/**
 * Looks an existing name up in the other case, one that the folder does not list in both. Goes upward where a folder has no
 * name with letters, never out of the file system.
 */
async function readCaseSensitivity({ machine, folder, mounts }: FactSources): Promise<FactReading> {
  const own = (await mounts.holding(folder))?.point;
  for (const above of machine.files.upward(folder)) {
    if ((await mounts.holding(above))?.point !== own) break;
    const entries = await machine.files.entries(above);
    const there = new Set(entries.map((entry) => entry.name));
    // A link may lead nowhere, and then says nothing.
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

/** ASCII letters only: file systems disagree about the others. */
function otherCase(name: string): string {
  return name.replace(/[a-zA-Z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}
