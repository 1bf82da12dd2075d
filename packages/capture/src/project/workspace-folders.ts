// The folders that a workspace names as its members.

import { posix } from 'node:path';
import { isPlainObject } from '@envsnap/shared/plain-object';
import { readYaml } from '../facts/config-files.ts';
import type { CapturedMachine } from '../system/machine.ts';

/** The folders of `manifests` in the workspace that a file of the folder names (`package.json`, `pom.xml`, …), if any. */
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
  for (const [file, member] of memberRows) {
    const text = await files.text(files.paths.join(folder, file));
    for (const [, names = ''] of text?.matchAll(member) ?? [])
      for (const name of names.split(/[^\w./:*-]+/)) patterns.push(name.replace(/\/$/, '').split(/[:/]/));
  }
  if (patterns.length === 0) return [];
  const folders = new Set([...(await manifests())].map((path) => posix.dirname(path)));
  return [...folders].filter((path) => {
    const parts = path.split('/');
    const isLeftOut = ([first = '', ...rest]: readonly string[]) =>
      first.startsWith('!') && isMember(parts, [first.slice(1), ...rest]);
    return patterns.some((pattern) => isMember(parts, pattern)) && !patterns.some(isLeftOut);
  });
}

/** How the builds of other languages name a member: its folder, or in Gradle its path with colons. */
const memberRows: readonly (readonly [file: string, member: RegExp])[] = [
  ['pom.xml', /<module>\s*([\w./-]+)\s*</g],
  ['go.work', /^(?:use)?[ \t]*\.\/([\w./-]+)/gm],
  ['Cargo.toml', /^[ \t]*members[ \t]*=[ \t]*\[([^\][]*)\]/gm],
  ...['settings.gradle', 'settings.gradle.kts'].map(
    (file) => [file, /["']:?([\w.-]+(?::[\w.-]+)+)["']/g] as const,
  ),
];

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
