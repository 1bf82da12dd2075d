// Python: requirements files as pip reads them, with the files that they include, and those of setup.cfg.

import { posix } from 'node:path';
import type { ParseContext } from '../fields.ts';
import { anyVersion, createPackageList, type PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine, requireLine, unquote } from '../text/lines.ts';
import { withoutCredentials } from '../without-credentials.ts';

/** Maximum number of files that one requirements file may include, directly or not. */
const maxIncludes = 200;

/** A file with more refused lines than this for each package is prose. */
const prosePerName = 3;

type Role = 'requirement' | 'constraint';

/**
 * Reads a requirements file. `name==1.0` is version `1.0`, other specifiers stay as they are written, and a bare name is `*`
 * unless a constraints file (`-c`) pins it. Included files (`-r`) are read too. Of the options, only those that name package
 * sources are recorded. A line that is not a requirement is left out with a warning. A file with mostly such lines is prose: it
 * gets one warning, or no warning if only its folder suggests requirements (`requirements/notes.txt`).
 */
export async function parseRequirements(text: string, list: PackageList, context: ParseContext) {
  const found = createPackageList();
  /** Constraints that pin a version. A constraint installs nothing. */
  const constraints = createPackageList();
  const seen = new Set([posix.basename(context.path)]);
  /** Included files by role and real path, so that several links to one file are read once. */
  const read = new Set<string>();
  /** `name version` to the checksums that pip accepts for it. */
  const hashes = new Map<string, string[]>();
  /** Options that name package sources. */
  const indexes = new Set<string>();
  const conditions: string[] = [];
  /** Lines of this file that pip would refuse. */
  const refusedLines: number[] = [];

  async function readFile(text: string, file: string, role: Role): Promise<void> {
    const includes: { path: string; role: Role; line: number }[] = [];
    const target = role === 'constraint' ? constraints : found;
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
        const named = isConstraint ? 'constraint' : role;
        includes.push({ path: unquote(path.trim()), role: named, line: pendingLine });
        return;
      }
      const [, editable] = /^(?:-e\s*|--editable(?:\s+|=))(.+)$/s.exec(line) ?? [];
      if (!editable && line.startsWith('-')) {
        if (indexOption.test(line) && indexes.size < maxIncludes) indexes.add(line.replace(/[\s=]+/g, ' '));
        return;
      }
      const requirement = readRequirement(editable ?? line);
      if (requirement) {
        target.add(requirement.name, requirement.version);
        conditions.push(...conditionOf(line));
        const own = [...line.matchAll(/\s--hash[=\s]+(\w+:\S+)/g)].map(([, hash = '']) => hash);
        const place = `${requirement.name} ${requirement.version}`;
        if (own.length > 0) hashes.set(place, [...(hashes.get(place) ?? []), ...own]);
      } else if (file === '') refusedLines.push(pendingLine);
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
    for (const { path, role, line } of includes) await readInclude(path, role, line, file);
  }

  async function readInclude(written: string, role: Role, line: number, from: string): Promise<void> {
    const at = from === '' ? line : undefined;
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(written))
      return context.warn('an included file is an address on a network and is not read', at);
    const path = posix.join(posix.dirname(from), written.replaceAll('\\', '/'));
    // A file that is read as a constraint may also be a requirements file.
    const key = role === 'constraint' ? `-c ${path}` : path;
    if (seen.has(key)) return;
    seen.add(key);
    if (seen.size > maxIncludes) {
      if (seen.size === maxIncludes + 1)
        context.warn(`more than ${maxIncludes} files are included; the others are left out`, at);
      return;
    }
    const included = await context.include(path, asIncluded);
    if (included === undefined)
      return context.warn(
        `the included file ${path} cannot be read, or lies outside the captured folder`,
        at,
      );
    const place = `${role} ${included.realPath}`;
    if (read.has(place)) return;
    read.add(place);
    await readFile(included.text, path, role);
  }

  await readFile(text, '', 'requirement');
  const names = [...found.names()];
  if (refusedLines.length > prosePerName * names.length) {
    list.isRecorded = names.length > 0 || /requirements|constraints/i.test(posix.basename(context.path));
    if (!list.isRecorded) return;
    const problem = 'most of its lines are not requirements that pip understands';
    throw new ParseProblem(problem, { line: refusedLines[0] });
  }
  for (const line of refusedLines) context.warn('a line is not a requirement that pip understands', line);
  for (const name of names)
    for (const version of found.get(name) ?? []) {
      const pinned = version === anyVersion ? constraints.get(name) : undefined;
      for (const one of pinned ?? [version]) list.add(name, one, undefined, hashes.get(`${name} ${one}`));
    }
  list.set('indexes', [...indexes].sort().join(' '));
  list.setList('conditions', conditions);
}

const indexOption =
  /^(?:-i|-f|--(?:index-url|extra-index-url|find-links|no-index|no-binary|only-binary|prefer-binary|pre))(?=[\s=]|$)/;

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

/** The extras and the environment marker of a requirement, after its name; none for most. */
export function conditionOf(line: string): string[] {
  const text = line.split(/\s(?:--[a-z]|-C)/, 1)[0]?.trim() ?? '';
  const [, name = '', extras = ''] = /^([\w.-]+)\s*(\[[^\]]*\])?/.exec(text) ?? [];
  const marker = text.slice(withoutMarker(text).length).trim();
  return name && (extras || marker) ? [`${name}${extras}${marker}`] : [];
}

/** Version specifiers as one text; only the version if exactly one is pinned. Undefined if they are malformed. */
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

/** Removes an environment marker: the part after `;`, which must follow a space in a URL. */
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

/** setup.cfg: requirements of the package and its extras. Everything else in the file is settings. */
export function parseSetupCfg(text: string, list: PackageList, context: ParseContext): void {
  requireLine(text, /^\[/m);
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
      // `file: requirements.txt` names a file that is recorded separately.
      if (plain === '' || plain.startsWith('file:')) continue;
      const found = readRequirement(plain);
      if (found) list.add(found.name, found.version);
      else context.warn('a line is not a requirement that pip understands', number);
    }
  });
}
