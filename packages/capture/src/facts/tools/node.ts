// Facts about npm and Bun that are more than one setting of a file.

import { addressOf } from '../addresses.ts';
import { at, readToml, textOf } from '../config-files.ts';
import { configPlaces } from '../config-places.ts';
import { type FactReaders, type FactSources, setOf } from '../fact-reader.ts';
import type { FactContext } from '../tool-settings.ts';

export function nodeToolReaders(context: FactContext): FactReaders {
  const npm = (name: string): Promise<string | undefined> => context.settings.get('npm', name);
  return {
    'npm.scopedRegistries': async () =>
      setOf(
        [...(await context.settings.all('npm'))].flatMap(([name, address]) => {
          const scope = /^(@[^:]+):registry$/.exec(name)?.[1];
          return scope ? [`${scope} ${addressOf(address)}`] : [];
        }),
      ),
    'npm.omit': async () => {
      const kinds = new Set(((await npm('omit')) ?? '').split(/[\s,]+/).filter(Boolean));
      if ((await npm('production')) === 'true') kinds.add('dev');
      if ((await npm('optional')) === 'false') kinds.add('optional');
      return setOf(kinds);
    },
    'npm.scriptShell': async () => (await npm('script-shell'))?.replace(/^.*[\\/]/, '') || undefined,
    'bun.registry': async () => {
      const registry = await readBun(context);
      const address = registry && addressOf(registry);
      return address === 'registry.npmjs.org' ? undefined : address;
    },
  };
}

async function readBun(sources: FactSources): Promise<string | undefined> {
  const { files } = sources.machine;
  const { home, userConfig } = configPlaces(sources);
  const { join } = files.paths;
  let registry: string | undefined;
  for (const file of [
    home('.bunfig.toml'),
    join(userConfig, '.bunfig.toml'),
    join(sources.folder, 'bunfig.toml'),
  ]) {
    const setting = at(await readToml(files, file), 'install', 'registry');
    registry = textOf(setting) ?? textOf(at(setting, 'url')) ?? registry;
  }
  return registry;
}
