// Julia: Manifest.toml of formats 1 and 2, Project.toml.

import { entriesOf, field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, versionOfCommit } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';

import { parseToml } from '../text/toml.ts';

/** Manifest.toml: packages; modules of the standard library have no version of their own and stand as `*`. */
export function parseJuliaManifest(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  const holder = field(manifest, 'manifest_format') === undefined ? { deps: manifest } : manifest;
  let foreign = 0;
  for (const [name, entries] of entriesOf(holder, 'deps')) {
    if (!Array.isArray(entries)) {
      foreign += isPlainObject(entries) ? 1 : 0;
      continue;
    }
    for (const entry of entries) {
      const url = textField(entry, 'repo-url');
      const tree = url === undefined ? undefined : textField(entry, 'git-tree-sha1');
      const path = textField(entry, 'path');
      const version = textField(entry, 'version') ?? (path === undefined ? anyVersion : `path:${path}`);
      const source =
        url === undefined ? undefined : (`git+${url}#${textField(entry, 'repo-rev') ?? tree ?? ''}` as const);
      list.add(name, versionOfCommit(version, url ?? '', tree), source, textField(entry, 'git-tree-sha1'));
    }
  }
  if (list.size === 0 && foreign > 0) throw new ParseProblem('it is not a manifest of Julia');
}

/** Project.toml: requirements with the versions that `[compat]` allows. */
export function parseJuliaProject(text: string, list: PackageList): void {
  const project = parseToml(text);
  const allowed = field(project, 'compat');
  for (const section of ['deps', 'weakdeps']) {
    for (const [name] of entriesOf(project, section)) list.add(name, textField(allowed, name) ?? anyVersion);
  }
}
