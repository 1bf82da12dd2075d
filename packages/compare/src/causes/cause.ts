// A likely cause: differences that are one thing to a reader, and their repair.

import type { SectionName } from '@envsnap/shared/address';
import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';
import { kindOf } from '../environment/kind.ts';
import type { EntryStatus } from '../model/model.ts';
import type { Repair } from './repair.ts';

export interface Place {
  readonly section: SectionName;
  readonly key: string;
}

export const placeKey = ({ section, key }: Place): string => `${section}\n${key}`;

/** A likely cause: one difference, or several that are one thing to a reader. */
export interface Cause {
  /** The difference, without a capital at the start and without a full stop: `DATABASE_URL is set on anna-mbp, not on ci-runner`. */
  readonly what: string;
  /** The repair as such a sentence: `set DATABASE_URL on ci-runner`. */
  readonly advice: string;
  /** Higher for likelier. Only the order matters. */
  readonly score: number;
  /** All its differences. The first leads: it gives the cause its name, its advice and its repair. */
  readonly members: readonly Place[];
  readonly section: SectionName;
  /** How the leader differs; `removed`: B lacks it. Causes that stand for many entries of a file are `changed`. */
  readonly kind: Exclude<EntryStatus, 'same'>;
  readonly keys: readonly string[];
  /** Members in other sections: a time zone beside the variable `TZ`. */
  readonly also?: readonly Place[] | undefined;
  readonly repair: Repair;
  /** Why the policy accepts all of it. */
  readonly accepted?: string;
  readonly evidence?: string;
  /** The output speaks of what such a difference does, in words that are not its own. */
  readonly hinted?: true;
}

export function placesOf({ members }: Pick<Cause, 'members'>): readonly Place[] {
  return members;
}

export function familyOf({ section, key }: Place): CauseFamily | undefined {
  return kindOf({ section, name: key }).family;
}

/** The runtime that an entry comes with: npm and the version of ICU with Node.js, JAVA_HOME with Java. */
export function runtimeOf({ section, key }: Place): string | undefined {
  return kindOf({ section, name: key }).comesWith;
}

export function variableOfFact(key: string): string | undefined {
  const { apply } = kindOf({ section: 'facts', name: key });
  return apply?.by === 'variable' ? apply.name : undefined;
}

/** Whether the output of the failure mentions it. */
export function isInOutput({ evidence, hinted }: Cause): boolean {
  return evidence !== undefined || hinted === true;
}
