// Causes that lie in what is installed: packages that are not as locked, and lock files of which nothing is installed.

import { isNothingInstalled, lackingIn } from '../model/compare-installed.ts';
import { directFirst } from '../model/direct-packages.ts';
import { commandFor } from '../model/installed-findings.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import type { DraftCause } from './cause.ts';
import type { SideNames } from './side-names.ts';
import { differenceWeight } from './weights.ts';

/** One cause for each lock file: first of all what the project itself asks for. */
export function installedCauses(comparison: EnvironmentComparison, names: SideNames): DraftCause[] {
  const byFile = new Map<string, Entry[]>();
  const causes: DraftCause[] = [];
  for (const entry of comparison.sections.installed) {
    if (entry.status === 'same') continue;
    const file = entry.file ?? '';
    if (isNothingInstalled(entry)) causes.push(nothingCause(entry, comparison, names));
    else byFile.set(file, [...(byFile.get(file) ?? []), entry]);
  }
  for (const [file, entries] of byFile) {
    entries.sort(directFirst);
    const first = entries[0] as Entry;
    const more = entries.length > 1 ? `, and ${entries.length - 1} more` : '';
    const at = placeOf(entries, names);
    const command = commandFor(file, first.name);
    causes.push({
      weight: differenceWeight(first, comparison.needs),
      section: 'installed',
      kind: 'changed',
      keys: entries.map((entry) => entry.key),
      what: `installed packages ${at} are not those of ${file}: ${first.name} is ${first.a} ${names.a.at}, ${first.b} ${names.b.at}${whereabouts(first)}${more}`,
      advice: command === null ? `install what ${file} locks, ${at}` : `run ${command} ${at}`,
    });
  }
  return causes;
}

/** The side that drifted. */
function placeOf(entries: readonly Entry[], names: SideNames): string {
  const sides = new Set(entries.map(({ drift }) => drift?.sides ?? 'both'));
  const [only] = sides.size === 1 ? sides : [];
  return only === 'a' || only === 'b' ? names[only].at : 'on both sides';
}

/** ` (node_modules/ms, which debug and send need)` */
function whereabouts({ drift, direct }: Entry): string {
  const { folder = null, requiredBy = [] } = drift ?? {};
  const parts = [
    folder ?? '',
    !direct && requiredBy.length > 0
      ? `${folder === null ? '' : 'which '}${requiredBy.join(' and ')} ${requiredBy.length > 1 ? 'need' : 'needs'}${folder === null ? ' it' : ''}`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function nothingCause(entry: Entry, { needs }: EnvironmentComparison, names: SideNames): DraftCause {
  const file = entry.file ?? entry.key;
  const { side, what } = lackingIn(entry);
  const { at } = names[side];
  const command = commandFor(file);
  return {
    weight: differenceWeight(entry, needs),
    section: 'installed',
    kind: 'changed',
    keys: [entry.key],
    what: `${what} ${at}`,
    advice: command === null ? `install what ${file} locks, ${at}` : `run ${command} ${at}`,
  };
}
