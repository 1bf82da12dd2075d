// Bun: bun.lock (JSON with comments and trailing commas).

import { entriesOf, field, isPlainObject } from '@envsnap/shared/plain-object';
import { type PackageList, patched } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { patchDigest } from '../../patch-digest.ts';
import { parseJsoncObject } from '../../text/json.ts';
import { npmSource, splitDescriptor } from './npm.ts';

/** bun.lock. Workspace members are left out; the lock speaks for their folders. */
export async function parseBunLock(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const lock = parseJsoncObject(text);
  if (!isPlainObject(field(lock, 'packages')) && !isPlainObject(field(lock, 'workspaces'))) {
    throw new ParseProblem('it has neither `packages` nor `workspaces`');
  }
  const patches = new Map(entriesOf(lock, 'patchedDependencies'));
  for (const [key, entry] of entriesOf(lock, 'packages')) {
    const identity: unknown = Array.isArray(entry) ? entry[0] : undefined;
    const descriptor = typeof identity === 'string' ? splitDescriptor(identity) : undefined;
    if (!descriptor) throw new ParseProblem(`its package ${key} has no name and version`);
    const { name, range } = descriptor;
    if (range.startsWith('workspace:') || range.startsWith('root:')) continue;
    const texts = (entry as unknown[]).slice(1).filter((part) => typeof part === 'string');
    const source = npmSource(
      texts.find((part) => part.startsWith('http')),
      name,
    );
    const patch = patches.get(`${name}@${range}`);
    const origin = typeof patch === 'string' ? patched(source, await patchDigest(context, patch)) : source;
    const checksum = texts.find((part) => /^sha\d+-/.test(part));
    list.add(name, range, origin, checksum);
  }
  const workspaces = field(lock, 'workspaces');
  if (isPlainObject(workspaces)) list.members = Object.keys(workspaces).map((folder) => folder || '.');
}
