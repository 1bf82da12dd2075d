// Crystal: shard.lock and shard.yml.

import { anyVersion, createPackageList, type PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { key, mapEntries, parseYamlMap, textKey } from '../text/yaml.ts';

const forges: Readonly<Record<string, string>> = {
  github: 'https://github.com/',
  gitlab: 'https://gitlab.com/',
  bitbucket: 'https://bitbucket.org/',
  codeberg: 'https://codeberg.org/',
  git: '',
};

/** Where a shard comes from; undefined for a folder and for what names no place. */
function repositoryOf(entry: unknown): string | undefined {
  for (const [forge, prefix] of Object.entries(forges)) {
    const place = textKey(entry, forge);
    if (place) return `${prefix}${place}`;
  }
  return undefined;
}

/** shard.lock of versions 1 and 2: shards with the version, or with the commit where they are locked to one. */
export function parseShardLock(text: string): PackageList {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && key(lock, 'shards') === undefined) throw new ParseProblem('it has no `shards`');
  const list = createPackageList();
  for (const [name, entry] of mapEntries(lock, 'shards')) {
    const repository = repositoryOf(entry);
    const path = textKey(entry, 'path');
    const version = textKey(entry, 'version') ?? textKey(entry, 'commit');
    const source = repository === undefined ? undefined : (`git+${repository}` as const);
    list.add(name, version ?? (path === undefined ? anyVersion : `path:${path}`), source);
  }
  return list;
}

/** shard.yml: requirements as they are written. */
export function parseShard(text: string): PackageList {
  const manifest = parseYamlMap(text);
  const list = createPackageList();
  for (const section of ['dependencies', 'development_dependencies']) {
    for (const [name, entry] of mapEntries(manifest, section)) {
      const reference = ['version', 'tag', 'branch', 'commit'].map((field) => textKey(entry, field));
      const path = textKey(entry, 'path');
      list.add(name, reference.find(Boolean) ?? (path === undefined ? anyVersion : `path:${path}`));
    }
  }
  return list;
}
