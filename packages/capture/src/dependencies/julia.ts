// Julia: Manifest.toml of formats 1 and 2.

import { entriesOf, field, isObject, textField } from './json.ts';
import { anyVersion, createPackageList, type PackageList, versionOfCommit } from './package-list.ts';
import { ParseProblem } from './parse-problem.ts';
import { parseToml } from './toml.ts';

/** Manifest.toml: packages; modules of the standard library have no version of their own and stand as `*`. */
export function parseJuliaManifest(text: string): PackageList {
  const manifest = parseToml(text);
  const list = createPackageList();
  const holder = field(manifest, 'manifest_format') === undefined ? { deps: manifest } : manifest;
  let foreign = 0;
  for (const [name, entries] of entriesOf(holder, 'deps')) {
    if (!Array.isArray(entries)) {
      foreign += isObject(entries) ? 1 : 0;
      continue;
    }
    for (const entry of entries) {
      const url = textField(entry, 'repo-url');
      const tree = url === undefined ? undefined : textField(entry, 'git-tree-sha1');
      const path = textField(entry, 'path');
      const version = textField(entry, 'version') ?? (path === undefined ? anyVersion : `path:${path}`);
      list.add(name, versionOfCommit(version, url ?? '', tree));
    }
  }
  if (list.size === 0 && foreign > 0) throw new ParseProblem('it is no manifest of Julia');
  return list;
}
