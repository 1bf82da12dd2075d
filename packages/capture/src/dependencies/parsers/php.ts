// PHP: composer.lock and composer.json.

import { field, isPlainObject } from '@envsnap/shared/plain-object';
import {
  addTexts,
  digestOf,
  entriesIn,
  entriesUnder,
  firstText,
  itemsUnder,
  type ParseContext,
  patchDigest,
  requiredItems,
  requiredTexts,
  textFields,
} from '../fields.ts';
import {
  gitSource,
  type PackageList,
  type PackageSource,
  patched,
  pathSource,
  versionOfCommit,
} from '../package-list.ts';
import { parseJsonObject } from '../text/json.ts';

/** composer.lock: packages for use and for development; branches (`dev-main`) with their commit. */
export async function parseComposerLock(text: string, list: PackageList, context: ParseContext) {
  const lock = parseJsonObject(text);
  const packages = [...requiredItems(lock, 'packages'), ...itemsUnder(lock, 'packages-dev')];
  const patches = await context.include('composer.json', readPatches);
  list.set('platform', platformOf(entriesUnder(lock, 'platform-overrides')));
  for (const entry of packages) {
    // Plugins of WordPress have versions such as 20240101, which some repositories write as numbers.
    const written = field(entry, 'version');
    const version = typeof written === 'number' ? String(written) : written;
    const [name = '', known = ''] = requiredTexts({ name: field(entry, 'name'), version }, 'name', 'version');
    const isBranch = known.startsWith('dev-') || known.endsWith('-dev');
    const [sourceUrl, sourceReference] = textFields(field(entry, 'source'), 'url', 'reference');
    const [kind, url, reference, shasum] = textFields(
      field(entry, 'dist'),
      'type',
      'url',
      'reference',
      'shasum',
    );
    const isFolder = kind === 'path';
    // For a folder, the reference is a hash of its manifest.
    const commit = isBranch ? (sourceReference ?? (isFolder ? undefined : reference)) : undefined;
    const place =
      gitSource(sourceUrl, commit) ??
      pathSource(isFolder ? `file:${url ?? '.'}` : undefined) ??
      repositoryOf(sourceUrl ?? url, name);
    const own = patches?.get(name) ?? [];
    const digests = await Promise.all(own.map((patch) => patchDigest(context, patch)));
    const origin = own.length === 0 ? place : patched(place, digestOf(digests.join()));
    const sums = isFolder || commit !== undefined ? [] : [reference ?? sourceReference, shasum];
    const checksums = sums.flatMap((sum) => (sum ? `ref:${sum}` : []));
    list.add(name, versionOfCommit(known, '', commit), origin, checksums);
  }
}

/** A repository other than the GitHub repository with the package's name, where most packages are. */
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
    const patches = entriesUnder(field(parseJsonObject(text), 'extra'), 'patches');
    return new Map(
      patches.map(([name, listed]) => {
        const each = Array.isArray(listed) ? listed : Object.values(isPlainObject(listed) ? listed : {});
        const places = each.map((patch) => firstText(patch, 'url', 'path') ?? patch);
        return [name, places.filter((place) => typeof place === 'string')];
      }),
    );
  } catch {
    // The manifest gets its own warning.
    return new Map();
  }
}

/** composer.json: requirements as they are written, those of PHP and its extensions too. */
export function parseComposerJson(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  addTexts(list, entriesIn(manifest, 'require', 'require-dev'));
  list.set('platform', platformOf(entriesUnder(field(manifest, 'config'), 'platform')));
  list.setAll(manifest, 'extra.patches repositories minimum-stability prefer-stable config.allow-plugins');
}

/** PHP is recorded with the declared versions. */
function platformOf(platform: readonly [name: string, version: unknown][]) {
  return Object.fromEntries(platform.filter(([name]) => name !== 'php'));
}
