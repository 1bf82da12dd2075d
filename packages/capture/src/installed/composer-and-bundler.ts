// Composer's `vendor/composer/installed.json`, and the gems that Bundler put into the project's own folder.

import { isObject } from '../dependencies/text/json.ts';
import { addVersion, type Drift, type LockPlace, readJsonObject } from './drift.ts';

export async function composerDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, root, path } = place;
  const { join } = machine.files.paths;
  const record = await readJsonObject(machine, join(root, 'vendor', 'composer', 'installed.json'));
  const lock = await readJsonObject(machine, path);
  if (!record || !lock) return undefined;
  const installed = new Map<string, string>();
  for (const { name, version } of packagesIn(record.packages)) {
    // A folder that was deleted by hand is still in the record.
    if (await machine.files.isFolder(join(root, 'vendor', ...name.split('/')))) installed.set(name, version);
  }
  const drift = new Map<string, string>();
  const check = (section: unknown, mayMiss: boolean): void => {
    for (const { name, version } of packagesIn(section)) {
      const present = installed.get(name);
      if (present === undefined) {
        if (!mayMiss) drift.set(name, '');
      } else if (bare(present) !== bare(version)) drift.set(name, bare(present));
    }
  };
  check(lock.packages, false);
  check(lock['packages-dev'], record.dev !== true);
  return drift;
}

function packagesIn(section: unknown): { name: string; version: string }[] {
  const items: unknown[] = Array.isArray(section) ? section : [];
  return items.flatMap((item) =>
    isObject(item) &&
    typeof item.name === 'string' &&
    typeof item.version === 'string' &&
    item.type !== 'metapackage'
      ? [{ name: item.name, version: item.version }]
      : [],
  );
}

function bare(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}

/** A gem home may hold several versions of a gem: it drifted when none of them is the locked one. */
export async function bundlerDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, root, locked } = place;
  const { join } = machine.files.paths;
  const config = (await machine.files.text(join(root, '.bundle', 'config'))) ?? '';
  const setting = /^BUNDLE_PATH:[ \t]*"?([^"\n]+)/m.exec(config)?.[1]?.trimEnd();
  const base = machine.files.paths.resolve(root, setting ?? join('vendor', 'bundle'));
  const [engine] = (await machine.files.names(base)).filter((name) =>
    /^(?:ruby|jruby|truffleruby)$/.test(name),
  );
  if (engine === undefined) return undefined;
  const installed = new Map<string, Set<string>>();
  for (const version of await machine.files.names(join(base, engine))) {
    for (const name of await machine.files.names(join(base, engine, version, 'specifications'))) {
      const match = /^(.+?)-(\d[^-]*)(?:-.*)?$/s.exec(name.replace(/\.gemspec$/, ''));
      if (!match || !name.endsWith('.gemspec')) continue;
      const [, gem = '', gemVersion = ''] = match;
      installed.set(gem, (installed.get(gem) ?? new Set()).add(gemVersion));
    }
  }
  if (installed.size === 0) return undefined;
  const without = /^BUNDLE_(?:WITHOUT|ONLY):/m.test(config) || machine.env.BUNDLE_WITHOUT !== undefined;
  const drift = new Map<string, string>();
  for (const [name, text] of Object.entries(locked)) {
    // Bundler itself is in no bundle; `1.16.0-x86_64-linux` is 1.16.0 for one platform.
    const versions = text.split(', ').map((version) => version.replace(/-.*$/s, ''));
    if (name === 'bundler' || !versions.every((version) => /^\d[\w.]*$/.test(version))) continue;
    const present = installed.get(name);
    if (present === undefined) {
      if (!without) drift.set(name, '');
    } else if (!versions.some((version) => present.has(version)))
      for (const version of present) addVersion(drift, name, version);
  }
  return drift;
}
