// Differences that a team knows of and lives with for a while: `accepted` in the policy. Decisions §12.

import type { ComparableEnvironment, ComparisonNote, Entry } from '../model/model.ts';
import { type EntryTest, ignoreTest } from './ignore-patterns.ts';

/** One acceptance, as the policy states it. */
export interface Acceptance {
  /** `SECTION:PATTERN` or `PATTERN`, as `ignore` has them. */
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
  readonly entries: readonly Entry[];
}

/** What the acceptances are held against. */
export interface AcceptanceContext {
  /** The sides as they were captured: variables carry no values in a comparison. */
  readonly sides?: { readonly a: ComparableEnvironment; readonly b: ComparableEnvironment } | undefined;
  readonly now: Date;
}

/** Finds the differences of each acceptance; those that meet none are left out. */
export function findAccepted(
  differences: readonly Entry[],
  acceptances: readonly Acceptance[],
  { sides, now }: AcceptanceContext,
): AcceptedDifferences[] {
  const today = now.toISOString().slice(0, 10);
  return acceptances
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
        expired: acceptance.until !== undefined && acceptance.until < today,
        entries,
      };
    })
    .filter(({ entries }) => entries.length > 0);
}

function valueIn(entry: Entry, side: 'a' | 'b', sides: AcceptanceContext['sides']): string {
  const shown = entry[side];
  if (shown !== null) return shown;
  const isVariable = entry.section === 'env' || entry.section === 'paths';
  return (isVariable ? sides?.[side].envVars?.[entry.key] : undefined) ?? '';
}

function fits(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted === value;
}

/** Tells of acceptances that have ended while what they were about still differs. */
export function expiryNotes(accepted: readonly AcceptedDifferences[]): ComparisonNote[] {
  return accepted
    .filter(({ expired }) => expired)
    .map(({ key, reason, until }) => ({
      code: 'acceptance_expired',
      message: `${key} was accepted until ${until} (${reason}); it counts again.`,
    }));
}
