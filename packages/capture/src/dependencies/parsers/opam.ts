// OCaml: opam files and their locked variants.

import { anyVersion, type PackageList } from '../package-list.ts';
import { ParseProblem, positionAt } from '../parse-problem.ts';
import { refuseBinary, refuseConflicts } from '../text/lines.ts';

const token = /\s+|#[^\n]*|"((?:[^"\\]|\\.)*)"|([{}[\]()])|([^\s"{}[\]()#]+)/sy;

/** `depends` of an opam file: `"name" {= "1.0"}` as `1.0`, other conditions as they are written, none as `*`. */
export function parseOpam(text: string, list: PackageList): void {
  refuseConflicts(text);
  refuseBinary(text);
  const start = /^(?:depends|depopts):/gm;
  while (start.test(text)) start.lastIndex = readList(text, start.lastIndex, list);
}

/** Reads what a field holds, and answers where it ends: nothing in it is the beginning of another. */
function readList(text: string, from: number, list: PackageList): number {
  let name: string | undefined;
  let condition: string[] | undefined;
  let depth = 0;
  let isList = false;
  const finish = () => {
    if (name !== undefined) list.add(name, versionOf(condition ?? []));
    name = undefined;
    condition = undefined;
  };
  token.lastIndex = from;
  for (;;) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match && at >= text.length && !isList && depth === 0) {
      // A single dependency may stand without a list.
      finish();
      return text.length;
    }
    if (!match)
      throw new ParseProblem('its list of dependencies has no end', positionAt(text, Math.max(at, from)));
    const [, quoted, bracket, word] = match;
    if (quoted === undefined && bracket === undefined && word === undefined) continue;
    if (condition !== undefined && depth > 0) {
      if (bracket === '{') depth += 1;
      else if (bracket === '}') depth -= 1;
      if (depth > 0) condition.push(quoted === undefined ? match[0] : `"${quoted}"`);
    } else if (bracket === '{') {
      condition = [];
      depth = 1;
    } else if (quoted !== undefined) {
      finish();
      name = quoted;
    } else if (bracket === '[') {
      isList = true;
    } else if (bracket === ']') {
      finish();
      return token.lastIndex;
    } else if (word?.endsWith(':')) {
      finish();
      return at;
    }
  }
}

function versionOf(condition: readonly string[]): string {
  const text = condition.join(' ');
  // Locked files repeat flags: `= "1.0" & with-test`.
  const exact = /^=\s*"([^"]+)"(?:\s*&\s*[\w-]+)*$/.exec(text);
  return exact?.[1] ?? (text || anyVersion);
}
