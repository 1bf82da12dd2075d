// How likely each kind of difference explains a failure. Changed only with the figures of bench/causes. docs/specification.md §12.

import type { FactWeight } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { Distance } from '@envsnap/versions';
import { type CheckoutSubject, checkoutPlace } from '../model/compare-checkout.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../relevance/project-needs.ts';
import { isLanguage, isManager } from '../relevance/runtime-kinds.ts';
import { isUtc } from '../relevance/time-zone.ts';
import { directedWeight } from './fact-weights.ts';
import { variableWeight } from './variable-weight.ts';

/** What cannot matter to the project keeps its order, behind everything that can. */
const contextShare = 0.03;
/** Facts that never count by default are causes now and then. */
const contextFactShare = 0.3;
/** What healthy machines differ in day by day, and what is too small to count. */
const mildShare = 0.6;

/** Weight of one entry on its own, from 0 to 100. Only the order has a meaning. */
export function entryWeight(entry: Entry, needs: ProjectNeeds): number {
  const directed = entry.section === 'facts' ? directedWeight(entry, needs) : undefined;
  if (directed !== undefined) return directed;
  const weight = baseWeight(entry, needs);
  if (entry.context) return weight * (entry.section === 'facts' ? contextFactShare : contextShare);
  // Work that nobody committed is everyday, and explains much all the same.
  return entry.mild === undefined || entry.section === 'checkout' ? weight : weight * mildShare;
}

function baseWeight(entry: Entry, needs: ProjectNeeds): number {
  switch (entry.section) {
    case 'os':
      return 52;
    case 'arch':
      return 66;
    case 'system':
      return systemWeight(entry, needs);
    case 'facts':
      return factWeight(entry);
    case 'installed':
      return 93;
    case 'checkout':
      return checkoutWeights[checkoutPlace(entry.key).subject];
    case 'runtimes':
      return runtimeWeight(entry);
    case 'toolchain':
      return toolchainWeight(entry);
    case 'dependencies':
      return dependencyWeight(entry);
    case 'paths':
    case 'env':
      return variableWeight(entry.key, changeOf(entry), needs);
  }
}

/** Below what stops a program at once, above what it may notice. */
const checkoutWeights: Record<CheckoutSubject, number> = {
  submodule: 92,
  pointer: 92,
  changed: 88,
  sparse: 78,
  commit: 40,
  branch: 24,
  untracked: 40,
  shallow: 24,
};

/** In A only, in B only, or in both. */
function changeOf({ status }: Entry): 'missing' | 'added' | 'changed' {
  return status === 'removed' ? 'missing' : status === 'added' ? 'added' : 'changed';
}

const languageWeights: Record<Distance, number> = {
  major: 92,
  minor: 80,
  patch: 78,
  prerelease: 60,
  build: 15,
  other: 62,
};
const managerWeights: Record<Distance, number> = {
  major: 74,
  minor: 40,
  patch: 18,
  prerelease: 30,
  build: 8,
  other: 36,
};
const toolWeights: Record<Distance, number> = {
  major: 40,
  minor: 24,
  patch: 10,
  prerelease: 16,
  build: 5,
  other: 20,
};

function runtimeWeight({ key, status, distance }: Entry): number {
  const kind = isLanguage(key) ? 0 : isManager(key) ? 1 : 2;
  if (status === 'removed') return [95, 86, 70][kind] as number;
  if (status === 'added') return [40, 30, 20][kind] as number;
  return ([languageWeights, managerWeights, toolWeights][kind] as typeof languageWeights)[
    distance ?? 'other'
  ];
}

function systemWeight({ key, status, distance, mild, a, b }: Entry, { ecosystems }: ProjectNeeds): number {
  const name = key.split('.')[0] as string;
  if (name === 'libc') {
    if (distance === 'major') return 93;
    if (status !== 'changed' || mild !== undefined) return 24;
    return ['c', 'gyp', 'cargo', 'conan'].some((each) => ecosystems.has(each)) ? 76 : 56;
  }
  if (name.startsWith('distr')) return status === 'changed' && distance === 'major' ? 58 : 35;
  // Runners and containers live in UTC, whoever uses them.
  if (name === 'timezone') return isUtc(a) || isUtc(b) ? 59 : 72;
  if (name === 'locale') return 66;
  return 40;
}

function toolchainWeight({ declared }: Entry): number {
  const { a, b } = declared ?? { a: null, b: null };
  if (b?.satisfied === false && a?.satisfied !== false) return 96;
  if (a && b && a.requirement !== b.requirement) return 64;
  return a?.satisfied === false ? 30 : 32;
}

const dependencyWeights: Record<Distance, number> = {
  major: 80,
  minor: 72,
  patch: 64,
  prerelease: 66,
  build: 20,
  other: 70,
};

function dependencyWeight({ status, distance }: Entry): number {
  if (status === 'removed') return 74;
  if (status === 'added') return 48;
  return dependencyWeights[distance ?? 'other'];
}

const factWeights: Record<FactWeight, number> = {
  strong: 90,
  likely: 75,
  possible: 60,
  rare: 24,
  context: 2,
};

function factWeight({ key }: Entry): number {
  return factWeights[isFactName(key) ? factCatalogue[key].weight : 'context'];
}
