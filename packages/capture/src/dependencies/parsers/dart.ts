// Dart and Flutter: pubspec.lock and pubspec.yaml.

import {
  anyVersion,
  createPackageList,
  gitSource,
  type PackageList,
  type PackageSource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { key, mapEntries, parseYamlMap, textKey } from '../text/yaml.ts';

/** pubspec.lock: packages from everywhere; those of an SDK with the version that the file states. */
export function parsePubspecLock(text: string): PackageList {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && key(lock, 'packages') === undefined && key(lock, 'sdks') === undefined) {
    throw new ParseProblem('it has no `packages`');
  }
  const list = createPackageList();
  for (const [name, entry] of mapEntries(lock, 'packages')) {
    const description = key(entry, 'description');
    const commit = textKey(entry, 'source') === 'git' ? textKey(description, 'resolved-ref') : undefined;
    list.add(
      name,
      versionOfCommit(textKey(entry, 'version') ?? anyVersion, textKey(description, 'url') ?? '', commit),
      gitSource(textKey(description, 'url'), commit) ?? pathSource(entry),
    );
  }
  return list;
}

/** A folder, or what comes with the SDK and from no registry. */
function pathSource(entry: unknown): PackageSource | undefined {
  const description = key(entry, 'description');
  if (textKey(entry, 'source') === 'path') return `path:${textKey(description, 'path') ?? '.'}`;
  return textKey(entry, 'source') === 'sdk' ? 'generic' : undefined;
}

/** pubspec.yaml: requirements as they are written. */
export function parsePubspec(text: string): PackageList {
  const manifest = parseYamlMap(text);
  const list = createPackageList();
  for (const section of ['dependencies', 'dev_dependencies']) {
    for (const [name, wanted] of mapEntries(manifest, section)) list.add(name, requirement(wanted));
  }
  return list;
}

function requirement(wanted: unknown): string {
  if (typeof wanted === 'string') return wanted || anyVersion;
  const sdk = textKey(wanted, 'sdk');
  if (sdk) return `sdk:${sdk}`;
  const path = textKey(wanted, 'path');
  const git = key(wanted, 'git');
  if (git !== undefined) {
    const url = typeof git === 'string' ? git : textKey(git, 'url');
    return versionOfCommit(undefined, url ?? 'git', textKey(git, 'ref'));
  }
  return textKey(wanted, 'version') ?? (path === undefined ? anyVersion : `path:${path}`);
}
