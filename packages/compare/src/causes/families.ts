// Which differences are one cause to a reader although several entries show it, as the rows of the catalogues name it.

import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';
import { kindOf } from '../environment/kind.ts';
import type { Place } from './cause.ts';

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
