// Gleam: manifest.toml and gleam.toml.

import { entriesOf, field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';

import { parseToml } from '../../text/toml.ts';

/** manifest.toml: packages from Hex, from git with their commit, and folders. Other tools' files of that name count as none. */
export function parseGleamManifest(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  list.isRecorded = Array.isArray(field(manifest, 'packages'));
  for (const entry of itemsOf(manifest, 'packages')) {
    const name = textField(entry, 'name');
    const version = textField(entry, 'version');
    if (!name || !version) throw new ParseProblem(`its package ${name ?? 'without a name'} has no version`);
    const source = textField(entry, 'source');
    const address = textField(entry, 'repo') ?? '';
    const commit = textField(entry, 'commit');
    if (source === 'git')
      list.add(name, versionOfCommit(version, address, commit), `git+${address}#${commit ?? ''}`);
    else if (source === 'local') list.add(name, version, `path:${textField(entry, 'path') ?? '.'}`);
    else list.add(name, version);
  }
}

/** gleam.toml: requirements as they are written. */
export function parseGleam(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  for (const section of ['dependencies', 'dev-dependencies', 'dev_dependencies']) {
    for (const [name, wanted] of entriesOf(manifest, section)) {
      const path = textField(wanted, 'path');
      const git = textField(wanted, 'git');
      if (typeof wanted === 'string') list.add(name, wanted);
      else if (git) list.add(name, versionOfCommit(undefined, git, textField(wanted, 'ref')));
      else list.add(name, path === undefined ? anyVersion : `path:${path}`);
    }
  }
}
