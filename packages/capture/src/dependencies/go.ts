// Go: go.mod, go.sum and vendor/modules.txt.

import { forEachLine } from './lines.ts';
import { createPackageList, type PackageList } from './package-list.ts';
import { ParseProblem } from './parse-problem.ts';

interface Replacement {
  /** Undefined: replaces every version. */
  readonly version: string | undefined;
  readonly target: string;
  /** Undefined: the target is a folder. */
  readonly targetVersion: string | undefined;
}

/** Directives whose arguments are no dependencies. */
const otherDirectives = new Set([
  'module',
  'go',
  'toolchain',
  'exclude',
  'retract',
  'tool',
  'godebug',
  'ignore',
]);

/**
 * go.mod: required modules at the versions that count, replacements applied. A module replaced by another one stays
 * under the path that code imports, with `other/module@version` or the folder as its version.
 */
export function parseGoMod(text: string): PackageList {
  const required: [string, string][] = [];
  const replacements = new Map<string, Replacement[]>();
  let open: { directive: string; line: number } | undefined;
  forEachLine(text, (line, number) => {
    const words = splitWords(line, number);
    if (words.length === 0) return;
    let directive: string;
    if (open) {
      if (words[0] === ')') {
        open = undefined;
        return;
      }
      directive = open.directive;
    } else {
      directive = words.shift() as string;
      if (words[0] === '(') {
        open = { directive, line: number };
        return;
      }
    }
    if (directive === 'require') {
      const [module, version] = words;
      if (!module || !version)
        throw new ParseProblem('a requirement is not a module and a version', { line: number });
      required.push([module, version]);
    } else if (directive === 'replace') readReplacement(words, number, replacements);
    else if (!otherDirectives.has(directive) && !/^[a-z]+$/.test(directive)) {
      throw new ParseProblem('a line is no directive', { line: number });
    }
  });
  if (open) throw new ParseProblem(`its \`${open.directive}\` block has no end`, { line: open.line });
  const list = createPackageList();
  for (const [module, version] of required) {
    const candidates = replacements.get(module) ?? [];
    const replacement =
      candidates.find((candidate) => candidate.version === version) ??
      candidates.find((candidate) => candidate.version === undefined);
    list.add(module, replacement ? replacedVersion(module, replacement) : version);
  }
  return list;
}

/** Words of a line without its comment; a word may stand in quotes. */
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

function readReplacement(words: string[], line: number, replacements: Map<string, Replacement[]>): void {
  const arrow = words.indexOf('=>');
  const [module, version] = words.slice(0, Math.max(arrow, 0));
  const [target, targetVersion] = words.slice(arrow + 1);
  if (arrow === -1 || !module || !target) {
    throw new ParseProblem('a replacement is not `module => module version` or `module => folder`', { line });
  }
  const known = replacements.get(module);
  const replacement = { version, target, targetVersion };
  if (known) known.push(replacement);
  else replacements.set(module, [replacement]);
}

function replacedVersion(module: string, { target, targetVersion }: Replacement): string {
  if (targetVersion === undefined) return target;
  return target === module ? targetVersion : `${target}@${targetVersion}`;
}

/** go.sum: modules whose content is pinned. Lines that pin only a module's go.mod say nothing of what is built. */
export function parseGoSum(text: string): PackageList {
  const list = createPackageList();
  forEachLine(text, (line, number) => {
    if (line.trim() === '') return;
    const [module, version, hash, more] = line.trim().split(/\s+/, 4);
    if (!module || !version || !hash || more !== undefined) {
      throw new ParseProblem('a line is not a module, a version and a hash', { line: number });
    }
    if (!version.endsWith('/go.mod')) list.add(module, version);
  });
  return list;
}

/** vendor/modules.txt: `# module version`, `# module version => module version`. */
export function parseModulesTxt(text: string): PackageList {
  const list = createPackageList();
  forEachLine(text, (line) => {
    if (!line.startsWith('# ')) return;
    const words = line.slice(2).trim().split(/\s+/);
    const arrow = words.indexOf('=>');
    const [module, version] = arrow === -1 ? words : words.slice(0, arrow);
    const [target, targetVersion] = arrow === -1 ? [] : words.slice(arrow + 1);
    // A replacement without a version repeats at the end what stands above.
    if (!module || !version) return;
    list.add(module, target ? replacedVersion(module, { version, target, targetVersion }) : version);
  });
  return list;
}
