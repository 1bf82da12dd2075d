// Facts about language and time. Decisions §11.

import { createHash } from 'node:crypto';
import { type FactReaders, type FactReading, type FactSources, setOf } from './fact-reader.ts';
import { readInstalledLocales } from './installed-locales.ts';
import { nodeVersions } from './node-versions.ts';

export function languageReaders(sources: FactSources): FactReaders<'language'> {
  const { system, files } = sources;
  return {
    'locale.installed': () => readInstalledLocales(sources),
    'locale.categories': () => (system.platform === 'win32' ? undefined : setOf(otherCategories(system.env))),
    'time.tzdata': () => readZoneVersion(sources),
    'time.localtime': async () => {
      if (system.platform !== 'linux') return undefined;
      const real = await files.realPath('/etc/localtime');
      if (real === undefined || real !== '/etc/localtime') return undefined;
      const bytes = await system.readFile(real).catch(() => undefined);
      return bytes && `sha256:${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
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

/** Categories whose variable is set to something else than the overall locale (`LC_ALL` leaves none). */
function otherCategories(env: FactSources['system']['env']): string[] {
  if (env.LC_ALL) return [];
  const overall = env.LC_CTYPE || env.LANG || 'C';
  return categories.flatMap((name) => {
    const value = env[name] || env.LANG || 'C';
    return value === overall ? [] : [`${name}=${value}`];
  });
}

/** Debian and most others ship the source of the zones with a first line of its version; BSD systems a file of its own. */
async function readZoneVersion({ system, files }: FactSources): Promise<FactReading> {
  if (system.platform === 'win32') return undefined;
  const folder = '/usr/share/zoneinfo';
  const own = (await files.text(`${folder}/+VERSION`)) ?? (await files.text(`${folder}/version`));
  if (own?.trim()) return own.trim();
  const source = await system.readFileStart(`${folder}/tzdata.zi`, 64).catch(() => undefined);
  const version = source && /^# version (\S+)/.exec(new TextDecoder().decode(source))?.[1];
  if (version) return version;
  if ((await files.names(folder)).length === 0) return 'none';
  return undefined;
}

async function systemIcu({ system, files, searchFolders }: FactSources): Promise<FactReading> {
  if (system.platform !== 'linux' || searchFolders.length === 0) return undefined;
  const machine = system.operatingSystem().machine ?? '';
  const folders = [`/usr/lib/${machine}-linux-gnu`, '/usr/lib64', '/usr/lib'];
  for (const folder of folders) {
    const versions = (await files.names(folder)).flatMap(
      (name) => /^libicuuc\.so\.(\d+\.\d+)$/.exec(name)?.[1] ?? [],
    );
    if (versions.length > 0) return versions.sort().join(', ');
  }
  return undefined;
}
