// Erlang: rebar.lock.

import { type PackageList, versionOfCommit } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { refuseBinary, refuseConflicts } from '../../text/lines.ts';

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
