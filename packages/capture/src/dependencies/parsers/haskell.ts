// Haskell: stack.yaml.lock and cabal.project.freeze.

import { field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, gitSource, type PackageList, versionOfCommit } from '../package-list.ts';
import type { ParseContext } from '../parse-context.ts';
import { forEachLine } from '../text/lines.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** stack.yaml.lock: packages beyond the snapshot, and the snapshot itself as `snapshot`. */
export function parseStackLock(text: string, list: PackageList, context: ParseContext): void {
  const lock = parseYamlMap(text);
  for (const item of itemsOf(lock, 'packages')) {
    const completed = field(item, 'completed');
    const hackage = /^(.+)-(\d[\d.]*)(?:@.*)?$/s.exec((textField(completed, 'hackage') ?? '').slice(0, 1024));
    const name = hackage?.[1] ?? textField(completed, 'name');
    const version = hackage?.[2] ?? textField(completed, 'version');
    if (name) {
      const place = textField(completed, 'git') ?? textField(completed, 'url') ?? anyVersion;
      const commit = textField(completed, 'commit');
      const sum = /@(sha256:[0-9a-f]+)/.exec(textField(completed, 'hackage') ?? '')?.[1];
      list.add(
        name,
        versionOfCommit(version, place, commit),
        gitSource(textField(completed, 'git'), commit),
        sum,
      );
    } else context.warn('one of its packages has no name');
  }
  for (const item of itemsOf(lock, 'snapshots')) {
    const url = textField(field(item, 'completed'), 'url') ?? '';
    // `…/lts/20/26.yaml`, `…/nightly/2024/1/1.yaml`
    const known = /\/(lts|nightly)\/([\d/]+)\.ya?ml$/.exec(url.slice(-200));
    const separator = known?.[1] === 'lts' ? '.' : '-';
    if (url) list.add('snapshot', known ? `${known[1]}-${known[2]?.replaceAll('/', separator)}` : url);
  }
}

/** cabal.project.freeze: pinned packages; flags are left out. */
export function parseCabalFreeze(text: string, list: PackageList): void {
  forEachLine(text, (line) => {
    if (line.trimStart().startsWith('--')) return;
    for (const constraint of line.replace(/^constraints:/, '').split(',')) {
      const [first = '', ...others] = constraint.split('||').map((part) => part.trim());
      const match = /^(?:[\w.]+\.|[\w-]+:setup\.)?([A-Za-z0-9][\w-]*)\s*(==.*)$/.exec(first);
      // A library and a tool that is built with another one may have two versions: `any.a ==1.0 || ==1.1`.
      for (const part of match ? [match[2] as string, ...others] : []) {
        const version = /^==\s*([\d.]+(?:\.\*)?)$/.exec(part)?.[1];
        if (version) list.add(match?.[1] as string, version);
      }
    }
  });
}
