// What a difference in a fact says as a cause: its sentence and its advice.

import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { type FactName, factCatalogue, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { nameList } from '../model/list-text.ts';
import type { Entry } from '../model/model.ts';
import type { CauseText } from './cause-of-entry.ts';
import type { SideNames } from './side-names.ts';

/** Puts a differing fact into words. */
export function factSentence(entry: Entry, names: SideNames): CauseText {
  const row: FactRow | undefined = isFactName(entry.key) ? factCatalogue[entry.key] : undefined;
  return { what: `${entry.key} ${factChange(entry, names)}`, advice: adviceFor(entry, row, names) };
}

function factChange({ a, b, list }: Entry, { a: left, b: right }: SideNames): string {
  if (!list) return `is ${a} ${left.at}, ${b} ${right.at}`;
  const { added, removed, moved } = list;
  const parts = [
    removed.length > 0 ? `lacks ${nameList(removed)} ${right.at}` : '',
    added.length > 0 ? `has ${nameList(added)} ${right.at} only` : '',
    moved.length > 0 ? `is in another order ${right.at}` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

/** What to do about facts that nobody can simply set, or that each system sets its own way. */
const advised: Partial<Record<FactName, (a: string | null, right: SideNames['b']) => string>> = {
  // macOS has no prlimit; ulimit is there on every system.
  'limits.openFiles': (a, right) => `run “ulimit -n ${a}” ${right.at}`,
  'fs.caseSensitive': () => 'compare the names of files in imports with the files, letter by letter',
  'process.root': (a, right) => `run it as ${a === 'true' ? 'root' : 'a user other than root'} ${right.at}`,
  'net.ipv6': (a, right) => `switch IPv6 ${a === 'true' ? 'on' : 'off'} ${right.at}`,
};

function adviceFor({ key, a }: Entry, row: FactRow | undefined, { b: right }: SideNames): string {
  const own = Object.hasOwn(advised, key) ? advised[key as FactName] : undefined;
  if (own) return own(a, right);
  const apply = row?.apply;
  // A flag's default can be set like any other value; other defaults are words for "not set".
  const cannotBeSet = a === row?.unset && a !== 'true' && a !== 'false';
  if (row?.kind === 'digest' || cannotBeSet)
    return `find out whether ${key} matters, or make it the same ${right.at}`;
  switch (apply?.by) {
    case 'limit':
      return `run it under prlimit --${apply.limit}=${a} ${right.at}`;
    case 'umask':
      return `run “umask ${a}” ${right.at}`;
    case 'git-config':
      return `run “git config --global ${apply.key} ${a}” ${right.at}`;
    case 'variable':
      return `set ${apply.name}=${a} ${right.at}`;
    default:
      return `find out whether ${key} matters, or make it the same ${right.at}`;
  }
}
