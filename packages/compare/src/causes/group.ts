// Groups differences that readers see as one cause. The score decides which one leads.

import type { SectionName } from '@envsnap/shared/address';
import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import type { Distance } from '@envsnap/versions';
import { dotenvPlace } from '../environment/dotenv-variable.ts';
import { numbersOf, orderOf } from '../failure/versions-in-lines.ts';
import { checkoutPlace, differingSide } from '../model/compare-checkout.ts';
import { isNothingInstalled } from '../model/compare-installed.ts';
import { type Entry, type EnvironmentComparison, toolOfKey } from '../model/model.ts';
import { isUtc } from '../relevance/time-zone.ts';
import { activationTest } from './active-environment.ts';
import { familyOf, runtimeOf, variableOfFact } from './cause.ts';

type GroupKind =
  | 'dotenv file'
  | 'platform'
  | 'runtime'
  | 'runner'
  | 'environment'
  | 'family'
  | 'packages'
  | 'system packages'
  | 'installed'
  | 'checkout'
  | 'alone';

export interface Group {
  readonly kind: GroupKind;
  readonly entries: readonly Entry[];
}

export function groupsOf(entries: readonly Entry[], comparison: EnvironmentComparison): readonly Group[] {
  const byPlace = new Map(entries.map((entry) => [`${entry.section}\n${entry.key}`, entry]));
  const find = (section: SectionName, key: string) => byPlace.get(`${section}\n${key}`);
  const wholeFiles = missingDotenvFiles(entries, comparison);
  const isPlatform = find('os', 'os') !== undefined && find('arch', 'arch') !== undefined;
  const isRunner = isRunnerPair(find('env', 'CI'), find('system', 'timezone'));
  const hasZoneVariable = entries.some((entry) => entry.section === 'env' && familyOf(entry) === 'time zone');
  const isActivation = activationTest(entries);
  const groups = new Map<unknown, Entry[]>();
  const kinds = new Map<unknown, GroupKind>();
  const groupIdOf = (entry: Entry): readonly [kind: GroupKind, name: unknown] => {
    const { section, key, file = '' } = entry;
    if (isActivation(entry)) return ['environment', ''];
    switch (section) {
      case 'os':
      case 'arch':
        return isPlatform ? ['platform', ''] : ['alone', entry];
      case 'dependencies':
        return [packageDatabaseOf(file) === undefined ? 'packages' : 'system packages', file];
      case 'installed':
        if (isNothingInstalled(entry)) return ['alone', entry];
        return ['installed', file];
      case 'checkout':
        // Git's setting explains how git wrote the files.
        if ([entry.a, entry.b].includes('line ends') && find('facts', 'git.core.autocrlf'))
          return ['family', 'line ends'];
        if (checkoutPlace(key).subject === 'ignored') return ['checkout', key];
        return ['checkout', `${checkoutPlace(key).subject} ${differingSide(entry)}`];
      case 'toolchain': {
        const runtime = find('runtimes', toolOfKey(key));
        return runtime ? groupIdOf(runtime) : ['runtime', toolOfKey(key)];
      }
    }
    const dotenv = dotenvPlace(key)?.file;
    if (section === 'env' && dotenv !== undefined)
      return wholeFiles.has(dotenv) ? ['dotenv file', dotenv] : ['alone', entry];
    if (isRunner && !hasZoneVariable && (key === 'CI' || key === 'timezone')) return ['runner', ''];
    const runtime = runtimeOf(entry);
    const leader = runtime === undefined ? undefined : find('runtimes', runtime);
    if (leader && follows(entry, leader)) return ['runtime', runtime];
    const family = familyOf(entry);
    if (family !== undefined) return ['family', family];
    if (section === 'runtimes') return ['runtime', key];
    const setter = section === 'facts' ? variableOfFact(key) : undefined;
    const variable = setter === undefined ? undefined : find('env', setter);
    return variable === undefined ? ['alone', entry] : groupIdOf(variable);
  };
  for (const entry of entries) {
    const [kind, name] = groupIdOf(entry);
    const id = typeof name === 'object' ? name : `${kind} ${name}`;
    kinds.set(id, kind);
    const group = groups.get(id);
    if (group) group.push(entry);
    else groups.set(id, [entry]);
  }
  return [...groups].map(([id, members]) => ({ kind: kinds.get(id) as GroupKind, entries: members }));
}

function missingDotenvFiles(
  entries: readonly Entry[],
  { sections }: EnvironmentComparison,
): ReadonlySet<string> {
  const fileOf = ({ key }: Entry) => dotenvPlace(key)?.file ?? '';
  const all = Map.groupBy(sections.env, fileOf);
  const differing = Map.groupBy(
    entries.filter(({ section }) => section === 'env'),
    fileOf,
  );
  return new Set(
    [...differing].flatMap(([file, [first, ...others]]) => {
      const isMissing =
        first &&
        others.length > 0 &&
        first.status !== 'changed' &&
        file !== '' &&
        all.get(file)?.every(({ status }) => status === first.status);
      return isMissing ? [file] : [];
    }),
  );
}

/** A CI runner uses UTC: both differences follow from being a runner. */
function isRunnerPair(ci: Entry | undefined, zone: Entry | undefined): boolean {
  if (!ci || !zone || ci.status === 'changed' || zone.a === null || zone.b === null) return false;
  const [here, there] = ci.status === 'added' ? [zone.b, zone.a] : [zone.a, zone.b];
  return isUtc(here) && !isUtc(there);
}

const distanceRanks: Readonly<Partial<Record<Distance, number>>> = { major: 3, other: 3, minor: 2, patch: 1 };

/** Whether a difference follows from that of its runtime: the runtime must differ in the same direction, by a minor
 * version or more, and at least as much. */
function follows(entry: Entry, runtime: Entry): boolean {
  if (entry.status !== runtime.status) return false;
  if (runtime.status !== 'changed') return true;
  const far = distanceRanks[runtime.distance ?? 'other'] ?? 0;
  if (far < 2) return false;
  if (entry.distance === null) return true;
  const isSameWay = directionOf(entry) === directionOf(runtime);
  return isSameWay && (distanceRanks[entry.distance] ?? 0) <= far;
}

function directionOf({ a, b }: Entry): number {
  return orderOf(numbersOf(a ?? ''), numbersOf(b ?? ''));
}
