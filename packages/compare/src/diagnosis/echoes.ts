// Decides which keys of a group only follow from others.

import { parseAddress } from '@envsnap/shared/address';
import { kindOf } from '../environment/kind.ts';

/** Keys that say where or with which image a run took place, with their names. They cause other changes, but are not
 * causes themselves. */
export const runCircumstances: Readonly<Record<string, string>> = {
  'env:ImageVersion': 'image',
  'env:ImageOS': 'image',
  'env:CI_JOB_IMAGE': 'image',
  'metadata.ci.image': 'image',
  machineName: 'machine',
};

const origins: Readonly<Record<string, string>> = {
  'system.release': 'system.distribution',
  'system.shell': 'env:SHELL',
};

/** Whether a key only repeats another key of its group, so that no run can separate the two. */
export function isEcho(key: string, group: ReadonlySet<string>): boolean {
  if (Object.hasOwn(runCircumstances, key))
    return [...group].some((other) => !Object.hasOwn(runCircumstances, other));
  const tool = /^(?:metadata\.tools|toolchain)\.([^\s.]+)/.exec(key)?.[1];
  if (tool !== undefined) return group.has(`runtimes.${tool}`);
  const { comesWith, family } = kindOfKey(key) ?? {};
  if (comesWith !== undefined) return group.has(`runtimes.${comesWith}`);
  // The system's time zone and locale are those that a variable sets.
  if (family !== undefined && key.startsWith('system.'))
    return [...group].some((other) => other.startsWith('env:') && kindOfKey(other)?.family === family);
  return group.has(origins[key] ?? '');
}

function kindOfKey(key: string) {
  const address = parseAddress(key);
  return address && kindOf(address);
}
