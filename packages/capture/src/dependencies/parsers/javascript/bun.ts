// Bun: bun.lock (JSON with comments and trailing commas).

import { entriesOf, field, isPlainObject } from '@envsnap/shared/plain-object';
import type { PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsoncObject } from '../../text/json.ts';
import { splitDescriptor } from './npm.ts';

/** bun.lock. Workspace members are left out; the lock speaks for their folders. */
export function parseBunLock(text: string, list: PackageList): void {
  const lock = parseJsoncObject(text);
  if (!isPlainObject(field(lock, 'packages')) && !isPlainObject(field(lock, 'workspaces'))) {
    throw new ParseProblem('it has neither `packages` nor `workspaces`');
  }
  for (const [key, entry] of entriesOf(lock, 'packages')) {
    const identity: unknown = Array.isArray(entry) ? entry[0] : undefined;
    const descriptor = typeof identity === 'string' ? splitDescriptor(identity) : undefined;
    if (!descriptor) throw new ParseProblem(`its package ${key} has no name and version`);
    const { name, range } = descriptor;
    if (!range.startsWith('workspace:') && !range.startsWith('root:')) list.add(name, range);
  }
  const workspaces = field(lock, 'workspaces');
  if (isPlainObject(workspaces)) list.members = Object.keys(workspaces).map((folder) => folder || '.');
}
