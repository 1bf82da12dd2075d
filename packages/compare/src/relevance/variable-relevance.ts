// Whether a difference in a variable counts by default, and how relevant it is. docs/specification.md §12.

import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import {
  type VariableClassRow,
  type VariableRow,
  variableClasses,
} from '@envsnap/shared/catalogue/variables/variable-class';
import { isDotenvVariable } from '../environment/dotenv-variable.ts';
import type { ProjectNeeds } from '../model/needs.ts';

export type VariableRelevance = ReturnType<typeof judgeVariable>;

/** By a variable's name: why a difference does not count (null if it does), its row, and the project file that mentions it. */
export function judgeVariable(key: string, needs: ProjectNeeds) {
  const colon = key.lastIndexOf(':');
  const fromDotenv = isDotenvVariable(key);
  const name = fromDotenv ? key.slice(colon + 1) : key;
  const row = describeVariable(name, { providers: needs.providers, ignoreCase: needs.ignoreCase });
  const mentionedIn = needs.variables.get(name);
  const judged = { row, mentionedIn, fromDotenv };
  if (fromDotenv) return { ...judged, contextOf: null };
  return { ...judged, contextOf: contextOf(name, row, mentionedIn !== undefined, needs) };
}

function contextOf(
  name: string,
  row: VariableRow | undefined,
  mentioned: boolean,
  needs: ProjectNeeds,
): string | null {
  if (!mentioned && needs.servicePorts.has(name)) return setByKubernetes;
  if (row === undefined)
    return mentioned || looksLikeApplication(name) ? null : 'nothing in the project mentions it';
  const { counts, reason = 'context' }: VariableClassRow = variableClasses[row.class];
  if (counts === 'always' || (mentioned && (counts !== 'never' || row.shared))) return null;
  if (counts === 'project') {
    if (needs.known && row.ecosystems && !row.ecosystems.some((name) => needs.ecosystems.has(name)))
      return `of ${row.provider === 'other' ? 'a tool' : row.provider}, which the project does not use`;
    return row.class === 'tool-setting' && row.likelihood === 'low' ? 'where a tool keeps its files' : null;
  }
  return row.provider === 'kubernetes' ? setByKubernetes : reason;
}

const setByKubernetes = 'set by Kubernetes or Docker for a service';

/** Applications write their settings in capitals with underscores; handles of processes are not settings. */
function looksLikeApplication(name: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name) &&
    !/_(?:PID|PPID|SOCK|SOCKET|TTY|SESSION_ID|SESSION|FD|LOADED|INITIALIZED|SHLVL)$/.test(name)
  );
}
