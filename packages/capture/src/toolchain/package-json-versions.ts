// What `package.json` declares: `engines`, `devEngines`, `packageManager`, `volta`.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import { isPlainObject, textEntriesOf } from '@envsnap/shared/plain-object';
import type { DeclaredVersion } from './declared-version.ts';

/** `"yarn": "please-use-npm"` asks for no Yarn. */
export const rangeStart = /^\s*(?:[\d<>=~^*x|]|v\d)/i;

/** `"vscode": "^1.80.0"` asks for nothing that stands on a command line. */
function asksForTool(tool: string, range: string): boolean {
  return ['language', 'package manager'].includes(toolRow(tool)?.kind ?? '') && rangeStart.test(range);
}

/** Throws where the text is not JSON. */
export function packageJsonVersions(text: string): readonly DeclaredVersion[] {
  const manifest: unknown = JSON.parse(text);
  if (!isPlainObject(manifest)) return [];
  const versions: DeclaredVersion[] = [];
  for (const [tool, range] of textEntriesOf(manifest.engines)) {
    if (asksForTool(tool, range))
      versions.push({ tool, source: 'package.json engines', declared: range, rule: 'npm-range' });
  }
  for (const [tool, version] of textEntriesOf(manifest.volta)) {
    if (tool === 'extends') continue;
    versions.push({ tool, source: 'package.json volta', declared: version, rule: 'prefix' });
  }
  if (isPlainObject(manifest.devEngines)) {
    for (const field of ['runtime', 'packageManager']) {
      for (const entry of [manifest.devEngines[field]].flat()) {
        if (!isPlainObject(entry) || typeof entry.name !== 'string' || typeof entry.version !== 'string')
          continue;
        if (entry.onFail === 'ignore' || !asksForTool(entry.name, entry.version)) continue;
        const source = `package.json devEngines.${field}`;
        versions.push({ tool: entry.name, source, declared: entry.version, rule: 'npm-range' });
      }
    }
  }
  if (typeof manifest.packageManager === 'string') {
    const [, tool, version] = /^([a-z]+)@([^+]+)/.exec(manifest.packageManager) ?? [];
    if (tool && version)
      versions.push({ tool, source: 'package.json packageManager', declared: version, rule: 'prefix' });
  }
  return versions;
}
