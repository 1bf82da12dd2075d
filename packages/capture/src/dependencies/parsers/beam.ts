// Package managers of the BEAM: Mix (mix.lock), Rebar3 (rebar.lock), Gleam (manifest.toml, gleam.toml).

import { field, textField } from '@envsnap/shared/plain-object';
import { entriesIn, itemsUnder, requiredTexts, requirementOf, textFields } from '../fields.ts';
import { type PackageList, registrySource, versionOfCommit } from '../package-list.ts';
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
      // Mix before Elixir 1.6 wrote the first entry after the opening brace, and the closing brace after the last.
      content = content.slice(2).trim();
    }
    closed = content === '}' || content.endsWith('}}');
    if (content === '' || content === '}') return;
    const [start, quoted, atom] = /^(?:"([^"]+)"|:?(\w+))(?::|\s*=>)\s*/.exec(content) ?? [];
    if (!start) throw new ParseProblem('a line cannot be read as an entry', { line: number });
    const value = content.slice(start.length);
    const [, hexQuoted, hexAtom, version] = hex.exec(value) ?? [];
    const [, address, commit] = git.exec(value) ?? [];
    const [, inner = ''] = /^\{:hex,[^"]*(?:"[^"]*",\s*)??"[\w.+-]+",\s*"([0-9a-f]{64})"/.exec(value) ?? [];
    const [, repository = '', outer = ''] = /"([^"]*)"(?:,\s*"(\w+)")?\}+,?\}?$/.exec(value) ?? [];
    const registry = registrySource(/^[\w:-]+$/.test(repository) ? repository : undefined, /^hexpm$/);
    if (version)
      list.add(hexQuoted ?? hexAtom ?? '', version, registry, [
        outer && `outer:${outer}`,
        inner && `inner:${inner}`,
      ]);
    else if (address) list.add(quoted ?? atom ?? '', versionOfCommit(undefined, address, commit));
    else if (!/^\{:(?!hex\b|git\b)\w+/.test(value))
      throw new ParseProblem('an entry is not a tuple', { line: number });
  });
  if (opened && !closed) throw new ParseProblem('the file ends before its `}`');
}

const binary = String.raw`<<"((?:[^"\\]|\\.)*)"(?:/utf8)?>>`;
/** There may be spaces between all parts of an entry. */
const entryOf = (...parts: readonly string[]) => new RegExp(parts.join(String.raw`\s*`), 'g');
/** `{<<"name">>,{pkg,`, `{<<"name">>,{git,` */
const anyEntry = entryOf(String.raw`\{`, binary, ',', String.raw`\{`);
/** `{<<"name">>,{pkg,<<"package">>,<<"1.0.0">>},0}`, with more fields in older files. */
const hexEntry = entryOf(String.raw`\{`, binary, ',', String.raw`\{`, 'pkg', ',', binary, ',', binary);
/** `{<<"name">>, <<"checksum">>}` */
const sumEntry = entryOf(String.raw`\{`, binary, ',', '<<"([0-9A-Fa-f]{64})">>', String.raw`\}`);
/** `{<<"name">>,{git,"https://host/o/r",{ref,"commit"}},0}` */
const gitEntry = entryOf(
  String.raw`\{`,
  binary,
  ',',
  String.raw`\{`,
  '(?:git|git_subdir)',
  ',',
  String.raw`"([^"\\]*)"`,
  ...[',', String.raw`\{`, 'ref', ',', '"([0-9a-f]+)"'],
);

/** rebar.lock: packages from Hex under their name there, packages from git with their commit. */
export function parseRebarLock(text: string, list: PackageList): void {
  refuseConflicts(text);
  refuseBinary(text);
  const plain = text.replace(/^[ \t]*%.*$/gm, '').trim();
  // An empty list is `[].`
  if (plain !== '' && !/^(?:\{\s*"[\d.]+"\s*,\s*)?\[/.test(plain))
    throw new ParseProblem('it is not a list of locked packages', { line: 1 });
  if (plain !== '' && !plain.endsWith('.')) throw new ParseProblem('the file ends in the middle');
  // The first checksum of a package is the one that all versions of Rebar write.
  const sums = new Map(Array.from(plain.matchAll(sumEntry), ([, key, sum]) => [key, sum] as const).reverse());
  const entries = plain.match(anyEntry)?.length ?? 0;
  list.rejected += entries - [hexEntry, gitEntry].flatMap((each) => plain.match(each) ?? []).length;
  for (const [, key, name = '', version = ''] of plain.matchAll(hexEntry))
    list.add(name, version, undefined, sums.get(key));
  for (const [, name = '', address = '', commit = ''] of plain.matchAll(gitEntry)) {
    list.add(name, versionOfCommit(undefined, address, commit), `git+${address}#${commit}`);
  }
}

/** manifest.toml: packages from Hex, from git with their commit, and folders. Files of that name from other tools are ignored. */
export function parseGleamManifest(text: string, list: PackageList): void {
  const manifest = parseToml(text);
  list.isRecorded = Array.isArray(field(manifest, 'packages'));
  for (const entry of itemsUnder(manifest, 'packages')) {
    const [name = '', version = ''] = requiredTexts(entry, 'name', 'version');
    const [source, address = '', commit] = textFields(entry, 'source', 'repo', 'commit');
    if (source === 'git')
      list.add(name, versionOfCommit(version, address, commit), `git+${address}#${commit ?? ''}`);
    else if (source === 'local') list.add(name, version, `path:${textField(entry, 'path') ?? '.'}`);
    else list.add(name, version, undefined, textField(entry, 'outer_checksum'));
  }
}

/** gleam.toml: requirements as they are written. */
export function parseGleam(text: string, list: PackageList): void {
  const sections = ['dependencies', 'dev-dependencies', 'dev_dependencies'];
  for (const [name, wanted] of entriesIn(parseToml(text), ...sections)) list.add(name, requirementOf(wanted));
}
