// Python: requirements files as pip reads them, with the files that they include, and those of setup.cfg.

import { posix } from 'node:path';
import { anyVersion, createPackageList, type PackageList, withoutCredentials } from '../package-list.ts';
import type { ParseContext } from '../parse-context.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine, unquote } from '../text/lines.ts';

/** Most files that one requirements file may include, directly or not. */
const maxIncludes = 200;

/** With more refused lines than this for each package, a file is prose. */
const prosePerName = 3;

type Role = 'requirement' | 'constraint';

/** A line that names another file. */
interface Include {
  readonly path: string;
  readonly role: Role;
  readonly line: number;
}

interface State {
  readonly list: PackageList;
  /** Constraints that pin a version; they install nothing by themselves. */
  readonly constraints: PackageList;
  readonly seen: Set<string>;
  /** Included files by role and real path: links to one file add nothing to it. */
  readonly read: Set<string>;
  /** `name version` to the checksums that pip accepts for it. */
  readonly hashes: Map<string, string[]>;
  /** Options that say where packages are from. */
  readonly indexes: Set<string>;
  readonly context: ParseContext;
  /** Lines of the file itself that pip would refuse. */
  readonly refusedLines: number[];
}

/**
 * Reads a requirements file. `name==1.0` counts as version `1.0`, other specifiers as they are written, a bare name as
 * `*` unless a constraints file (`-c`) pins it. Included files (`-r`) count as part of it. Options are not recorded but for
 * those that say where packages are from. A line that is not a requirement is left out with a warning; a file in which most
 * lines are not is prose: a warning, or nothing where only its folder makes it look like a requirements file
 * (`requirements/notes.txt`).
 */
export async function parseRequirements(text: string, list: PackageList, context: ParseContext) {
  const state: State = {
    list: createPackageList(),
    constraints: createPackageList(),
    seen: new Set([posix.basename(context.path)]),
    read: new Set(),
    hashes: new Map(),
    indexes: new Set(),
    context,
    refusedLines: [],
  };
  await readFile(text, '', state, 'requirement');
  const { constraints, refusedLines } = state;
  const names = [...state.list.names()];
  if (refusedLines.length > prosePerName * names.length) {
    list.isRecorded = names.length > 0 || /requirements|constraints/i.test(posix.basename(context.path));
    if (!list.isRecorded) return;
    const problem = 'most of its lines are not requirements that pip understands';
    throw new ParseProblem(problem, { line: refusedLines[0] });
  }
  for (const line of refusedLines) context.warn('a line is not a requirement that pip understands', line);
  for (const name of names)
    for (const version of state.list.get(name) ?? []) {
      const pinned = version === anyVersion ? constraints.get(name) : undefined;
      for (const one of pinned ?? [version])
        list.add(name, one, undefined, state.hashes.get(`${name} ${one}`));
    }
  list.set('indexes', [...state.indexes].sort().join(' '));
}

const indexOption = /^(?:-i|-f|--(?:index-url|extra-index-url|find-links|no-index))(?=[\s=]|$)/;

async function readFile(text: string, file: string, state: State, role: Role): Promise<void> {
  const includes: Include[] = [];
  const { context } = state;
  const target = role === 'constraint' ? state.constraints : state.list;
  let pending = '';
  let pendingLine = 0;
  const finish = () => {
    const line = pending.replace(/(^|\s)#.*$/s, '').trim();
    pending = '';
    if (line === '') return;
    const [, short, long, path] =
      /^(?:-([rc])\s*|--(requirement|constraint)(?:\s+|=))(.+)$/s.exec(line) ?? [];
    if (path) {
      const isConstraint = (short ?? long)?.startsWith('c');
      includes.push({
        path: unquote(path.trim()),
        role: isConstraint ? 'constraint' : role,
        line: pendingLine,
      });
      return;
    }
    const [, editable] = /^(?:-e\s*|--editable(?:\s+|=))(.+)$/s.exec(line) ?? [];
    if (!editable && line.startsWith('-')) {
      if (indexOption.test(line) && state.indexes.size < maxIncludes)
        state.indexes.add(line.replace(/[\s=]+/g, ' '));
      return;
    }
    const requirement = readRequirement(editable ?? line);
    if (requirement) {
      target.add(requirement.name, requirement.version);
      const hashes = [...line.matchAll(/\s--hash[=\s]+(\w+:\S+)/g)].map(([, hash = '']) => hash);
      const place = `${requirement.name} ${requirement.version}`;
      if (hashes.length > 0) state.hashes.set(place, [...(state.hashes.get(place) ?? []), ...hashes]);
    } else if (file === '') state.refusedLines.push(pendingLine);
    else
      context.warn(
        `a line (${pendingLine}) of the included ${file} is not a requirement that pip understands`,
      );
  };
  forEachLine(text, (line, number) => {
    if (pending === '') pendingLine = number;
    // A comment line ends a continued line; it is not continued itself.
    const continued = line.endsWith('\\') && !/^\s*#/.test(line);
    pending += continued ? `${line.slice(0, -1)} ` : line;
    if (!continued) finish();
  });
  finish();
  for (const include of includes) await readInclude(include, file, state);
}

async function readInclude(include: Include, from: string, state: State): Promise<void> {
  const { context, seen } = state;
  const at = from === '' ? include.line : undefined;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(include.path))
    return context.warn('an included file is an address on a network and is not read', at);
  const path = posix.join(posix.dirname(from), include.path.replaceAll('\\', '/'));
  // A file that is read as a constraint may also be one of requirements.
  const key = include.role === 'constraint' ? `-c ${path}` : path;
  if (seen.has(key)) return;
  seen.add(key);
  if (seen.size > maxIncludes) {
    if (seen.size === maxIncludes + 1)
      context.warn(`more than ${maxIncludes} files are included; the others are left out`, at);
    return;
  }
  const found = await context.include(path, asIncluded);
  if (found === undefined)
    return context.warn(`the included file ${path} cannot be read, or lies outside the captured folder`, at);
  const place = `${include.role} ${found.realPath}`;
  if (state.read.has(place)) return;
  state.read.add(place);
  await readFile(found.text, path, state, include.role);
}

