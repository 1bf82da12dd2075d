// PHP: composer.lock and composer.json.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import {
  gitSource,
  type PackageList,
  type PackageSource,
  patched,
  pathSource,
  versionOfCommit,
} from '../package-list.ts';
import type { ParseContext } from '../parse-context.ts';
import { ParseProblem } from '../parse-problem.ts';
import { digestOf, patchDigest } from '../patch-digest.ts';
import { parseJsonObject } from '../text/json.ts';

/** composer.lock: packages for use and for development; branches (`dev-main`) with their commit. */
export async function parseComposerLock(
  text: string,
  list: PackageList,
  context: ParseContext,
): Promise<void> {
  const lock = parseJsonObject(text);
  if (!Array.isArray(field(lock, 'packages'))) throw new ParseProblem('it has no list of `packages`');
  const patches = await context.include('composer.json', readPatches);
  list.set(
    'platform',
    JSON.stringify(field(lock, 'platform-overrides') ?? '').replace(/^(?:""|\[\]|\{\})$/, ''),
  );
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
    const address = textField(source, 'url') ?? textField(dist, 'url');
    const place =
      gitSource(textField(source, 'url'), commit) ?? pathSource(path) ?? repositoryOf(address, name);
    const own = patches?.get(name) ?? [];
    const digests = await Promise.all(own.map((patch) => patchDigest(context, patch)));
    const origin = own.length === 0 ? place : patched(place, digestOf(digests.join()));
    const shasum = textField(dist, 'shasum');
    const reference = textField(dist, 'reference') ?? textField(source, 'reference');
    // The reference of a folder is a hash of its manifest.
    const isKnown = textField(dist, 'type') !== 'path' && commit === undefined;
    list.add(
      name,
      versionOfCommit(version, '', commit),
      origin,
      isKnown ? [reference, shasum].flatMap((sum) => (sum ? `ref:${sum}` : [])) : [],
    );
  }
}

/** A repository that is not the one of the package's own name on GitHub, where most are. */
function repositoryOf(address: string | undefined, name: string): PackageSource | undefined {
  if (!address?.startsWith('http')) return undefined;
  const [, forge] =
    /^https:\/\/(?:api\.)?github\.com\/(?:repos\/)?([^/]+\/[^/]+?)(?:\.git)?(?:\/zipball\/.*)?$/.exec(
      address,
    ) ?? [];
  if (forge?.toLowerCase() === name.toLowerCase()) return undefined;
  return forge ? `git+https://github.com/${forge}.git` : (address as PackageSource);
}

/** `extra.patches` of composer-patches: package to its patches, files or addresses. */
function readPatches(text: string): ReadonlyMap<string, readonly string[]> {
  try {
    const patches = entriesOf(field(parseJsonObject(text), 'extra'), 'patches');
    return new Map(
      patches.map(([name, listed]) => {
        const each = Array.isArray(listed) ? listed : Object.values(isPlainObject(listed) ? listed : {});
        const places = each.map((patch) => textField(patch, 'url') ?? textField(patch, 'path') ?? patch);
        return [name, places.filter((place) => typeof place === 'string')];
      }),
    );
  } catch {
    // The manifest gets its own warning.
    return new Map();
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
  for (const [name, value] of [
    ['platform', field(field(manifest, 'config'), 'platform')],
    ['patches', field(field(manifest, 'extra'), 'patches')],
    ['repositories', field(manifest, 'repositories')],
  ] as const)
    if (value !== undefined) list.set(name, JSON.stringify(value).slice(0, maxSetting));
}

/** Longest setting of a manifest, in characters. */
const maxSetting = 2000;
