// Crystal: shard.lock and shard.yml.

import { entriesOf, field, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseYamlMap } from '../text/yaml.ts';

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
    const place = textField(entry, forge);
    if (place) return `${prefix}${place}`;
  }
  return undefined;
}

/** shard.lock of versions 1 and 2: shards with the version, or with the commit where they are locked to one. */
export function parseShardLock(text: string, list: PackageList): void {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && field(lock, 'shards') === undefined) throw new ParseProblem('it has no `shards`');
  for (const [name, entry] of entriesOf(lock, 'shards')) {
    const repository = repositoryOf(entry);
    const path = textField(entry, 'path');
    const version = textField(entry, 'version') ?? textField(entry, 'commit');
    const source = repository === undefined ? undefined : (`git+${repository}` as const);
    list.add(name, version ?? (path === undefined ? anyVersion : `path:${path}`), source);
  }
}

/** shard.yml: requirements as they are written. */
export function parseShard(text: string, list: PackageList): void {
  const manifest = parseYamlMap(text);
  for (const section of ['dependencies', 'development_dependencies']) {
    for (const [name, entry] of entriesOf(manifest, section)) {
      const reference = ['version', 'tag', 'branch', 'commit'].map((field) => textField(entry, field));
      const path = textField(entry, 'path');
      list.add(name, reference.find(Boolean) ?? (path === undefined ? anyVersion : `path:${path}`));
    }
  }
}
