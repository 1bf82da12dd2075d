// Facts about language and time. docs/specification.md §11.

import { textStart } from '../machine/ask-machine.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import { type FactReaders, type FactReading, type FactSources, setOf, shortDigest } from './fact-reader.ts';
import { kernelNames } from './kernel.ts';
import type { FactContext } from './tool-settings.ts';

export function languageReaders(sources: FactContext): FactReaders {
  const { machine } = sources;
  return {
    'locale.installed': () => readInstalledLocales(sources),
    'locale.categories': () => setOf(otherCategories(machine.env)),
    'time.tzdata': () => readZoneVersion(sources),
    'time.localtime': async () => {
      const isLink = (await machine.files.realPath('/etc/localtime')) !== '/etc/localtime';
      const bytes = isLink ? undefined : await machine.readFile('/etc/localtime').catch(() => undefined);
      return bytes && shortDigest(bytes);
    },
    'node.icu': async () => (await nodeVersions(sources)).icu,
    'node.unicode': async () => (await nodeVersions(sources)).unicode,
    'icu.system': () => systemIcu(sources),
  };
}

const categories = (
  'LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME LC_ADDRESS LC_IDENTIFICATION LC_MEASUREMENT LC_NAME ' +
  'LC_PAPER LC_TELEPHONE'
).split(' ');

/** Categories whose variable differs from the overall locale (with `LC_ALL`, none do). */
function otherCategories(env: CapturedMachine['env']): string[] {
  if (env.LC_ALL) return [];
  const overall = env.LC_CTYPE || env.LANG || 'C';
  return categories.flatMap((name) => {
    const value = env[name] || env.LANG || 'C';
    return value === overall ? [] : [`${name}=${value}`];
  });
}

/** Debian and most others ship the zones' source, which begins with the version; BSD systems have a separate file. */
async function readZoneVersion({ machine }: FactSources): Promise<FactReading> {
  const folder = '/usr/share/zoneinfo';
  const own =
    (await machine.files.text(`${folder}/+VERSION`)) ?? (await machine.files.text(`${folder}/version`));
  if (own?.trim()) return own.trim();
  const version = /^# version (\S+)/.exec(await textStart(machine, `${folder}/tzdata.zi`, 64))?.[1];
  return version ?? ((await machine.files.names(folder)).length === 0 ? 'none' : undefined);
}

async function systemIcu({ machine, searchFolders }: FactSources): Promise<FactReading> {
  if (searchFolders.length === 0) return undefined;
  // Not the name that the kernel gives a process with a personality.
  const architecture = kernelNames[machine.arch] ?? machine.operatingSystem().machine ?? '';
  for (const folder of [`/usr/lib/${architecture}-linux-gnu`, '/usr/lib64', '/usr/lib']) {
    const versions = (await machine.files.names(folder)).flatMap(
      (name) => /^libicuuc\.so\.(\d+\.\d+)$/.exec(name)?.[1] ?? [],
    );
    if (versions.length > 0) return versions.sort().join(', ');
  }
  return undefined;
}

interface NodeVersions {
  /** The major version; a build's configuration shows no more. */
  readonly icu?: string;
  readonly unicode?: string;
}

/** Unicode version by the first major version of ICU that includes it. https://icu.unicode.org/download */
const unicodeSince: readonly (readonly [icu: number, unicode: string | undefined])[] = [
  [79, undefined],
  [78, '17.0'],
  [76, '16.0'],
  [74, '15.1'],
  [72, '15.0'],
  [70, '14.0'],
  [67, '13.0'],
];

/**
 * The running Node.js knows its version. Another one has its build's configuration beside it (`PREFIX/include/node`)
 * if it comes from an archive of nodejs.org or a version manager; otherwise it is started once.
 */
async function nodeVersions({ machine, locator }: FactSources): Promise<NodeVersions> {
  const node = await locator.locate('node');
  if (node.kind !== 'found') return {};
  const major =
    node.realPath === machine.hostRuntime.execPath
      ? majorOf(machine.processState().versions.icu)
      : ((await configuredIcu(machine, node.realPath)) ??
        (await machine.fileCache.of('icu of node', node.realPath, () => askedIcu(machine, node.realPath))));
  if (!major) return {};
  const unicode = unicodeSince.find(([icu]) => Number(major) >= icu)?.[1];
  return { icu: major, ...(unicode && { unicode }) };
}

async function configuredIcu(machine: CapturedMachine, node: string): Promise<string | undefined> {
  const { paths } = machine.files;
  const prefix = paths.dirname(paths.dirname(node));
  const config = await machine.files.text(paths.join(prefix, 'include', 'node', 'config.gypi'));
  return config && /['"]icu_ver_major['"]: ['"](\d+)['"]/.exec(config)?.[1];
}

async function askedIcu(machine: CapturedMachine, node: string): Promise<string | undefined> {
  const answer = await machine.execute(node, ['-p', 'process.versions.icu'], { weight: 'light' });
  return answer.outcome === 'exited' ? majorOf(answer.stdout.trim()) : undefined;
}

/** `78` of `78.2`; undefined if the text is not a version. */
function majorOf(icu: string | undefined): string | undefined {
  const [major = ''] = (icu ?? '').split('.');
  return /^\d{1,4}$/.test(major) ? major : undefined;
}

const folder = '/usr/lib/locale';
/** The archive begins with its index; the content may have 200 MB. */
const maxIndexBytes = 8 * 1024 * 1024;

async function readInstalledLocales({ machine }: FactSources): Promise<FactReading> {
  if (machine.platform === 'darwin') return sorted(await foldersOf(machine.files, '/usr/share/locale'));
  // musl has no installed locales, only translations of its messages.
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

/** glibc always has C and POSIX. A locale may be both in a folder and in the archive. */
function sorted(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.replace(/\.utf-?8$/i, '.utf8')))].sort();
}

/** `struct locarhead` and its table of names: locale/locarchive.h of glibc. Numbers have the machine's byte order. */
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
