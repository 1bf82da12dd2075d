// Which differences are one cause to a reader although several entries show it, as the rows of the catalogues name it.

import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { metadataRow } from '../model/metadata-facts.ts';
import { isDotenvVariable } from '../relevance/variable-relevance.ts';
import type { Place } from './cause.ts';

interface Kinship {
  readonly family?: CauseFamily;
  readonly follows?: string;
}

/** The family of an entry; undefined where it stands alone. */
export function familyOf(place: Place): CauseFamily | undefined {
  return rowOf(place)?.family;
}

/** The runtime that an entry comes with: npm and the version of ICU with Node.js, JAVA_HOME with Java. */
export function runtimeOf(place: Place): string | undefined {
  return place.section === 'runtimes' ? toolRow(place.key)?.comesWith : rowOf(place)?.follows;
}

function rowOf(place: Place): Kinship | undefined {
  if (place.section !== 'env') return metadataRow(place);
  // A line of a file is not one of the process's own variables.
  return isDotenvVariable(place.key) ? undefined : describeVariable(place.key);
}

/** The variable that sets a fact; undefined for facts that no variable sets. */
export function variableOfFact(key: string): string | undefined {
  const apply = metadataRow({ section: 'facts', key })?.apply;
  return apply?.by === 'variable' ? apply.name : undefined;
}
