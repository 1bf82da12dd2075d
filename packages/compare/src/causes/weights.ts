// How likely a difference explains a failure, from what its row of a catalogue says. Comparisons, diagnoses and bisections ask
// here. Changed only with the figures of bench/causes.

import type { FactWeight, WeightCase, WeightClass } from '@envsnap/shared/catalogue/facts/fact';
import { roleOf, type ToolRole, toolRow } from '@envsnap/shared/catalogue/tools';
import type { Distance } from '@envsnap/versions';
import { factRowOf } from '../environment/kind.ts';
import { type CheckoutSubject, checkoutPlace } from '../model/compare-checkout.ts';
import { leftOut } from '../model/compare-installed.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { amountOf } from '../relevance/conditions.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { isUtc } from '../relevance/time-zone.ts';
import { judgeVariable } from '../relevance/variable-relevance.ts';

/** What cannot matter to the project keeps its order, after everything that can. */
const contextShare = 0.03;
/** Facts that never count by default are occasionally causes. */
const contextFactShare = 0.3;
/** Everyday differences between healthy machines, and what is too small to count. */
const mildShare = 0.6;

const nothingKnown = projectNeeds();

/** What a weight depends on: an entry of a comparison, or as much of one as is known. */
export type Difference = Pick<
  Entry,
  'section' | 'key' | 'status' | 'a' | 'b' | 'distance' | 'context' | 'mild' | 'declared'
>;

/** Weight of one difference, from 0 (never the cause) to 100 (surely), for a project. Only the order has a meaning. */
export function differenceWeight(entry: Difference, needs: ProjectNeeds = nothingKnown): number {
  const row = factRowOf(entry.section, entry.key);
  const cases = typeof row?.weight === 'object' ? row.weight : undefined;
  if (cases) return weightOfCases(cases, entry, needs);
  const weight = row ? weightClasses[row.weight as WeightClass] : weightBySection(entry, needs);
  if (entry.context) return weight * (entry.section === 'facts' ? contextFactShare : contextShare);
  // Uncommitted work and a clone without packages are everyday differences, and still explain much.
  const isToldAnyway = entry.section === 'checkout' || entry.section === 'installed';
  return entry.mild === undefined || isToldAnyway ? weight : weight * mildShare;
}

function weightBySection(entry: Difference, needs: ProjectNeeds): number {
  switch (entry.section) {
    case 'os':
      return 52;
    case 'arch':
      return 66;
    case 'installed':
      if (entry.mild === undefined) return 93;
      return entry.a === leftOut || entry.b === leftOut ? 70 : 97;
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
      return variableWeight(entry, needs);
    // Of another version of the catalogue.
    case 'system':
    case 'facts':
      return weightClasses.context;
  }
}

const checkoutWeights: Readonly<Record<CheckoutSubject, number>> = {
  submodule: 92,
  pointer: 92,
  changed: 88,
  output: 84,
  sparse: 78,
  repository: 60,
  above: 70,
  operation: 60,
  commit: 40,
  branch: 24,
  untracked: 40,
  shallow: 24,
  tags: 24,
};

const weightClasses: Readonly<Record<WeightClass, number>> = {
  strong: 90,
  likely: 75,
  possible: 60,
  'now and then': 47,
  rare: 24,
  slight: 12,
  context: 4,
};

function weightOfCases(
  cases: Extract<FactWeight, readonly unknown[]>,
  entry: Difference,
  needs: ProjectNeeds,
): number {
  const found = cases.find((each) => holds(each, entry, needs))?.weight ?? 'context';
  return typeof found === 'number' ? found : weightClasses[found];
}

function holds(wanted: WeightCase, entry: Difference, { ecosystems, tools }: ProjectNeeds): boolean {
  const { a, b, status, distance, mild, context } = entry;
  return (
    (wanted.a === undefined || a === wanted.a) &&
    (wanted.b === undefined || [wanted.b].flat().includes(b ?? '')) &&
    (wanted.enough === undefined || amountOf(b) >= amountOf(a)) &&
    (wanted.counted === undefined || wanted.counted === (mild === undefined && !context)) &&
    (wanted.uses?.some((name) => ecosystems.has(name) || tools.has(name)) ?? true) &&
    (wanted.distance === undefined || distance === wanted.distance) &&
    (wanted.oneSide === undefined || status !== 'changed') &&
    (wanted.utc === undefined || isUtc(a) || isUtc(b))
  );
}

type VersionWeights = Readonly<Record<Distance | 'removed' | 'added', number>>;

const roleWeights: Readonly<Record<ToolRole, VersionWeights>> = {
  language: { removed: 95, added: 40, major: 92, minor: 80, patch: 78, prerelease: 60, build: 15, other: 62 },
  manager: { removed: 86, added: 30, major: 74, minor: 40, patch: 18, prerelease: 30, build: 8, other: 36 },
  tool: { removed: 70, added: 20, major: 40, minor: 24, patch: 10, prerelease: 16, build: 5, other: 20 },
};
const dependencyWeights: VersionWeights = {
  ...{ removed: 74, added: 48, major: 80, minor: 72, patch: 64, prerelease: 66, build: 20, other: 70 },
};

function runtimeWeight({ key, status, distance }: Difference): number {
  return roleWeights[roleOf(toolRow(key))][onOneSide(status) ?? distance ?? 'other'];
}

function dependencyWeight({ status, distance }: Difference): number {
  return dependencyWeights[onOneSide(status) ?? distance ?? 'other'];
}

function onOneSide(status: Difference['status']): 'removed' | 'added' | undefined {
  return status === 'removed' || status === 'added' ? status : undefined;
}

function toolchainWeight({ declared }: Difference): number {
  const { a, b } = declared ?? { a: null, b: null };
  if (b?.satisfied === false && a?.satisfied !== false) return 96;
  if (a && b && a.requirement !== b.requirement) return 64;
  return a?.satisfied === false ? 30 : 32;
}

type VariableWeights = Readonly<Record<'removed' | 'changed' | 'added', number>>;

/** By how often the row says that they are a cause; people choose one language for everything they do. */
const likelihoodWeights = {
  high: { removed: 72, changed: 84, added: 82 },
  usual: { removed: 54, changed: 58, added: 56 },
  low: { removed: 18, changed: 20, added: 20 },
  language: { removed: 70, changed: 71, added: 70 },
  // Each machine has its own; where it matters, the programs found through it differ too.
  'search path': { removed: 60, changed: 40, added: 20 },
  runner: { removed: 40, changed: 30, added: 60 },
} satisfies Record<string, VariableWeights>;

const variableWeights = {
  mentioned: { removed: 92, changed: 80, added: 66 },
  application: { removed: 84, changed: 64, added: 60 },
  unknown: { removed: 62, changed: 54, added: 30 },
  'tool-setting': { removed: 46, changed: 46, added: 44 },
  // Of a person, a desktop, a CI service: the least of the context.
  other: { removed: 10, changed: 10, added: 10 },
} satisfies Record<string, VariableWeights>;

function variableWeight({ key, status }: Difference, needs: ProjectNeeds): number {
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  const change = onOneSide(status) ?? 'changed';
  if (row?.class === 'behaviour') return likelihoodWeights[row.likelihood ?? 'usual'][change];
  if (mentionedIn !== undefined || fromDotenv) return variableWeights.mentioned[change];
  if (row?.class === 'application' || row?.class === 'tool-setting')
    return variableWeights[row.class][change];
  return variableWeights[row === undefined ? 'unknown' : 'other'][change];
}
