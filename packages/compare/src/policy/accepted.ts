// Differences that a team knows about and tolerates for a while: `accepted` in the policy. docs/specification.md §12.

import { familyOf, variableOfFact } from '../causes/families.ts';
import type { ComparableEnvironment, ComparisonNote, Entry } from '../model/model.ts';
import { type EntryTest, ignoreTest, type Named } from './ignore-patterns.ts';

/** One acceptance, as the policy states it. */
export interface Acceptance {
  /** `SECTION:PATTERN` or `PATTERN`, as in `ignore`. */
  readonly key: string;
  /** The value in A or B that it is about; any where it is not given. `''` is none. */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  readonly reason: string;
  /** The last day on which it holds, `YYYY-MM-DD` in UTC. */
  readonly until?: string | undefined;
}

/** An acceptance and the differences that it stands for. */
export interface AcceptedDifferences extends Acceptance {
  readonly expired: boolean;
  /** What the key names, and what follows from a variable that it names. */
  readonly entries: readonly Entry[];
}

/** What the acceptances are matched with. */
export interface AcceptanceContext {
  /** The sides as they were captured: variables carry no values in a comparison. */
  readonly sides?: { readonly a: ComparableEnvironment; readonly b: ComparableEnvironment } | undefined;
  readonly now: Date;
}

/**
 * Finds the differences of each acceptance; those that meet none are left out. Whoever accepts a variable accepts what follows
 * from it: the language in effect beside `LANG`. Where another variable that says the same differs and is not accepted, what
 * follows may come from that one, and counts.
 */
export function findAccepted(
  differences: readonly Entry[],
  acceptances: readonly Acceptance[],
  { sides, now }: AcceptanceContext,
): AcceptedDifferences[] {
  const found = acceptances
    .map((acceptance) => {
      const matches: EntryTest = ignoreTest([acceptance.key]);
      const entries = differences.filter(
        (entry) =>
          matches(entry) &&
          fits(acceptance.a, valueIn(entry, 'a', sides)) &&
          fits(acceptance.b, valueIn(entry, 'b', sides)),
      );
      return {
        ...acceptance,
        expired: hasEnded(acceptance.until, now),
        entries,
      };
    })
    .filter(({ entries }) => entries.length > 0);
  const known = new Set(found.flatMap(({ entries }) => entries));
  return found.map((each) => {
    const following = each.entries.flatMap((entry) => consequencesOf(entry, differences, known));
    return { ...each, entries: [...new Set([...each.entries, ...following])] };
  });
}

/** Differences in the system and the facts that a variable explains. */
function consequencesOf(
  variable: Entry,
  differences: readonly Entry[],
  accepted: ReadonlySet<Entry>,
): Entry[] {
  if (variable.section !== 'env') return [];
  const family = familyOf(variable);
  const isRelated = (entry: Entry) => family !== undefined && familyOf(entry) === family;
  const hasRival = differences.some(
    (entry) => entry.section === 'env' && isRelated(entry) && !accepted.has(entry),
  );
  return differences.filter((entry) => {
    if (entry.section !== 'system' && entry.section !== 'facts') return false;
    if (entry.section === 'facts' && variableOfFact(entry.key) === variable.key) return true;
    return !hasRival && isRelated(entry);
  });
}

function valueIn(entry: Entry, side: 'a' | 'b', sides: AcceptanceContext['sides']): string {
  const shown = entry[side];
  if (shown !== null) return shown;
  const isVariable = entry.section === 'env' || entry.section === 'paths';
  return (isVariable ? sides?.[side].envVars?.[entry.key] : undefined) ?? '';
}

/** Something that one machine shows by itself, and its value. */
export type Shown = readonly [place: Named, value: string | null];

/** The acceptance of what is shown, whatever it says about A; undefined for none. */
export function acceptanceOf(
  shown: Shown,
  acceptances: readonly Acceptance[] = [],
  now = new Date(),
): Acceptance | undefined {
  return acceptances.find((each) => !hasEnded(each.until, now) && shownTest(each)(shown));
}

/** Reports acceptances that have ended while what they were about is still shown. */
export function expiryNotesOf(
  shown: readonly Shown[],
  acceptances: readonly Acceptance[] = [],
  now = new Date(),
): ComparisonNote[] {
  return expiryNotes(
    acceptances.map((each) => ({
      ...each,
      expired: hasEnded(each.until, now) && shown.some(shownTest(each)),
    })),
  );
}

function shownTest({ key, b }: Acceptance): (shown: Shown) => boolean {
  const matches = ignoreTest([key]);
  return ([place, value]) => matches(place) && fits(b, value ?? '');
}

/** Whether its last day is over. */
function hasEnded(until: string | undefined, now: Date): boolean {
  return until !== undefined && until < now.toISOString().slice(0, 10);
}

function fits(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted === value;
}

/** Reports acceptances that have ended while what they were about still differs. */
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
