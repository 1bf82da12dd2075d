// How likely a difference explains a failure. All rankings use this; score-sizes.json has the sizes of the terms.

import { parseAddress } from '@envsnap/shared/address';
import { ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import type { FactWeight, WeightCase, WeightClass } from '@envsnap/shared/catalogue/facts/fact';
import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { roleOf, toolRow } from '@envsnap/shared/catalogue/tools';
import { type Distance, versionDistance } from '@envsnap/versions';
import { factRowOf } from '../environment/kind.ts';
import { checkoutPlace } from '../model/compare-checkout.ts';
import { leftOut } from '../model/compare-installed.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { unreadContent } from '../model/package-origins.ts';
import { amountOf } from '../relevance/conditions.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { isUtc } from '../relevance/time-zone.ts';
import { judgeVariable } from '../relevance/variable-relevance.ts';
import fitted from './score-sizes.json' with { type: 'json' };

type SizeName = keyof typeof fitted.sizes;
type ShareName = keyof typeof fitted.shares;
type BonusName = keyof typeof fitted.bonuses;

export interface Sizes {
  readonly sizes: Readonly<Record<SizeName, number>>;
  readonly shares: Readonly<Record<ShareName, number>>;
  readonly bonuses: Readonly<Record<BonusName, number>>;
}

/** A difference: an entry of a comparison, or an address with the value where it works (A) and where it fails (B). */
type Difference = Pick<Entry, 'section' | 'key' | 'a' | 'b'> &
  Partial<Pick<Entry, 'status' | 'distance' | 'differsIn' | 'context' | 'mild' | 'declared' | 'file'>> & {
    readonly inOutput?: true;
  };

export interface Surroundings {
  readonly system?: boolean;
  readonly distribution?: boolean;
}

export interface Evidence {
  readonly words: string;
  /**
   * - `missing`: they say that it is missing, and B lacks it.
   * - `named`: they give its name or its value where they report an error.
   * - `meant`: a rule says that they mean it.
   * - `hinted`: it is often the reason for such words, or they name it beside the error.
   */
  readonly kind: 'missing' | 'named' | 'meant' | 'hinted';
  readonly isLacking?: boolean;
  readonly place?: number;
  /** The quoted words contain neither its name nor its value. */
  readonly isIndirect?: boolean;
}

export interface Terms {
  readonly size: SizeName | number;
  readonly share?: ShareName;
  /** The output reports errors but names no difference, although this one would be visible in its words. */
  readonly silence?: ShareName;
}

const nothingKnown = projectNeeds();

/** How likely a difference is a cause in a project before any output is read: from 0 (never) to 100 (certainly). */
export function scoreOf(difference: Difference, needs: ProjectNeeds = nothingKnown): number {
  return pointsOf(termsOf(difference, needs));
}

/** How much of a search a difference is worth: even what is hardly ever a cause is tried at last. `isDoubtful`: it names a
 * place that this machine does not have. */
export function searchWeight(difference: Difference, needs: ProjectNeeds, isDoubtful = false): number {
  const { size } = termsOf(difference, needs);
  return 1 + pointsOf(isDoubtful ? { size, share: 'names a place that is not here' } : { size });
}

/** The value where a command works and where it fails. Null: missing; undefined: unknown. */
export interface Change {
  readonly works?: string | null | undefined;
  readonly fails?: string | null | undefined;
}

/** How likely a change of the value at an address is a cause, in any project. */
export function scoreOfAddress(key: string, { works, fails }: Change = {}): number {
  const address = parseAddress(key);
  if (address === undefined || address.section === 'machineName') return fitted.sizes.machine;
  const { section, name } = address;
  // Runs of other commits have other code. In a comparison, the commit is only context.
  if (section === 'checkout') return fitted.sizes['code of another run'];
  if (section === 'metadata') return fitted.sizes['other metadata'];
  const requirement = { requirement: '', file: '', present: null };
  const file = section === 'dependencies' ? name.slice(0, name.lastIndexOf('/')) : '';
  return scoreOf({
    section,
    key: name,
    a: works ?? null,
    b: fails ?? null,
    status: works === null ? 'added' : fails === null ? 'removed' : 'changed',
    ...(packageDatabaseOf(file) !== undefined && { context: true as const }),
    ...(name.endsWith(' not met') && {
      declared: { a: { ...requirement, satisfied: true }, b: { ...requirement, satisfied: false } },
    }),
  });
}

export function pointsOf({ size, share, silence }: Terms, { sizes, shares }: Sizes = fitted): number {
  const points = typeof size === 'number' ? size : sizes[size];
  return [share, silence].reduce((rest, each) => rest * (each === undefined ? 1 : shares[each]), points);
}

/**
 * The effect of a variable or setting is visible in words with its name or kind; that of a version may be visible in
 * any words.
 */
export function silentTermsOf({
  section,
  key,
  secret,
}: Pick<Entry, 'section' | 'key' | 'secret'>): ShareName | undefined {
  // Access denied, no answer, a missing file: these failures have their own messages.
  if (section === 'env' && (secret || namesAPlace.test(key))) return 'place or secret not in the output';
  if (section === 'env' || section === 'paths') return 'variable not in the output';
  return section === 'facts' || section === 'system' ? 'setting not in the output' : undefined;
}

const namesAPlace =
  /(?:^|_)(?:TOKEN|KEY|SECRET|PASSWORD|CREDENTIALS|URL|URI|HOST|PORT|PROXY|DIR|FOLDER|PATH|FILE|HOME)$/i;

export function evidencePoints(
  { kind, isLacking, place = 0 }: Evidence,
  { bonuses }: Sizes = fitted,
): number {
  return bonuses[kind] + (isLacking ? bonuses['not in B'] : 0) + place * bonuses['at the end'];
}

export interface Judgement {
  readonly points: number;
  readonly evidence?: Evidence | undefined;
  /** A project's file of packages: how many differ, and whether it is the only file that does. */
  readonly packages?: number;
  readonly isOnlyFile?: boolean;
}

/**
 * Scores of causes that are compared with each other. An output is usually about one cause, so evidence for any but the
 * likeliest cause adds only a share of its points.
 */
export function causeScores(judgements: readonly Judgement[], table: Sizes = fitted): number[] {
  const { bonuses } = table;
  const parts = judgements.map(({ points, evidence, packages = 1, isOnlyFile }) => ({
    base:
      points +
      (isOnlyFile ? bonuses['only file that differs'] : 0) +
      Math.min(4, packages - 1) * bonuses['each further package'],
    evidencePart: evidence === undefined ? 0 : evidencePoints(evidence, table),
  }));
  let best = -1;
  for (const [place, { base, evidencePart }] of parts.entries()) {
    const leader = parts[best];
    if (evidencePart > 0 && (leader === undefined || base + evidencePart > leader.base + leader.evidencePart))
      best = place;
  }
  return parts.map(
    ({ base, evidencePart }, place) =>
      base + evidencePart * (place === best ? 1 : bonuses['behind the first']),
  );
}

export function termsOf(
  difference: Difference,
  needs: ProjectNeeds = nothingKnown,
  around: Surroundings = {},
): Terms {
  const row = factRowOf(difference.section, difference.key);
  if (typeof row?.weight === 'object') return { size: sizeOfCases(row.weight, difference, needs) };
  const size: SizeName = row ? `fact ${row.weight as WeightClass}` : sizeOfSection(difference, needs, around);
  const { section, context, mild } = difference;
  if (context) return { size, share: section === 'facts' ? 'fact that is context' : 'context' };
  // Uncommitted work and a clone without packages are everyday differences, but they explain a lot.
  const isToldAnyway = section === 'checkout' || section === 'installed';
  // B does not fail because of something that A lacks.
  if (section === 'installed' && lacks(difference.a) && !lacks(difference.b))
    return { size, share: 'context' };
  return mild === undefined || isToldAnyway ? { size } : { size, share: 'mild' };
}

const lacks = (installed: string | null) => /^missing$| without /.test(installed ?? '');

function sizeOfSection(difference: Difference, needs: ProjectNeeds, around: Surroundings): SizeName {
  const { section, key, a, b, mild, file } = difference;
  const change = changeOf(difference);
  switch (section) {
    case 'os':
      return 'os';
    case 'arch':
      return around.system ? 'architecture of another system' : 'architecture';
    case 'installed':
      if (mild === undefined) return 'installed drifted';
      return a === leftOut || b === leftOut ? 'installed without development' : 'installed nothing';
    case 'checkout':
      return `checkout ${checkoutPlace(key).subject}`;
    case 'runtimes':
      return `${difference.inOutput && roleOf(toolRow(key)) === 'tool' ? 'manager' : roleOf(toolRow(key))} ${change === 'changed' ? distanceOf(difference) : change}`;
    case 'toolchain':
      return sizeOfDeclaration(difference);
    case 'dependencies':
      if (around.distribution && packageDatabaseOf(file ?? '') !== undefined)
        return 'package of another distribution';
      // Most updates of a program do not change what it installs.
      if (key.endsWith(`/${unreadContent}`))
        return formatOfFile(file ?? '')?.isLock ? 'package other' : 'package added';
      if (difference.differsIn === 'checksum') return 'package other';
      if (difference.differsIn !== undefined) return 'package major';
      return `package ${change === 'changed' ? (difference.distance ?? 'other') : change}`;
    case 'paths':
    case 'env':
      return `variable ${variableKind(key, needs)} ${change}`;
    // Of another version of the catalogue.
    case 'system':
    case 'facts':
      return 'fact context';
  }
}

function changeOf({ status, a, b }: Difference): 'removed' | 'added' | 'changed' {
  if (status !== undefined) return status === 'same' ? 'changed' : status;
  return a === null ? 'added' : b === null ? 'removed' : 'changed';
}

function distanceOf({ key, a, b, distance }: Difference): Distance {
  const known =
    distance === undefined && a !== null && b !== null
      ? versionDistance(a, b, ecosystemOfRuntime(key))
      : distance;
  return known ?? 'other';
}

function sizeOfDeclaration({ declared }: Difference): SizeName {
  const { a, b } = declared ?? { a: null, b: null };
  if (b?.satisfied === false && a?.satisfied !== false) return 'declared unmet in B';
  if (a && b && a.requirement !== b.requirement) return 'declared differently';
  return a?.satisfied === false ? 'declared unmet in A' : 'declared on one side';
}

type VariableKind = SizeName extends infer Name
  ? Name extends `variable ${infer Kind} removed`
    ? Kind
    : never
  : never;

function variableKind(key: string, needs: ProjectNeeds): VariableKind {
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (row?.class === 'behaviour') return row.likelihood ?? 'usual';
  if (mentionedIn !== undefined || fromDotenv) return 'mentioned';
  if (row?.class === 'application' || row?.class === 'tool-setting') return row.class;
  return row === undefined ? 'unknown' : 'other';
}

function sizeOfCases(
  cases: Extract<FactWeight, readonly unknown[]>,
  difference: Difference,
  needs: ProjectNeeds,
): SizeName | number {
  const found = cases.find((each) => holds(each, difference, needs))?.weight ?? 'context';
  return typeof found === 'number' ? found : `fact ${found}`;
}

function holds(wanted: WeightCase, difference: Difference, { ecosystems, tools }: ProjectNeeds): boolean {
  const { a, b, distance, mild, context } = difference;
  return (
    (wanted.a === undefined || a === wanted.a) &&
    (wanted.b === undefined || [wanted.b].flat().includes(b ?? '')) &&
    (wanted.enough === undefined || amountOf(b) >= amountOf(a)) &&
    (wanted.counted === undefined || wanted.counted === (mild === undefined && !context)) &&
    (wanted.uses?.some((name) => ecosystems.has(name) || tools.has(name)) ?? true) &&
    (wanted.distance === undefined || distance === wanted.distance) &&
    (wanted.oneSide === undefined || changeOf(difference) !== 'changed') &&
    (wanted.utc === undefined || isUtc(a) || isUtc(b))
  );
}
