// What a likely cause is.

import type { SectionName } from '@envsnap/shared/address';
import type { EntryStatus } from '../model/model.ts';

/** An entry by its place in a comparison. */
export interface Place {
  readonly section: SectionName;
  readonly key: string;
}

/** The words of a cause, both without a capital at the start and without a full stop. */
export interface CauseText {
  /** What differs: `DATABASE_URL is set on anna-mbp, not on ci-runner`. */
  readonly what: string;
  /** What to do about it: `set DATABASE_URL on ci-runner`. */
  readonly advice: string;
  /** True where the sentence says that values differ without showing them. */
  readonly hidesValues?: true;
}

/** A likely cause: one entry, or several that are one thing to a reader. */
export interface Cause extends CauseText {
  /** 0 to 100, higher for likelier. Only the order matters. */
  readonly weight: number;
  readonly section: SectionName;
  /** How its first entry differs; `removed`: B lacks it. Causes that stand for many entries are `changed`. */
  readonly kind: Exclude<EntryStatus, 'same'>;
  /** Keys of the entries it stands for. */
  readonly keys: readonly string[];
  /** Entries of other sections that it stands for too: a time zone beside the variable `TZ`. */
  readonly also?: readonly Place[] | undefined;
  /** Why the policy accepts all of it. */
  readonly accepted?: string;
  /** The words of a failure's output that point to it. */
  readonly evidence?: string;
}

/** All entries that a cause stands for. */
export function placesOf({ section, keys, also = [] }: Pick<Cause, 'section' | 'keys' | 'also'>): Place[] {
  // The platform names the architecture beside the system, which has a section of its own.
  const own = section === 'os' ? keys.filter((key) => key === 'os') : keys;
  return [...own.map((key) => ({ section, key })), ...also];
}
