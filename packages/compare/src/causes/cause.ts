// A likely cause: one or more differences that readers see as one thing, and their repair.

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

/** One difference, or several that readers see as one thing. */
export interface Cause {
  /** The difference, without a capital at the start and without a full stop: `DATABASE_URL is set on anna-mbp, not on ci-runner`. */
  readonly what: string;
  /** The repair in the same form: `set DATABASE_URL on ci-runner`. */
  readonly advice: string;
  /** Higher is likelier. Only the order matters. */
  readonly score: number;
  /** All differences of the cause. The first one, the leader, gives it its name, advice and repair. */
  readonly members: readonly Place[];
  readonly section: SectionName;
  /** How the leader differs; `removed`: B lacks it. A cause with many entries of one file is `changed`. */
  readonly kind: Exclude<EntryStatus, 'same'>;
  readonly keys: readonly string[];
  /** Members in other sections, such as a time zone beside the variable `TZ`. */
  readonly also?: readonly Place[] | undefined;
  readonly repair: Repair;
  /** The reason in the policy, if the policy accepts all of it. */
  readonly accepted?: string;
  readonly evidence?: string;
  /** The output mentions the effect of such a difference, but not the difference itself. */
  readonly hinted?: true;
}

export function placesOf({ members }: Pick<Cause, 'members'>): readonly Place[] {
  return members;
}

export function familyOf({ section, key }: Place): CauseFamily | undefined {
  return kindOf({ section, name: key }).family;
}

/** The runtime that an entry belongs to: Node.js for npm and the version of ICU, Java for JAVA_HOME. */
export function runtimeOf({ section, key }: Place): string | undefined {
  return kindOf({ section, name: key }).comesWith;
}

export function variableOfFact(key: string): string | undefined {
  const { apply } = kindOf({ section: 'facts', name: key });
  return apply?.by === 'variable' ? apply.name : undefined;
}

/** Whether the output of the failure names it. */
export function isInOutput({ evidence, hinted }: Cause): boolean {
  return evidence !== undefined || hinted === true;
}
