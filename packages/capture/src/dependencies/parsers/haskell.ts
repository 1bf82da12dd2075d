// Haskell: stack.yaml.lock and cabal.project.freeze.

import {
  anyVersion,
  createPackageList,
  gitSource,
  type PackageList,
  versionOfCommit,
} from '../package-list.ts';
import { forEachLine } from '../text/lines.ts';
import { key, listItems, parseYamlMap, textKey } from '../text/yaml.ts';

/** stack.yaml.lock: packages beyond the snapshot, and the snapshot itself as `snapshot`. */
export function parseStackLock(text: string, context: { warn(message: string): void }): PackageList {
  const lock = parseYamlMap(text);
  const list = createPackageList();
  for (const item of listItems(lock, 'packages')) {
    const completed = key(item, 'completed');
    const hackage = /^(.+)-(\d[\d.]*)(?:@.*)?$/s.exec((textKey(completed, 'hackage') ?? '').slice(0, 1024));
    const name = hackage?.[1] ?? textKey(completed, 'name');
    const version = hackage?.[2] ?? textKey(completed, 'version');
    if (name) {
      const place = textKey(completed, 'git') ?? textKey(completed, 'url') ?? anyVersion;
      const commit = textKey(completed, 'commit');
      list.add(name, versionOfCommit(version, place, commit), gitSource(textKey(completed, 'git'), commit));
    } else context.warn('one of its packages has no name');
  }
  for (const item of listItems(lock, 'snapshots')) {
    const url = textKey(key(item, 'completed'), 'url') ?? '';
    // `…/lts/20/26.yaml`, `…/nightly/2024/1/1.yaml`
    const known = /\/(lts|nightly)\/([\d/]+)\.ya?ml$/.exec(url.slice(-200));
    const separator = known?.[1] === 'lts' ? '.' : '-';
    if (url) list.add('snapshot', known ? `${known[1]}-${known[2]?.replaceAll('/', separator)}` : url);
  }
  return list;
}

/** cabal.project.freeze: pinned packages; flags are left out. */
export function parseCabalFreeze(text: string): PackageList {
  const list = createPackageList();
  forEachLine(text, (line) => {
    if (line.trimStart().startsWith('--')) return;
    for (const constraint of line.replace(/^constraints:/, '').split(',')) {
      const match = /^(?:[\w.]+\.|[\w-]+:setup\.)?([A-Za-z0-9][\w-]*)\s*==\s*([\d.]+(?:\.\*)?)$/.exec(
        constraint.trim(),
      );
      if (match) list.add(match[1] as string, match[2] as string);
    }
  });
  return list;
}
