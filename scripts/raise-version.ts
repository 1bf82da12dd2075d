// Makes a release of what has changed since the last one: raises the version of all packages as the entries of .changeset ask,
// and closes the section "Unreleased" of the changelog under that version, with the text of these entries.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const entriesFolder = path.join(root, '.changeset');
const unreleased = '## Unreleased\n';

/** Texts of the entries, after the lines that name packages. */
function readEntries(): string[] {
  return readdirSync(entriesFolder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => readFileSync(path.join(entriesFolder, name), 'utf8').split(/^---$/m).at(-1)?.trim() ?? '')
    .filter(Boolean);
}

/** The changelog with its open section closed under a version. */
function closeSection(changelog: string, version: string, entries: readonly string[]): string {
  if (!changelog.includes(unreleased)) throw new Error('CHANGELOG.md has no section "Unreleased"');
  const day = new Date().toISOString().slice(0, 10);
  const bullets = entries.map((text) => `- ${text.replaceAll('\n', '\n  ')}\n`);
  const heading = `## ${version} (${day})\n${bullets.length > 0 ? `\n${bullets.join('')}` : ''}`;
  return changelog.replace(unreleased, () => `${unreleased}\n${heading}`);
}

const entries = readEntries();
execFileSync(path.join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: root, stdio: 'inherit' });
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'));
// These two need their version where no package.json can be read.
for (const name of ['sdk', 'capture']) {
  const file = path.join(root, `packages/${name}/src/version.ts`);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/version = '[^']*'/, `version = '${version}'`));
}
const changelog = path.join(root, 'CHANGELOG.md');
writeFileSync(changelog, closeSection(readFileSync(changelog, 'utf8'), version, entries));
