// Files that pin something in one line or one field each: Brewfile, devbox, npins, submodules of git, actions of workflows.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList, type PackageSource } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsoncObject, parseJsonObject } from '../text/json.ts';
import { forEachLine } from '../text/lines.ts';

/** Brewfile: taps, formulas and casks; it is a program, of which lines are read. */
export function parseBrewfile(text: string, list: PackageList): void {
  forEachLine(text, (line) => {
    const [, kind, name] = /^\s*(tap|brew|cask|mas|vscode)[ (]{1,3}["']([^"']+)["']/.exec(line) ?? [];
    if (name) list.add(kind === 'brew' ? name : `${kind} ${name}`, anyVersion);
  });
}

/** devbox.json: packages as a list of `name@version`, or a table of versions. */
export function parseDevbox(text: string, list: PackageList): void {
  const packages = field(parseJsoncObject(text), 'packages');
  if (isPlainObject(packages)) {
    for (const [name, wanted] of Object.entries(packages))
      list.add(name, typeof wanted === 'string' ? wanted : (textField(wanted, 'version') ?? anyVersion));
  } else
    for (const wanted of itemsOf({ packages }, 'packages'))
      if (typeof wanted === 'string') addDescriptor(list, wanted, undefined);
}

function addDescriptor(list: PackageList, descriptor: string, entry: unknown): void {
  const at = descriptor.lastIndexOf('@');
  const name = at > 0 ? descriptor.slice(0, at) : descriptor;
  const version = textField(entry, 'version') ?? (at > 0 ? descriptor.slice(at + 1) : anyVersion);
  list.add(name, version, undefined, textField(entry, 'resolved'));
}

/** devbox.lock: packages with the commit of nixpkgs that has them. */
export function parseDevboxLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!isPlainObject(field(lock, 'packages'))) throw new ParseProblem('it has no `packages`');
  for (const [descriptor, entry] of entriesOf(lock, 'packages')) addDescriptor(list, descriptor, entry);
}

/** npins/sources.json: pins with their version, or revision. */
export function parseNpins(text: string, list: PackageList): void {
  const pins = parseJsonObject(text);
  if (!isPlainObject(field(pins, 'pins'))) throw new ParseProblem('it has no `pins`');
  for (const [name, pin] of entriesOf(pins, 'pins')) {
    const version = textField(pin, 'version') ?? textField(pin, 'revision') ?? anyVersion;
    const url = textField(field(pin, 'repository'), 'url') ?? textField(pin, 'url');
    list.add(name, version, url ? (`git+${url}` as PackageSource) : undefined, textField(pin, 'hash'));
  }
}

/** .gitmodules: the folder of each submodule and its address; git's index has the commit. */
export function parseGitmodules(text: string, list: PackageList): void {
  let path: string | undefined;
  let url: string | undefined;
  const finish = () => {
    if (path) list.add(path, anyVersion, url ? `git+${url}` : undefined);
    path = undefined;
    url = undefined;
  };
  forEachLine(text, (line) => {
    if (/^\s*\[/.test(line)) finish();
    const [, name, value = ''] = /^\s*(path|url)\s*=(.*)$/.exec(line) ?? [];
    if (name === 'path') path = value.trim();
    if (name === 'url') url = value.trim();
  });
  finish();
}

/** Workflows of GitHub: actions with their tag or commit. */
export function parseWorkflow(text: string, list: PackageList): void {
  forEachLine(text, (line) => {
    const [, name, version] = /^\s*(?:-\s+)?uses:\s*["']?([^\s"'@#]+)@([^\s"'#]+)/.exec(line) ?? [];
    if (name && version) list.add(name, version);
  });
  list.isRecorded = list.size > 0;
}
