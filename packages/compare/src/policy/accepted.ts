// Differences that a team tolerates for some time: `accepted` in the policy. docs/specification.md §12.

import { createWorkBudget, type Spend, type WorkBudget } from '@envsnap/shared/work-budget';
import { familyOf, variableOfFact } from '../causes/cause.ts';
import type { ComparableEnvironment, ComparisonNote, Entry } from '../model/model.ts';
import { type EntryTest, ignoreTest, type Named } from './ignore-patterns.ts';
import type { Acceptance } from './policy.ts';
import { today } from './today.ts';

export interface AcceptedDifferences extends Acceptance {
  readonly expired: boolean;
  readonly entries: readonly Entry[];
}

interface AcceptanceContext {
  /** The sides as captured, because a comparison has no values of variables. */
  readonly sides?: { readonly a: ComparableEnvironment; readonly b: ComparableEnvironment } | undefined;
  readonly now: Date;
  readonly budget: WorkBudget;
}

/** Finds the differences of each acceptance, if there are any. Accepting a variable also accepts what follows from it,
 * such as the language in effect for `LANG`. If another variable with the same effect differs and is not accepted, what
 * follows still counts. */
export function findAccepted(
  differences: readonly Entry[],
  acceptances: readonly Acceptance[],
  { sides, now, budget }: AcceptanceContext,
): AcceptedDifferences[] {
  const spend = budget(`matching what the policy accepts with ${differences.length} differences`);
  const found = acceptances
    .map((acceptance) => {
      const matches: EntryTest = ignoreTest([acceptance.key], spend);
      const entries = differences.filter(
        (entry) =>
          matches(entry) &&
          fits(acceptance.a, valueIn(entry, 'a', sides)) &&
          fits(acceptance.b, valueIn(entry, 'b', sides)),
      );
      spend(entries.length * keptSteps);
      return { ...acceptance, expired: hasEnded(acceptance.until, now), entries };
    })
    .filter(({ entries }) => entries.length > 0);
  const explained = new Set(found.flatMap(({ entries }) => entries));
  const consequencesOf = consequenceFinder(differences, explained, spend);
  return found.map((each) => {
    const entries = new Set(each.entries);
    for (const entry of each.entries) {
      for (const following of consequencesOf(entry)) {
        spend(keptSteps);
        entries.add(following);
      }
    }
    return { ...each, entries: [...entries] };
  });
}

const keptSteps = 10;

function consequenceFinder(
  differences: readonly Entry[],
  accepted: ReadonlySet<Entry>,
  spend: Spend,
): (variable: Entry) => readonly Entry[] {
  const shown = differences.filter(({ section }) => section === 'system' || section === 'facts');
  const byFamily = Map.groupBy(shown, familyOf);
  const factsByVariable = Map.groupBy(
    shown.filter(({ section }) => section === 'facts'),
    ({ key }) => variableOfFact(key),
  );
  const rivals = differences.filter((entry) => entry.section === 'env' && !accepted.has(entry));
  const familiesWithRival = new Set(rivals.map(familyOf));
  return (variable) => {
    if (variable.section !== 'env') return [];
    const family = familyOf(variable);
    const facts = factsByVariable.get(variable.key) ?? [];
    if (family === undefined || familiesWithRival.has(family)) return facts;
    const related = byFamily.get(family) ?? [];
    spend(shown.length);
    const both = new Set([...facts, ...related]);
    return both.size === related.length ? related : shown.filter((entry) => both.has(entry));
  };
}

function valueIn(entry: Entry, side: 'a' | 'b', sides: AcceptanceContext['sides']): string {
  const shown = entry[side];
  if (shown !== null) return shown;
  const isVariable = entry.section === 'env' || entry.section === 'paths';
  return (isVariable ? sides?.[side].envVars?.[entry.key] : undefined) ?? '';
}

export type Shown = readonly [place: Named, value: string | null];

export function acceptanceFinder(
  acceptances: readonly Acceptance[] = [],
  { spend, now = today() }: { readonly spend?: Spend | undefined; readonly now?: Date } = {},
): (shown: Shown) => Acceptance | undefined {
  const tests = acceptances
    .filter(({ until }) => !hasEnded(until, now))
    .map((acceptance) => ({ acceptance, accepts: shownTest(acceptance, spend) }));
  return (shown) => tests.find(({ accepts }) => accepts(shown))?.acceptance;
}

export function expiryNotesOf(
  shown: readonly Shown[],
  acceptances: readonly Acceptance[] = [],
  now = today(),
): ComparisonNote[] {
  const spend = createWorkBudget()('matching what the policy accepts');
  return expiryNotes(
    acceptances.map((each) => ({
      ...each,
      expired: hasEnded(each.until, now) && shown.some(shownTest(each, spend)),
    })),
  );
}

function shownTest({ key, b }: Acceptance, spend: Spend | undefined): (shown: Shown) => boolean {
  const matches = ignoreTest([key], spend);
  return ([place, value]) => matches(place) && fits(b, value ?? '');
}

function hasEnded(until: string | undefined, now: Date): boolean {
  return until !== undefined && until < now.toISOString().slice(0, 10);
}

function fits(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted === value;
}

export function expiryNotes(
  accepted: readonly (Acceptance & { readonly expired: boolean })[],
): ComparisonNote[] {
  return accepted
    .filter(({ expired }) => expired)
    .map(({ key, reason, until }) => ({
      code: 'acceptance_expired',
      message: `${key} was accepted until ${until} (${reason}); it counts again.`,
    }));
}
