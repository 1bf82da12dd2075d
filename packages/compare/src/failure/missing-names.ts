// Finds the names of things that a line of output reports as missing, or as impossible to build.

import { toolOfCommand } from '@envsnap/shared/catalogue/project-tools';
import { toolNameOf, toolRow } from '@envsnap/shared/catalogue/tools';
import { around } from './excerpt.ts';
import { hasStem, stemOf } from './stems.ts';

const missing =
  /not found|no such|missing|(?:cannot|can't|unable to|could ?n(?:o|')t|failed to) (?:find|import|load|open|locate|resolve)|not recognized|enoent|no (?:module|package)|\bno \w{1,20}(?: compiler)? found|not installed|(?:please|need to) install|have .{1,60} installed|failed to (?:execute|run)|\brequires\b|is required|not exist|must be (?:available|installed|present)|(?:is|are) not available|is not a \w{1,20} command/;
/** Without what it needs, a package of a language cannot be built; its name leads to the library. */
const unbuilt =
  /failed (?:building|to build)|custom build command for|configuration failed for|while (?:building|configuring|installing)|compilation of \S{1,60} failed/;

/** Whether a line in lower case says that something is missing. */
export function saysMissing(small: string): boolean {
  return missing.test(small) || unbuilt.test(small);
}

const shells = /^(?:\/?(?:usr\/)?bin\/)?(?:sh|bash|zsh|dash|fish|env|make)$/;
const linked = /\s-l([\w+-]{1,60})/g;
const address = /\b[a-z+]{2,9}:\/\/\S{1,500}/gi;
const named = /[A-Za-z@][\w.+@/\\-]{0,119}/g;
/** What is looked for comes next. */
const sought =
  /\b(?:find|load|locate|open|install|installing|building|requires?|need|no|have|package|library|program|command|binary|or|wheel for)(?: an?| the)? $/i;
/** It is named before. */
const lacking = /^ (?:is|are|was) (?:not|missing|required)\b|^ must be\b/;
/** `git: 'lfs' is not a git command`. */
const subcommand = /^(\w{2,20}): '([\w-]{2,40})' is not an? \w{1,20} command/;

/** Candidates for the missing thing in a line, each with its words: quoted text, text that is not a word, text after a
 * colon, or a known name where the line says what it looks for. */
export function missingNames(line: string): [name: string, words: string][] {
  const whole = around(line, 0, line.length);
  const found: [string, string][] = [];
  for (const [, library = ''] of line.matchAll(linked)) found.push([stemOf(library), whole]);
  const [, command, part] = subcommand.exec(line) ?? [];
  if (command !== undefined) found.push([`${command}-${part}`, whole]);
  const isUnbuilt = unbuilt.test(line.toLowerCase());
  const spoken = line.replace(address, (each) => ' '.repeat(each.length));
  for (const { 0: text, index } of spoken.matchAll(named)) {
    const name = text.replace(/[.\\/-]{1,3}$/, '');
    const before = line.slice(Math.max(0, index - 20), index);
    const after = line.slice(index + name.length);
    const isSought = sought.test(before) || lacking.test(after);
    const isName =
      /[\d_+@/\\.-]|[a-z][A-Z]|^[A-Z]{2,}$|^lib[a-z]{2}/.test(name) ||
      /['"`‘“]$|[:-] $|spawn $| no $/.test(before) ||
      /^['"`’”:]/.test(after) ||
      (isSought && (isUnbuilt || isKnown(name)));
    if (!isName || isSpeaker(line, index, name)) continue;
    const words = around(line, index, name.length);
    for (const key of keysOf(name)) found.push([key, words]);
  }
  return found;
}

/** Under which a name is found: as it is, its stem, its tool, and the folders on its path. */
function keysOf(name: string): readonly string[] {
  const parts = name.split(/[/\\]+/);
  const last = parts.pop() ?? '';
  const folders = parts.map((part) => `/${stemOf(part)}`);
  return [name, stemOf(name), last, stemOf(last), toolOf(last), ...folders];
}

/** Whether a word is the name of a tool, a library or a program, or at least begins with a capital. */
function isKnown(name: string): boolean {
  return /^[A-Z]/.test(name) || toolRow(toolOf(name)) !== undefined || hasStem(name);
}

/** Whether a name is the reporter of a line: `go: … not found` misses no Go, but `tsc: not found` misses tsc. */
function isSpeaker(line: string, index: number, name: string): boolean {
  if (line.slice(0, index).trim() !== '') return false;
  const after = line.slice(index + name.length);
  return (
    shells.test(name) ||
    (after.startsWith(':') && !/^:\s{0,9}(?:command not|not |no such|cannot open shared)/i.test(after))
  );
}

function toolOf(command: string): string {
  const name = command.replace(/\.(?:exe|cmd|js)$/i, '');
  const small = name.toLowerCase();
  return toolOfCommand(name) ?? toolOfCommand(small) ?? toolNameOf(small);
}
