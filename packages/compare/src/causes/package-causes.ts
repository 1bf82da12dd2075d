// Causes that stand for many entries: the packages of one dependency file.

import { installCommandOf } from '@envsnap/shared/catalogue/formats';
import { packageDatabaseOf, rankOfLoadedPackage } from '@envsnap/shared/catalogue/machine-packages';
import { counted } from '@envsnap/shared/text/size';
import { directFirst } from '../model/direct-packages.ts';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import type { DraftCause } from './cause.ts';
import type { SideNames } from './side-names.ts';
import { differenceWeight } from './weights.ts';

/**
 * One cause for each dependency file: its worst package decides the weight, with more where no other file drifted. What the
 * project itself asks for is named first.
 */
export function dependencyCauses(comparison: EnvironmentComparison, names: SideNames): DraftCause[] {
  const files = new Map<string, { entries: Entry[]; total: number }>();
  for (const entry of comparison.sections.dependencies) {
    const file = entry.file ?? '';
    let known = files.get(file);
    if (!known) {
      known = { entries: [], total: 0 };
      files.set(file, known);
    }
    known.total += 1;
    if (entry.status !== 'same') known.entries.push(entry);
  }
  const drifted = [...files].filter(([, { entries }]) => entries.length > 0);
  const ofProject = drifted.filter(([file]) => !file.startsWith('/'));
  return drifted.map(([file, { entries, total }]) => {
    if (packageDatabaseOf(file) !== undefined) return machineCause(entries, comparison, names);
    const onlyOne = ofProject.length === 1 && !file.startsWith('/') && files.size > 1;
    const weighed = entries
      .map((entry) => ({
        entry,
        name: entry.name,
        direct: entry.direct,
        weight: differenceWeight(entry, comparison.needs),
      }))
      .sort(directFirst);
    const first = (weighed[0] as (typeof weighed)[number]).entry;
    const worst = weighed.reduce((most, { weight }) => Math.max(most, weight), 0);
    const extra = first.context ? 0 : (onlyOne ? 4 : 0) + Math.min(4, entries.length - 1);
    return {
      weight: Math.min(89, worst + extra),
      section: 'dependencies' as const,
      kind: 'changed' as const,
      keys: weighed.map(({ entry }) => entry.key),
      what:
        filePhrase(file, entries, total, first, names) +
        (onlyOne ? '; the other dependency files are equal' : ''),
      advice: installAdvice(file, names),
    };
  });
}

/** Weight of packages that differ because the distribution does, as that of the distribution itself. */
const ofDistribution = 58;

/** Most packages of the operating system that a cause names. */
const packagesNamed = 3;

/** The system's own packages are one cause: what programs load of them, the C library first, and the distribution behind it. */
function machineCause(
  entries: readonly Entry[],
  comparison: EnvironmentComparison,
  names: SideNames,
): DraftCause {
  const loaded = entries.filter((entry) => !entry.context);
  const shown = loaded.length > 0 ? loaded : entries;
  const ordered = [...shown].sort(
    (x, y) =>
      Number(y.status === 'changed') - Number(x.status === 'changed') ||
      rankOfLoadedPackage(x.name ?? '') - rankOfLoadedPackage(y.name ?? '') ||
      ((x.name ?? '') < (y.name ?? '') ? -1 : 1),
  );
  const listed = ordered.slice(0, packagesNamed).map((entry) => packagePhrase(entry, names));
  const left = shown.length - listed.length;
  const all = `${listed.join(', ')}${left > 0 ? ` and ${counted(left, 'more package')}` : ''}`;
  const distribution = comparison.sections.system.find(
    ({ key, status }) => key === 'distribution' && status === 'changed',
  );
  const about = loaded.length > 0 ? 'libraries that programs load differ' : 'packages of the system differ';
  const weights = shown.map((entry) => differenceWeight(entry, comparison.needs));
  return {
    // Packages of another distribution are what the distribution brings.
    weight: Math.min(
      distribution ? ofDistribution : 89,
      weights.reduce((most, weight) => Math.max(most, weight), 0),
    ),
    section: 'dependencies',
    kind: 'changed',
    keys: ordered.map((entry) => entry.key),
    what: distribution
      ? `${loaded.length > 0 ? 'libraries' : 'packages'} of ${distribution.a} and ${distribution.b} differ: ${all}`
      : `${about}: ${all}`,
    advice: distribution
      ? `use ${distribution.a} ${names.b.at}`
      : `install the packages of ${names.a.name} ${names.b.at}`,
  };
}

function packagePhrase({ name, a, b, status }: Entry, names: SideNames): string {
  if (status === 'removed') return `${name} ${a} ${names.a.at} only`;
  if (status === 'added') return `${name} ${b} ${names.b.at} only`;
  return `${name} ${a} → ${b}`;
}

function filePhrase(
  file: string,
  entries: readonly Entry[],
  total: number,
  first: Entry,
  names: SideNames,
): string {
  if (entries.length === total && total > 1) {
    if (entries.every((entry) => entry.status === 'removed'))
      return `${file} (${total} packages) is ${names.a.at}, not ${names.b.at}`;
    if (entries.every((entry) => entry.status === 'added'))
      return `${file} (${total} packages) is ${names.b.at}, not ${names.a.at}`;
  }
  const one =
    first.status === 'removed'
      ? `${first.name} ${first.a} is ${names.a.at} only`
      : first.status === 'added'
        ? `${first.name} ${first.b} is ${names.b.at} only`
        : `${first.name} ${first.a} → ${first.b}${first.distance === 'other' || !first.distance ? '' : ` (${first.distance})`}`;
  if (entries.length === 1) return `${file}: ${one}`;
  return `${file} drifted: ${entries.length} packages differ, first of all ${one}`;
}

function installAdvice(file: string, names: SideNames): string {
  const command = installCommandOf(file);
  return `use the ${file} of ${names.a.name} ${names.b.at}${command ? `, then ${command}` : ''}`;
}
