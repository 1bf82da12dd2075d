// Elixir: mix.lock.

import { type PackageList, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { forEachLine } from '../../text/lines.ts';

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
    if (fromHex) list.add((fromHex[1] ?? fromHex[2]) as string, fromHex[3] as string);
    else if (fromGit) list.add(name, versionOfCommit(undefined, fromGit[1] as string, fromGit[2]));
    else if (!/^\{:\w+/.test(value)) throw new ParseProblem('an entry is not a tuple', { line: number });
  });
  if (opened && !closed) throw new ParseProblem('the file ends before its `}`');
}
