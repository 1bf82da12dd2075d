// Causes that lie in the checkout: what one work tree holds and the other does not.

import { counted } from '@envsnap/shared/text/size';
import { shellWord } from '@envsnap/shared/text/visible';
import { type CheckoutSubject, checkoutPlace, checkoutSentence } from '../model/compare-checkout.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import type { DraftCause } from './cause.ts';
import type { SideName, SideNames } from './side-names.ts';
import { differenceWeight } from './weights.ts';

/** One cause for each subject and side, so that 40 changed files are one line; a value of both sides is reported for B. */
export function checkoutCauses({ sections, needs }: EnvironmentComparison, names: SideNames): DraftCause[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of sections.checkout) {
    if (entry.status === 'same') continue;
    const group = `${checkoutPlace(entry.key).subject} ${sideOf(entry)}`;
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  return [...groups.values()].map((entries) => {
    const weighed = entries
      .map((entry) => ({ entry, weight: differenceWeight(entry, needs) }))
      // What is only counted comes behind what has a name.
      .sort(
        (x, y) =>
          Number(y.entry.key.includes('/')) - Number(x.entry.key.includes('/')) || y.weight - x.weight,
      );
    const { entry, weight } = weighed[0] as (typeof weighed)[number];
    const others = weighed.slice(1).reduce((sum, each) => sum + sizeOf(each.entry), 0);
    const more = others > 0 ? `, and ${others} more` : '';
    const { what, advice } = checkoutText(entry, names);
    return {
      weight,
      section: 'checkout' as const,
      kind: 'changed' as const,
      keys: weighed.map(({ entry: { key } }) => key),
      what: `${what}${more}`,
      advice,
    };
  });
}

/** How many files an entry stands for. */
function sizeOf(entry: Entry): number {
  return entry.key === 'changed' ? Number(entry[sideOf(entry)]) || 1 : 1;
}

/** The side that is not as committed. */
function sideOf({ b }: Entry): 'a' | 'b' {
  return b === 'as committed' || b === 'no' || b === 'built' || b === 'none' ? 'a' : 'b';
}

function checkoutText(entry: Entry, names: SideNames): { what: string; advice: string } {
  const { subject, name } = checkoutPlace(entry.key);
  const side = sideOf(entry);
  const here = names[side];
  const plain: Partial<Record<CheckoutSubject, { what: string; advice: string }>> = {
    commit: {
      what: `the commit is ${short(entry.a)} ${names.a.at}, ${short(entry.b)} ${names.b.at}`,
      advice: `check out ${short(entry.a)} ${names.b.at}`,
    },
    branch: {
      what: `the branch is ${entry.a} ${names.a.at}, ${entry.b} ${names.b.at}`,
      advice: 'check out the same revision on both sides',
    },
    untracked: {
      what: `${counted(Number(entry.a), 'untracked file')} ${names.a.at}, ${entry.b} ${names.b.at}`,
      advice: `run “git status” ${names.b.at}`,
    },
    sparse: {
      what: `only part of the repository is checked out ${here.at}`,
      advice: `run “git sparse-checkout disable” ${here.at}`,
    },
    operation: {
      what: `a ${side === 'a' ? entry.a : entry.b} is not finished ${here.at}`,
      advice: `run “git status” ${here.at}, which says how to finish or undo it`,
    },
    repository: {
      what: `the folder is no repository of git ${names[entry.a === 'none' ? 'a' : 'b'].at}`,
      advice: `copy or mount .git too ${names[entry.a === 'none' ? 'a' : 'b'].at}, or clone it there`,
    },
    tags: {
      what: `the repository has no tags ${names[entry.a === 'none' ? 'a' : 'b'].at}`,
      advice: `run “git fetch --tags” ${names[entry.a === 'none' ? 'a' : 'b'].at}`,
    },
    shallow: {
      what: `the history is cut off ${here.at}`,
      advice: `run “git fetch --unshallow” ${here.at}`,
    },
  };
  const own = plain[subject];
  if (own) return own;
  const { message, advice } = checkoutSentence(entry.key, (side === 'a' ? entry.a : entry.b) ?? '', here.at);
  return { what: message, advice: advice ?? changeAdvice(name, side, here, names) };
}

/** A change that only A has must be carried over; one that only B has is worth a look first. */
function changeAdvice(name: string, side: 'a' | 'b', here: SideName, names: SideNames): string {
  return side === 'a'
    ? `commit it ${here.at}, or carry it over to ${names.b.name}`
    : `look at “git diff HEAD -- ${name === '' ? '.' : shellWord(name)}” ${here.at}`;
}

function short(commit: string | null): string {
  return (commit ?? 'unknown').slice(0, 8);
}
