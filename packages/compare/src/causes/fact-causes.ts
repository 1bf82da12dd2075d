// What a difference in a fact, or in what is installed, says as a cause: its weight, its sentence, its advice.

import type { FactRow, FactWeight } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { nameList } from '../model/list-text.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import type { Cause } from './causes.ts';

/** Weights of the classes that the catalogue's rows name, on the scale of {@link Cause.weight}. */
const weights: Record<FactWeight, number> = { strong: 84, likely: 56, possible: 38, rare: 14, context: 2 };
/** Share of its weight that a fact keeps which does not count for this project. */
const contextShare = 0.5;

/** The cause that one differing fact stands for. */
export function factCause(entry: Entry): Cause {
  const row: FactRow | undefined = isFactName(entry.key) ? factCatalogue[entry.key] : undefined;
  const weight = weights[row?.weight ?? 'context'] * (entry.context ? contextShare : 1);
  return {
    weight,
    section: 'facts',
    keys: [entry.key],
    what: `${entry.key} ${factChange(entry)}`,
    advice: adviceFor(entry, row),
  };
}

function factChange(entry: Entry): string {
  if (!entry.list) return `is ${entry.a} in A, ${entry.b} in B`;
  const { added, removed, moved } = entry.list;
  const parts = [
    removed.length > 0 ? `lacks ${nameList(removed)} in B` : '',
    added.length > 0 ? `has ${nameList(added)} in B only` : '',
    moved.length > 0 ? 'is in another order in B' : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

function adviceFor({ key, a }: Entry, row: FactRow | undefined): string {
  const apply = row?.apply;
  if (row?.kind === 'digest' || a === row?.unset) return `give B the ${key} of A`;
  switch (apply?.by) {
    case 'limit':
      return `run B with prlimit --${apply.limit}=${a}`;
    case 'umask':
      return `run “umask ${a}” in B`;
    case 'git-config':
      return `run “git config --global ${apply.key} ${a}” in B`;
    case 'variable':
      return `set ${apply.name}=${a} in B`;
    default:
      return `give B the ${key} of A`;
  }
}

/** Where the packages on disk are not those of the lock file: one cause for each lock file. */
export function installedCauses(comparison: EnvironmentComparison): Cause[] {
  const byFile = new Map<string, Entry[]>();
  for (const entry of comparison.sections.installed) {
    if (entry.status === 'same') continue;
    const file = entry.file ?? '';
    byFile.set(file, [...(byFile.get(file) ?? []), entry]);
  }
  return [...byFile].map(([file, entries]) => {
    const first = entries[0] as Entry;
    const more = entries.length > 1 ? `, and ${entries.length - 1} more` : '';
    return {
      weight: installedWeight,
      section: 'installed',
      keys: entries.map((entry) => entry.key),
      what: `installed packages are not those of ${file}: ${first.name} is ${first.a} in A, ${first.b} in B${more}`,
      advice: `install what ${file} locks, on both sides`,
    };
  });
}

/** What is installed is what runs: before the lock file's own drift, after a missing runtime. */
export const installedWeight = 88;
