// The folders of the packages in a JavaScript workspace.

import { posix } from 'node:path';
import { isPlainObject } from '@envsnap/shared/plain-object';
import { readYaml } from '../facts/config-files.ts';
import type { CapturedMachine } from '../system/machine.ts';

/** The folders of `manifests` in the workspace that the folder's `package.json` or `pnpm-workspace.yaml` names, if any. */
export async function workspaceFolders(
  { files }: CapturedMachine,
  folder: string,
  manifests: () => Promise<Iterable<string>>,
): Promise<string[]> {
  const own = (await files.json(files.paths.join(folder, 'package.json')))?.workspaces;
  const ofPnpm = await readYaml(files, files.paths.join(folder, 'pnpm-workspace.yaml'));
  const patterns = [isPlainObject(own) ? own.packages : own, ofPnpm.get('packages')]
    .flat()
    .flatMap((pattern) => (typeof pattern === 'string' ? [pattern.replace(/^\.\//, '').split('/')] : []));
  if (patterns.length === 0) return [];
  const folders = [...(await manifests())].flatMap((path) =>
    path.endsWith('/package.json') ? [posix.dirname(path)] : [],
  );
  return folders.filter((path) => {
    const parts = path.split('/');
    const isLeftOut = ([first = '', ...rest]: readonly string[]) =>
      first.startsWith('!') && isMember(parts, [first.slice(1), ...rest]);
    return patterns.some((pattern) => isMember(parts, pattern)) && !patterns.some(isLeftOut);
  });
}

/** Whether a folder matches `packages/*`, `apps/web` or `libs/**`. */
function isMember(parts: readonly string[], pattern: readonly string[]): boolean {
  const rest = pattern.indexOf('**');
  if (rest < 0 ? parts.length !== pattern.length : parts.length <= rest) return false;
  return pattern.slice(0, rest < 0 ? undefined : rest).every((wanted, index) => {
    const [start = '', end] = wanted.split('*', 2);
    const part = parts[index] ?? '';
    return end === undefined ? part === wanted : part.startsWith(start) && part.endsWith(end);
  });
}
