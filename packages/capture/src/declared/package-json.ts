// Reads the declared versions in `package.json`: `engines`, `devEngines`, `packageManager`, `volta`.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { isPlainObject, recordOf, textEntriesOf } from '@envsnap/shared/plain-object';
import type { Declaration } from '@envsnap/versions';

export interface DeclaredVersion extends Declaration {
  /** Name as in `runtimeVersions`. */
  readonly tool: string;
  /** The file, with the field if it has several, such as `package.json engines`. */
  readonly source: string;
}

export function fileOf({ source }: Pick<DeclaredVersion, 'source'>): string {
  return source.replace(/ .*/s, '');
}

type Manifest = Readonly<Record<string, unknown>>;

/** `"yarn": "please-use-npm"` does not ask for Yarn. */
export const rangeStart = /^\s*(?:[\d<>=~^*x|]|v\d)/i;

/** `"vscode": "^1.80.0"` does not name a command. */
function asksForTool(tool: string, range: string): boolean {
  return ['language', 'package manager'].includes(toolRow(tool)?.kind ?? '') && rangeStart.test(range);
}

/** Versions that Volta pins, by tool; undefined if there are none. */
export function pinnedForVolta({ volta }: Manifest): Record<string, string> | undefined {
  return isPlainObject(volta) ? Object.fromEntries(textEntriesOf(volta)) : undefined;
}

/** `pnpm@9.1.0+sha512.…` without its checksum; undefined if no package manager is named. */
export function packageManagerOf({
  packageManager,
}: Manifest): { tool: string; version: string } | undefined {
  const [, tool, version] =
    /^(\w+)@([^+]+)/.exec(typeof packageManager === 'string' ? packageManager : '') ?? [];
  return tool && version ? { tool, version } : undefined;
}

/** Throws if the text is not JSON. */
export function packageJsonVersions(text: string): readonly DeclaredVersion[] {
  const manifest: unknown = JSON.parse(text);
  if (!isPlainObject(manifest)) return [];
  const versions: DeclaredVersion[] = [];
  const add = (field: string, tool: string, declared: string, rule: DeclaredVersion['rule']) =>
    versions.push({ tool, source: `package.json ${field}`, declared, rule });
  for (const [tool, range] of textEntriesOf(manifest.engines))
    if (asksForTool(tool, range)) add('engines', tool, range, 'npm-range');
  for (const [tool, version] of Object.entries(pinnedForVolta(manifest) ?? {}))
    if (tool !== 'extends') add('volta', tool, version, 'prefix');
  for (const field of ['runtime', 'packageManager'])
    for (const entry of [recordOf(manifest.devEngines)[field]].flat()) {
      const { name, version, onFail } = recordOf(entry);
      if (typeof name !== 'string' || typeof version !== 'string' || onFail === 'ignore') continue;
      if (asksForTool(name, version)) add(`devEngines.${field}`, name, version, 'npm-range');
    }
  const manager = packageManagerOf(manifest);
  if (manager && /^[a-z]+$/.test(manager.tool))
    add('packageManager', manager.tool, manager.version, 'prefix');
  return versions;
}
