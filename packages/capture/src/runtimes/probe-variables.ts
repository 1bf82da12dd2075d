// The variables of a probe: only those that name places. No key, no setting of envsnap, nothing that could load code into a tool,
// nothing that points into the captured folder.

import type { UntrustedTree } from '../system/guarded-reads.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { isSecretVariable } from '../variables/classify-variable.ts';
import rows from './probe-variables.json' with { type: 'json' };
import type { SearchPath } from './search-path.ts';

/** Variables that are passed on; on Windows in upper or lower case. */
const passedOn = new Set(Object.values(rows).flatMap((lines) => lines.flatMap((line) => line.split(' '))));

/** The environment of every probe; `PATH` without relative folders and those of the captured one. */
export function probeVariables(
  machine: CapturedMachine,
  searchPath: SearchPath,
  tree: UntrustedTree,
): Record<string, string> {
  const onWindows = machine.platform === 'win32';
  const delimiter = onWindows ? ';' : ':';
  const variables: Record<string, string> = {
    [searchPath.name]: searchPath.folders.join(delimiter),
  };
  for (const [name, value] of Object.entries(machine.env)) {
    if (value === undefined || !passedOn.has(onWindows ? name.toUpperCase() : name)) continue;
    if (isSecretVariable(name, value)) continue;
    // One folder or a list, without relative folders and those of the captured folder, which a stranger could choose.
    const parts = value.split(delimiter);
    const isPath = parts.some((part) => /[\\/]/.test(part));
    const trusted = isPath ? parts.filter((part) => isTrusted(part)) : parts;
    if (trusted.length > 0) variables[name] = trusted.join(delimiter);
  }
  return variables;

  function isTrusted(part: string): boolean {
    if (!/[\\/]/.test(part)) return part !== '' && part !== '.' && part !== '..';
    return (onWindows ? /^(?:[A-Za-z]:)?[\\/]/ : /^\//).test(part) && !tree.holds(part);
  }
}
