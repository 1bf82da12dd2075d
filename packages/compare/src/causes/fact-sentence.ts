// A difference in a fact as a cause: its sentence and its advice.

import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { originText } from '@envsnap/shared/catalogue/facts/origin';
import { nameList } from '../model/list-text.ts';
import type { Entry } from '../model/model.ts';
import { amountOf, isNone } from '../relevance/conditions.ts';
import type { CauseText } from './cause.ts';
import type { SideNames } from './side-names.ts';

/** Puts a differing fact into words. `hardLimit` is how far B may raise a limit by itself. */
export function factSentence(entry: Entry, names: SideNames, hardLimit?: string): CauseText {
  const row = factRow(entry.key);
  const isTooHigh = hardLimit !== undefined && amountOf(entry.a) > amountOf(hardLimit);
  return {
    what: `${entry.key} ${factChange(entry, names)}`,
    advice: isTooHigh
      ? `raise the hard limit ${names.b.at} first (it is ${hardLimit}): in limits.conf, as LimitNOFILE= of systemd, or with --ulimit of a container`
      : adviceFor(entry, row, names),
  };
}

function factChange({ a, b, list }: Entry, { a: left, b: right }: SideNames): string {
  if (!list) return `is ${a} ${left.at}, ${b} ${right.at}`;
  const { added, removed, moved } = list;
  // “none” stands for a list without items.
  const [gone, come] = [removed, added].map((items) => items.filter((item) => item !== 'none'));
  const parts = [
    gone?.length ? `lacks ${nameList(gone)} ${right.at}` : '',
    come?.length ? `has ${nameList(come)} ${right.at} only` : '',
    moved.length > 0 ? `is in another order ${right.at}` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

function adviceFor({ key, a, b }: Entry, row: FactRow | undefined, { a: left, b: right }: SideNames): string {
  const own = typeof row?.advice === 'string' ? row.advice : row?.advice?.[a === 'true' ? 'true' : 'false'];
  const { at } = row?.kind !== 'flag' && isNone(a) && !isNone(b) ? left : right;
  if (own !== undefined) return own.replace('{a}', () => a ?? '').replace('{at}', () => at);
  const file = row && originText(row.read, 'linux');
  const source = file && /^[~/](?!proc)/.test(file) ? ` (it comes from ${file})` : '';
  const findOut = `find out whether ${key} matters${source}, or make it the same ${right.at}`;
  // A flag's default can be set like any other value; other defaults are words for "not set".
  const cannotBeSet = a === row?.unset && a !== 'true' && a !== 'false';
  if (row?.kind === 'digest' || cannotBeSet) return findOut;
  const { apply } = row ?? {};
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
      return findOut;
  }
}
