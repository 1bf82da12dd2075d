// PHP: composer.lock and composer.json.

import { entriesOf, field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { gitSource, type PackageList, pathSource, versionOfCommit } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';

/** composer.lock: packages for use and for development; branches (`dev-main`) with their commit. */
export function parseComposerLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!Array.isArray(field(lock, 'packages'))) throw new ParseProblem('it has no list of `packages`');
  for (const entry of [...itemsOf(lock, 'packages'), ...itemsOf(lock, 'packages-dev')]) {
    const name = textField(entry, 'name');
    // Plugins of WordPress have versions such as 20240101, which some repositories write as numbers.
    const version = textField(entry, 'version') ?? numberText(field(entry, 'version'));
    if (!name || !version) throw new ParseProblem(`its package ${name ?? 'without a name'} has no version`);
    const isBranch = version.startsWith('dev-') || version.endsWith('-dev');
    const source = field(entry, 'source');
    const dist = field(entry, 'dist');
    // Of a folder it is a hash of its manifest.
    const archive = textField(dist, 'type') === 'path' ? undefined : textField(dist, 'reference');
    const commit = isBranch ? (textField(source, 'reference') ?? archive) : undefined;
    const path = textField(dist, 'type') === 'path' ? `file:${textField(dist, 'url') ?? '.'}` : undefined;
    const place = gitSource(textField(source, 'url'), commit) ?? pathSource(path);
    list.add(name, versionOfCommit(version, '', commit), place);
  }
}

function numberText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined;
}

/** composer.json: requirements as they are written, those of PHP and its extensions too. */
export function parseComposerJson(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  for (const section of ['require', 'require-dev']) {
    for (const [name, range] of entriesOf(manifest, section))
      if (typeof range === 'string') list.add(name, range);
  }
}
