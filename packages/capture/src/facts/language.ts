// Facts about language and time. docs/specification.md §11.

import { textStart } from '../machine/ask-machine.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { type FactReaders, type FactReading, type FactSources, setOf, shortDigest } from './fact-reader.ts';
import { readInstalledLocales } from './installed-locales.ts';
import { kernelNames } from './kernel.ts';
import { nodeVersions } from './node-versions.ts';
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

/** Categories whose variable is set to something other than the overall locale (`LC_ALL` leaves none). */
function otherCategories(env: CapturedMachine['env']): string[] {
  if (env.LC_ALL) return [];
  const overall = env.LC_CTYPE || env.LANG || 'C';
  return categories.flatMap((name) => {
    const value = env[name] || env.LANG || 'C';
    return value === overall ? [] : [`${name}=${value}`];
  });
}

/** Debian and most others ship the source of the zones with a first line of its version; BSD systems a file of its own. */
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
  // Not as the kernel names it to a process with a personality.
  const architecture = kernelNames[machine.arch] ?? machine.operatingSystem().machine ?? '';
  for (const folder of [`/usr/lib/${architecture}-linux-gnu`, '/usr/lib64', '/usr/lib']) {
    const versions = (await machine.files.names(folder)).flatMap(
      (name) => /^libicuuc\.so\.(\d+\.\d+)$/.exec(name)?.[1] ?? [],
    );
    if (versions.length > 0) return versions.sort().join(', ');
  }
  return undefined;
}
