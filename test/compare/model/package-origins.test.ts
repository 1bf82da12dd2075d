// Two lock files of one name and version that install different things: from another source, patched, or with other content.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { collectFiles, type Files } from '../../capture/dependencies/collect-files.ts';

async function snapshotOf(files: Files) {
  const { dependencies, sources, contents } = await collectFiles(files);
  return { machineName: 'm', dependencies, metadata: { capture: {}, sources, contents } };
}

/** The differing entries of two folders: key, kind of difference, and both sides. */
async function differencesOf(a: Files, b: Files) {
  const { sections } = findDifferences(await snapshotOf(a), await snapshotOf(b));
  return sections.dependencies
    .filter(({ status }) => status !== 'same')
    .map(({ key, differsIn, a: left, b: right }) => ({ key, differsIn, a: left, b: right }));
}

/** Texts of one file that differ at the mark `@@`. */
interface Case {
  readonly file: string;
  readonly text: string;
  readonly key: string;
  readonly values: readonly [a: string, b: string];
  readonly others?: Files;
}

const { sources, contents, patches } = load(
  readFileSync(new URL('package-origins.yaml', import.meta.url), 'utf8'),
) as Readonly<Record<'sources' | 'contents' | 'patches', Readonly<Record<string, Case>>>>;

const npmLock = (resolved: string, integrity: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { 'node_modules/zod': { version: '4.0.0', resolved, integrity } },
  });
const npmArchive = 'https://registry.npmjs.org/zod/-/zod-4.0.0.tgz';
const pnpmLock = `lockfileVersion: '9.0'\n\npatchedDependencies:\n  zod@4.0.0:\n    hash: @@\n    path: patches/zod.patch\n\npackages:\n\n  zod@4.0.0:\n    resolution: {integrity: sha512-x}\n`;

function folders({ file, text, values, others = {} }: Case): [Files, Files] {
  return values.map((value) => ({ ...others, [file]: text.replaceAll('@@', value) })) as [Files, Files];
}

describe.each([
  ['source', sources],
  ['content', contents],
  ['patch', patches],
] as const)('another %s at one version', (differsIn, cases) => {
  it.each(Object.entries(cases))('%s', async (_, each) => {
    const [a, b] = folders(each);
    const file = each.others === undefined ? each.file : Object.keys(each.others)[0];
    expect(await differencesOf(a, a)).toEqual([]);
    expect(await differencesOf(a, b)).toEqual([
      expect.objectContaining({ key: `${file}/${each.key}`, differsIn }),
    ]);
  });
});

describe('a checksum', () => {
  it('is not seen between checksums of two kinds', async () => {
    const lock = (sum: string) => ({ 'package-lock.json': npmLock(npmArchive, sum) });
    expect(await differencesOf(lock('sha1-AAAA'), lock('sha512-BBBB'))).toEqual([]);
    expect(await differencesOf(lock('sha1-AAAA'), lock(''))).toMatchObject([
      { differsIn: 'checksum', b: '4.0.0 (no checksum)' },
    ]);
  });
});

