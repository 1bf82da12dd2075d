// Bun: bun.lock (JSON with comments and trailing commas).

import { createPackageList, type PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { entriesOf, field, isObject, parseJsoncObject } from '../../text/json.ts';
import { splitDescriptor } from './npm.ts';

/** bun.lock. Workspace members are left out; the lock speaks for their folders. */
export function parseBunLock(text: string): PackageList {
  const lock = parseJsoncObject(text);
  if (!isObject(field(lock, 'packages')) && !isObject(field(lock, 'workspaces'))) {
    throw new ParseProblem('it has neither `packages` nor `workspaces`');
  }
  const list = createPackageList();
  for (const [key, entry] of entriesOf(lock, 'packages')) {
    const identity: unknown = Array.isArray(entry) ? entry[0] : undefined;
    const descriptor = typeof identity === 'string' ? splitDescriptor(identity) : undefined;
    if (!descriptor) throw new ParseProblem(`its package ${key} has no name and version`);
    const { name, range } = descriptor;
    if (!range.startsWith('workspace:') && !range.startsWith('root:')) list.add(name, range);
  }
  const workspaces = field(lock, 'workspaces');
  if (isObject(workspaces)) list.members = Object.keys(workspaces).map((folder) => folder || '.');
  return list;
}