function asIncluded(text: string, realPath: string): { text: string; realPath: string } {
  return { text, realPath };
}

/** Longest requirement without its options, in characters. */
const maxRequirement = 4096;

interface Requirement {
  readonly name: string;
  readonly version: string;
}

const namePattern = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/s;
/** `name[extra] @ url` of PEP 508. */
const directPattern = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\]\s*)?@\s*(\S+)$/;
const archive = /\.(?:whl|zip|tar\.gz|tgz|tar\.bz2)(?:\[[^[\]]*\])?$/i;
const specifier = /^(===|==|~=|!=|<=|>=|<|>)\s*([^\s,;()]+)$/;

/** One requirement (PEP 508, a URL or a path); undefined for anything else. */
export function readRequirement(line: string): Requirement | undefined {
  // Options of one requirement: `--hash=…`, `--config-settings …`, `-C …`.
  const text = line.split(/\s(?:--[a-z]|-C)/, 1)[0]?.trim() ?? '';
  if (text.length > maxRequirement) return undefined;
  const bare = withoutMarker(text);
  const [, directName, address = ''] = directPattern.exec(bare) ?? [];
  if (directName) return { name: directName, version: withoutFragment(address) };
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|file:|git\+)/i.test(bare)) return readUrl(bare);
  if (/^(?:\.{1,2}(?:[\\/]|$)|[\\/~])/.test(bare) || archive.test(bare)) return readPath(bare);
  const [, name, rest = ''] = namePattern.exec(bare) ?? [];
  const version = rest.trim() === '' ? anyVersion : readSpecifiers(rest.trim());
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** Version specifiers as one text: the version itself when exactly one is pinned; undefined when they are malformed. */
export function readSpecifiers(text: string): string | undefined {
  const inner = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  const parts = inner
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const matches = parts.map((part) => specifier.exec(part));
  if (matches.some((match) => match === null)) return undefined;
  const [only] = matches;
  if (matches.length === 1 && only && only[1]?.startsWith('==') && !only[2]?.includes('*')) return only[2];
  return matches.map((match) => `${match?.[1]}${match?.[2]}`).join(',') || anyVersion;
}

/** Takes an environment marker off: after `;`, which in a URL needs a space before it. */
function withoutMarker(text: string): string {
  const isUrl = /^(?:[a-z][a-z0-9+.-]*:|[\w.-]+\s*(?:\[[^\]]*\]\s*)?@)/i.test(text);
  const at = text.search(isUrl ? /\s;/ : /;/);
  return (at === -1 ? text : text.slice(0, at)).trim();
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function readUrl(text: string): Requirement {
  const egg = /[#&]egg=([A-Za-z0-9][\w.-]*)/.exec(text)?.[1];
  const url = withoutCredentials(withoutFragment(text));
  if (egg) return { name: egg, version: url };
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/*/i, '').replace(/[?].*$/s, '');
  const file = posix.basename(path).replace(/@[^@]*$/, '');
  return readArchiveName(file) ?? { name: file.replace(/\.git$/, '') || url, version: url };
}

function readPath(text: string): Requirement {
  const path = text.replace(/\[[^[\]]*\]$/, '').replaceAll('\\', '/');
  const name = posix.basename(posix.resolve('/', path)) || '.';
  return readArchiveName(posix.basename(path)) ?? { name, version: `file:${path}` };
}

/** `name-1.0-py3-none-any.whl`, `name-1.0.tar.gz`. */
function readArchiveName(file: string): Requirement | undefined {
  const [, name, version] =
    /^([^-]+)-([^-]+)-[^/]+\.whl$/i.exec(file) ??
    /^(.+)-(\d[^-]*?)\.(?:zip|tar\.gz|tgz|tar\.bz2)$/i.exec(file) ??
    [];
  return name && version ? { name, version } : undefined;
}

/** setup.cfg: requirements of the package and its extras. Everything else there is settings. */
export function parseSetupCfg(text: string, list: PackageList, context: ParseContext): void {
  let section: string | undefined;
  let wanted = false;
  forEachLine(text, (line, number) => {
    if (/^\s*(?:[#;]|$)/.test(line)) return;
    const [, header] = /^\[([^\]]+)\]\s*$/.exec(line) ?? [];
    if (header) {
      section = header.trim();
      wanted = false;
      return;
    }
    let parts = [line];
    if (/^\S/.test(line)) {
      const [, key = '', value = ''] = /^([^=:]+)[=:](.*)$/.exec(line) ?? [];
      wanted =
        section === 'options.extras_require' ||
        (section === 'options' && /^(?:install|setup|tests)[_-]requires?$/.test(key.trim()));
      parts = value.split(';');
    }
    for (const part of wanted ? parts : []) {
      const plain = part.replace(/(^|\s)#.*$/s, '').trim();
      // `file: requirements.txt` names a file that counts by itself.
      if (plain === '' || plain.startsWith('file:')) continue;
      const found = readRequirement(plain);
      if (found) list.add(found.name, found.version);
      else context.warn('a line is not a requirement that pip understands', number);
    }
  });
}
