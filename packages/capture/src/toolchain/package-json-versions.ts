// What `package.json` declares: `engines`, `devEngines`, `packageManager`, `volta`.

import type { DeclaredVersion } from './declared-version.ts';

/** Throws where the text is not JSON. */
export function packageJsonVersions(text: string): readonly DeclaredVersion[] {
  const manifest: unknown = JSON.parse(text);
  if (!isObject(manifest)) return [];
  const versions: DeclaredVersion[] = [];
  for (const [tool, range] of stringEntries(manifest.engines)) {
    versions.push({ tool, source: 'package.json engines', declared: range, rule: 'npm-range' });
  }
  for (const [tool, version] of stringEntries(manifest.volta)) {
    if (tool === 'extends') continue;
    versions.push({ tool, source: 'package.json volta', declared: version, rule: 'prefix' });
  }
  if (isObject(manifest.devEngines)) {
    for (const field of ['runtime', 'packageManager']) {
      for (const entry of [manifest.devEngines[field]].flat()) {
        if (!isObject(entry) || typeof entry.name !== 'string' || typeof entry.version !== 'string') continue;
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

function stringEntries(value: unknown): [string, string][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
