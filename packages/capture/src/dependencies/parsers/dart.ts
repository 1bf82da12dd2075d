// Dart and Flutter: pubspec.lock and pubspec.yaml.

import { entriesOf, field, textField } from '@envsnap/shared/plain-object';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** pubspec.lock: packages from everywhere; those of an SDK with the version that the file states. */
export function parsePubspecLock(text: string, list: PackageList): void {
  const lock = parseYamlMap(text);
  if (text.trim() !== '' && field(lock, 'packages') === undefined && field(lock, 'sdks') === undefined) {
    throw new ParseProblem('it has no `packages`');
  }
  for (const [name, entry] of entriesOf(lock, 'packages')) {
    const description = field(entry, 'description');
    const commit = textField(entry, 'source') === 'git' ? textField(description, 'resolved-ref') : undefined;
    list.add(
      name,
      versionOfCommit(textField(entry, 'version') ?? anyVersion, textField(description, 'url') ?? '', commit),
      gitSource(textField(description, 'url'), commit) ??
        pathSource(entry) ??
        registrySource(textField(description, 'url'), /^https:\/\/pub\.(?:dev|dartlang\.org)$/),
      textField(description, 'sha256'),
    );
  }
}

/** A folder, or what comes with the SDK and from no registry. */
function pathSource(entry: unknown): PackageSource | undefined {
  const description = field(entry, 'description');
  if (textField(entry, 'source') === 'path') return `path:${textField(description, 'path') ?? '.'}`;
  return textField(entry, 'source') === 'sdk' ? 'generic' : undefined;
}

/** pubspec.yaml, pubspec_overrides.yaml: requirements as they are written. */
export function parsePubspec(text: string, list: PackageList): void {
  const manifest = parseYamlMap(text);
  const wanted = new Map<string, unknown>();
  for (const section of ['dependencies', 'dev_dependencies', 'dependency_overrides']) {
    for (const [name, value] of entriesOf(manifest, section)) wanted.set(name, value);
  }
  for (const [name, value] of wanted) list.add(name, requirement(value));
}

function requirement(wanted: unknown): string {
  if (typeof wanted === 'string') return wanted || anyVersion;
  const sdk = textField(wanted, 'sdk');
  if (sdk) return `sdk:${sdk}`;
  const path = textField(wanted, 'path');
  const git = field(wanted, 'git');
  if (git !== undefined) {
    const url = typeof git === 'string' ? git : textField(git, 'url');
    return versionOfCommit(undefined, url ?? 'git', textField(git, 'ref'));
  }
  return textField(wanted, 'version') ?? (path === undefined ? anyVersion : `path:${path}`);
}
