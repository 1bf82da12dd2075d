// What a likely cause is: the differences that are one thing to a reader, and what repairs them.

import type { SectionName } from '@envsnap/shared/address';
import type { EntryStatus } from '../model/model.ts';
import type { Repair } from './repair.ts';

/** An entry by its place in a comparison. */
export interface Place {
  readonly section: SectionName;
  readonly key: string;
}

/** The words of a cause, both without a capital at the start and without a full stop. */
export interface CauseText {
  /** What differs: `DATABASE_URL is set on anna-mbp, not on ci-runner`. */
  readonly what: string;
  /** The repair as a sentence: `set DATABASE_URL on ci-runner`. */
  readonly advice: string;
  /** True where the sentence says that values differ without showing them. */
  readonly hidesValues?: true;
}

/** A likely cause: one difference, or several that are one thing to a reader. */
export interface Cause extends CauseText {
  /** Higher for likelier. Only the order matters. */
  readonly score: number;
  /** Every difference it stands for. The first leads: it gives the cause its name, its advice and its repair. */
  readonly members: readonly Place[];
  /** Section of the leader. */
  readonly section: SectionName;
  /** How the leader differs; `removed`: B lacks it. Causes that stand for many entries of a file are `changed`. */
  readonly kind: Exclude<EntryStatus, 'same'>;
  /** Keys of the members in the leader's section. */
  readonly keys: readonly string[];
  /** Members in other sections: a time zone beside the variable `TZ`. */
  readonly also?: readonly Place[] | undefined;
  /** How to make the differing side right; null where nobody can say without looking. */
  readonly repair: Repair | null;
  /** Why the policy accepts all of it. */
  readonly accepted?: string;
  /** The words of a failure's output that point to it. */
  readonly evidence?: string;
}

/** All entries that a cause stands for, the leader first. */
export function placesOf({ members }: Pick<Cause, 'members'>): readonly Place[] {
  return members;
}

/** A cause while differences are still being put together. */
export interface DraftCause extends Omit<Cause, 'members' | 'repair' | 'score'> {
  readonly weight: number;
}

/** All entries that a draft stands for. */
export function placesOfDraft({ section, keys, also = [] }: DraftCause): Place[] {
  // The platform names the architecture beside the system, which has a section of its own.
  const own = section === 'os' ? keys.filter((key) => key === 'os') : keys;
  return [...own.map((key) => ({ section, key })), ...also];
}