describe('a patch at one version', () => {
  it('of pnpm', async () => {
    const lock = (hash: string) => ({ 'pnpm-lock.yaml': pnpmLock.replace('@@', hash) });
    const plain = { 'pnpm-lock.yaml': pnpmLock.replace(/patchedDependencies:.*?\n\n/s, '') };
    const found = [expect.objectContaining({ key: 'pnpm-lock.yaml/zod', differsIn: 'patch' })];
    expect(await differencesOf(lock('aaaa'), lock('bbbb'))).toEqual(found);
    expect(await differencesOf(plain, lock('bbbb'))).toEqual(found);
  });

  it('of Bun and of Composer, by the file that patches', async () => {
    const bun = {
      'bun.lock':
        '{"workspaces": {"": {}}, "packages": {"zod": ["zod@4.0.0", "", {}, "sha512-x"]}, "patchedDependencies": {"zod@4.0.0": "patches/zod.patch"}}',
    };
    expect(
      await differencesOf({ ...bun, 'patches/zod.patch': 'a' }, { ...bun, 'patches/zod.patch': 'b' }),
    ).toEqual([expect.objectContaining({ key: 'bun.lock/zod', differsIn: 'patch' })]);
    const composer = {
      'composer.lock': '{"packages": [{"name": "a/a", "version": "1.0.0"}]}',
      'composer.json': '{"extra": {"patches": {"a/a": {"fix": "fix.patch"}}}}',
    };
    expect(await differencesOf({ ...composer, 'fix.patch': 'a' }, { ...composer, 'fix.patch': 'b' })).toEqual(
      [expect.objectContaining({ key: 'composer.lock/a/a', differsIn: 'patch' })],
    );
  });

  it('of a manifest without a lock file', async () => {
    const npm = (version: string) => ({
      'package.json': `{"dependencies": {"zod": "^4"}, "overrides": {"ms": "${version}"}}`,
    });
    expect(await differencesOf(npm('2.0.0'), npm('2.1.0'))).toEqual([
      { key: 'package.json/#overrides', differsIn: undefined, a: '{"ms":"2.0.0"}', b: '{"ms":"2.1.0"}' },
    ]);
    const cargoToml = (path: string) => ({
      'Cargo.toml': `[dependencies]\nserde = "1"\n[patch.crates-io]\nserde = { path = "${path}" }\n`,
    });
    expect(await differencesOf(cargoToml('a'), cargoToml('b'))).toEqual([
      expect.objectContaining({ key: 'Cargo.toml/#patch crates-io' }),
    ]);
  });
});

describe('what a file says of all its packages', () => {
  it('the registry that most of them come from is said once', async () => {
    const lock = (host: string) => ({
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [
            `node_modules/p${index}`,
            {
              version: '1.0.0',
              resolved: `https://${index === 0 ? 'registry.npmjs.org' : host}/p${index}/-/p-1.0.0.tgz`,
            },
          ]),
        ),
      }),
    });
    const { sources: recorded } = await collectFiles(lock('npm.corp.example'));
    expect({ ...recorded['package-lock.json'] }).toEqual({
      '*': 'registry+https://npm.corp.example',
      p0: 'npm',
    });
    expect(await differencesOf(lock('npm.corp.example'), lock('registry.npmjs.org'))).toHaveLength(29);
  });

  it('the platforms of Bundler and the indexes of pip', async () => {
    const lock = (platform: string) => ({
      'Gemfile.lock': `GEM\n  remote: https://rubygems.org/\n  specs:\n    nokogiri (1.0.0-${platform})\n\nPLATFORMS\n  ${platform}\n`,
    });
    expect(await differencesOf(lock('x86_64-linux'), lock('arm64-darwin'))).toEqual([
      expect.objectContaining({ key: 'Gemfile.lock/#gems by platform' }),
      expect.objectContaining({ key: 'Gemfile.lock/#platforms', a: 'x86_64-linux', b: 'arm64-darwin' }),
    ]);
    const requirements = (index: string) => ({ 'requirements.txt': `--index-url ${index}\nsix==1.0\n` });
    expect(
      await differencesOf(
        requirements('https://u:secret@a.example/simple'),
        requirements('https://b.example'),
      ),
    ).toEqual([
      expect.objectContaining({
        key: 'requirements.txt/#indexes',
        a: '--index-url https://a.example/simple',
      }),
    ]);
  });

  it('npm: and jsr: of one name are two packages', async () => {
    const lock = '{"version": "5", "npm": {"@std/fs@1.0.0": {}}, "jsr": {"@std/fs@1.0.0": {}}}';
    const { dependencies } = await collectFiles({ 'deno.lock': lock });
    expect(Object.keys(dependencies['deno.lock'] ?? {})).toEqual(['@std/fs', 'jsr:@std/fs']);
    expect(
      await differencesOf(
        { 'deno.lock': lock.replace(/"npm".*?\}\}, /, '') },
        { 'deno.lock': lock.replace(/, "jsr".*/, '}') },
      ),
    ).toEqual([expect.objectContaining({ key: 'deno.lock/@std/fs', differsIn: 'source' })]);
  });
});
