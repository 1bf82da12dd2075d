// Go: go.mod, go.sum and vendor/modules.txt.

import type { ParseContext } from '../fields.ts';
import { createPackageList, type PackageList } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine, requireLine } from '../text/lines.ts';

interface Replacement {
  readonly target: string;
  /** Undefined: the target is a folder. */
  readonly targetVersion: string | undefined;
}

/** Module to version to its replacement; undefined means every version. */
type Replacements = Map<string, Map<string | undefined, Replacement>>;

/**
 * go.mod: required modules in their effective versions, with replacements applied. A module replaced by another one stays under
 * the path that code imports, with `other/module@version` or the folder as its version.
 */
export async function parseGoMod(text: string, list: PackageList, context: ParseContext): Promise<void> {
  readGoMod(text, list, (await context.include('go.sum', readSums)) ?? new Map());
}

/** go.work: its modules, and what replaces others in all of them. */
export function parseGoWork(text: string, list: PackageList): void {
  const replaced = [...readGoMod(text, list, new Map())].flatMap(([module, versions]) =>
    [...versions].map(([version = '*', by]) => `${module} ${version} => ${replacedVersion(module, by)}`),
  );
  list.setList('replace', replaced);
}

function readGoMod(text: string, list: PackageList, sums: ReadonlyMap<string, string>): Replacements {
  requireLine(
    text,
    /^[ \t]*(?:\/\/|module|go|require|replace|use|exclude|retract|toolchain|godebug|tool|ignore)\b/m,
  );
  const required: [string, string][] = [];
  const direct: string[] = [];
  const replacements: Replacements = new Map();
  const settings: string[] = [];
  let open: { directive: string; line: number } | undefined;
  forEachLine(text, (line, number) => {
    const words = splitWords(line, number);
    if (words.length === 0) return;
    if (open && words[0] === ')') {
      open = undefined;
      return;
    }
    const directive = open?.directive ?? (words.shift() as string);
    if (!open && words[0] === '(') {
      open = { directive, line: number };
      return;
    }
    if (directive === 'require') {
      const [module, version] = words;
      if (!module || !version)
        throw new ParseProblem('a requirement lacks a module or a version', { line: number });
      required.push([module, version]);
      if (!/\/\/ *indirect\b/.test(line)) direct.push(module);
    } else if (directive === 'replace') readReplacement(words, number, replacements);
    else if (/^(?:exclude|godebug|use)$/.test(directive)) settings.push([directive, ...words].join(' '));
    else if (!/^[a-z]+$/.test(directive))
      throw new ParseProblem('a line cannot be read as a directive', { line: number });
  });
  if (open) throw new ParseProblem(`its \`${open.directive}\` block has no end`, { line: open.line });
  for (const [module, version] of required) {
    const candidates = replacements.get(module);
    const replacement = candidates?.get(version) ?? candidates?.get(undefined);
    const [path, release] = replacement ? [replacement.target, replacement.targetVersion] : [module, version];
    const counts = replacement ? replacedVersion(module, replacement) : version;
    list.add(module, counts, undefined, sums.get(`${path} ${release}`));
  }
  list.direct = direct;
  list.setList('settings', settings);
  return replacements;
}

/** Words of a line without its comment; a word may be quoted. */
function splitWords(line: string, number: number): string[] {
  const words: string[] = [];
  const word = /\s*(?:(\/\/.*)|"((?:[^"\\]|\\.)*)"|`([^`]*)`|([()])|([^\s()"`]+))/y;
  while (word.lastIndex < line.length) {
    const at = word.lastIndex;
    const match = word.exec(line);
    if (!match) {
      if (line.slice(at).trim() === '') break;
      throw new ParseProblem('a quote has no end', { line: number, column: at + 1 });
    }
    if (match[1] !== undefined) break;
    words.push(match[2] ?? match[3] ?? match[4] ?? (match[5] as string));
  }
  return words.filter((text) => text !== '');
}

function readReplacement(words: string[], line: number, replacements: Replacements): void {
  const arrow = words.indexOf('=>');
  const [module, version] = words.slice(0, Math.max(arrow, 0));
  const [target, targetVersion] = words.slice(arrow + 1);
  if (arrow === -1 || !module || !target)
    throw new ParseProblem('a replacement is not `module => module version` or `module => folder`', { line });
  const known: Map<string | undefined, Replacement> = replacements.get(module) ?? new Map();
  if (!known.has(version)) known.set(version, { target, targetVersion });
  replacements.set(module, known);
}

function replacedVersion(module: string, { target, targetVersion }: Replacement): string {
  if (targetVersion === undefined) return target;
  return target === module ? targetVersion : `${target}@${targetVersion}`;
}

/** `module version` to the checksum of its content. */
function readSums(text: string): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const [, module, version, sum = ''] of text.matchAll(/^(\S+) (\S+) (h1:\S+)[ \t\r]*$/gm))
    sums.set(`${module} ${version}`, sum);
  return sums;
}

/**
 * go.sum: modules whose content is pinned. Lines that pin only a module's go.mod say nothing about what is built. Since Go 1.17
 * the go.mod beside it lists every module that is selected, so go.sum adds nothing; with an older one, the modules that go.mod
 * leaves out are recorded.
 */
export async function parseGoSum(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const module = await context.include('go.mod', readModuleFile);
  list.isRecorded = !module?.isComplete;
  if (!list.isRecorded) return;
  forEachLine(text, (line, number) => {
    if (line.trim() === '') return;
    const [name, version, hash, more] = line.trim().split(/\s+/, 4);
    if (!name || !version || !hash || more !== undefined)
      throw new ParseProblem('a line lacks a module, a version or a hash', { line: number });
    if (!version.endsWith('/go.mod') && !module?.packages.has(name)) list.add(name, version, undefined, hash);
  });
}

/** The go.mod that governs a file; undefined if it cannot be read. */
function readModuleFile(text: string) {
  try {
    const [, major = '0', minor = '0'] = /^go\s+(\d+)\.(\d+)/m.exec(text) ?? [];
    const isComplete = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 17);
    const packages = createPackageList();
    readGoMod(text, packages, new Map());
    return { packages, isComplete };
  } catch {
    // It gets its own warning.
    return undefined;
  }
}

/**
 * vendor/modules.txt: `# module version`, `# module version => module version`. Information that is also in go.mod is not
 * repeated; a file without more is not recorded.
 */
export async function parseModulesTxt(text: string, list: PackageList, context: ParseContext): Promise<void> {
  requireLine(text, /^#/m);
  const module = await context.include('../go.mod', readModuleFile);
  forEachLine(text, (line) => {
    if (!line.startsWith('# ')) return;
    const [own = '', replacing = ''] = line.slice(2).split(/(?:^|\s)=>(?=\s|$)/, 2);
    const [name, version] = own.trim().split(/\s+/);
    const [target, targetVersion] = replacing.trim().split(/\s+/);
    // At the end, a replacement without a version repeats the lines above.
    if (!name || !version) return;
    const counts = target ? replacedVersion(name, { target, targetVersion }) : version;
    if (!module?.packages.has(name, counts)) list.add(name, counts);
  });
  list.isRecorded = list.size > 0 || !module;
}
