// Package managers of the BEAM: Mix (mix.lock), Rebar3 (rebar.lock), Gleam (manifest.toml, gleam.toml).

import { entriesOf, field, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, registrySource, versionOfCommit } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine, refuseBinary, refuseConflicts } from '../text/lines.ts';
import { parseToml } from '../text/toml.ts';

const atom = String.raw`:(?:"([^"]+)"|(\w+))`;
const hex = new RegExp(String.raw`^\{:hex,\s*${atom},\s*"([^"]+)"`);
const git = /^\{:git,\s*"([^"]+)",\s*"([^"]+)"/;

/** mix.lock: packages from Hex under their name there, packages from git with their commit. */
export function parseMixLock(text: string, list: PackageList): void {
  let opened = false;
  let closed = false;
  forEachLine(text, (line, number) => {
    let content = line.trim();
    if (content === '' || content.startsWith('#')) return;
    if (!opened) {
      if (!content.startsWith('%{')) throw new ParseProblem('it does not begin with `%{`', { line: number });
      opened = true;
      // Mix before Elixir 1.6 wrote the first entry behind the opening brace, and the closing one behind the last.
      content = content.slice(2).trim();
    }
    closed = content === '}' || content.endsWith('}}');
    if (content === '' || content === '}') return;
    const entry = /^(?:"([^"]+)"|:?(\w+))(?::|\s*=>)\s*/.exec(content);
    if (!entry) throw new ParseProblem('a line is not an entry', { line: number });
    const value = content.slice(entry[0].length);
    const name = (entry[1] ?? entry[2]) as string;
    const fromHex = hex.exec(value);
    const fromGit = fromHex ? null : git.exec(value);
    const [, inner = ''] = /^\{:hex,[^"]*(?:"[^"]*",\s*)??"[\w.+-]+",\s*"([0-9a-f]{64})"/.exec(value) ?? [];
    const [, repository = '', outer = ''] = /"([^"]*)"(?:,\s*"(\w+)")?\}+,?\}?$/.exec(value) ?? [];
    if (fromHex)
      list.add(
        (fromHex[1] ?? fromHex[2]) as string,
        fromHex[3] as string,
        registrySource(/^[\w:-]+$/.test(repository) ? repository : undefined, /^hexpm$/),
        outer || inner || undefined,
      );
    else if (fromGit) list.add(name, versionOfCommit(undefined, fromGit[1] as string, fromGit[2]));
    else if (!/^\{:\w+/.test(value)) throw new ParseProblem('an entry is not a tuple', { line: number });
  });
  if (opened && !closed) throw new ParseProblem('the file ends before its `}`');
}

const binary = String.raw`<<"((?:[^"\\]|\\.)*)"(?:/utf8)?>>`;
const space = String.raw`[\s]*`;
/** `{<<"name">>,{pkg,<<"package">>,<<"1.0.0">>},0}`, with more fields in older files. */
const hexEntry = new RegExp(
  String.raw`\{${space}${binary}${space},${space}\{${space}pkg${space},${space}${binary}${space},${space}${binary}`,
  'g',
);
/** `{<<"name">>,{git,"https://host/o/r",{ref,"commit"}},0}` */
const gitEntry = new RegExp(
  String.raw`\{${space}${binary}${space},${space}\{${space}(?:git|git_subdir)${space},${space}"([^"\\]*)"${space},${space}\{${space}ref${space},${space}"([0-9a-f]+)"`,
  'g',
);

/** rebar.lock: packages from Hex under their name there, packages from git with their commit. */
export function parseRebarLock(text: string, list: PackageList): void {
  refuseConflicts(text);
  refuseBinary(text);
  const plain = text.replace(/^[ \t]*%.*$/gm, '').trim();
  // An empty list is `[].`
  if (plain !== '' && !/^(?:\{\s*"[\d.]+"\s*,\s*)?\[/.test(plain)) {
    throw new ParseProblem('it is not a list of locked packages', { line: 1 });
  }
  if (plain !== '' && !plain.endsWith('.')) throw new ParseProblem('the file ends in the middle');
  for (const [, , name = '', version = ''] of plain.matchAll(hexEntry)) list.add(name, version);
  for (const [, name = '', address = '', commit = ''] of plain.matchAll(gitEntry)) {
    list.add(name, versionOfCommit(undefined, address, commit), `git+${address}#${commit}`);
  }
}

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
    else list.add(name, version, undefined, textField(entry, 'outer_checksum'));
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
