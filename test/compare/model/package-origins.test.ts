// Two lock files of one name and version that install something else: from another place, patched, or with other content.

import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { collectFiles, type Files } from '../../capture/dependencies/collect-files.ts';

const [hashA, hashB] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string];

async function snapshotOf(files: Files) {
  const { dependencies, sources, contents } = await collectFiles(files);
  return { machineName: 'm', dependencies, metadata: { capture: {}, sources, contents } };
}

/** The differing entries of two folders: key, what differs, and both sides. */
async function differencesOf(a: Files, b: Files) {
  const { sections } = findDifferences(await snapshotOf(a), await snapshotOf(b));
  return sections.dependencies
    .filter(({ status }) => status !== 'same')
    .map(({ key, differsIn, a: left, b: right }) => ({ key, differsIn, a: left, b: right }));
}

/** Texts of one file that differ where the mark `@@` is. */
interface Case {
  readonly file: string;
  readonly text: string;
  readonly key: string;
  readonly values: readonly [a: string, b: string];
  readonly others?: Files;
}

const npmLock = (resolved: string, integrity: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { 'node_modules/zod': { version: '4.0.0', resolved, integrity } },
  });
const npmArchive = 'https://registry.npmjs.org/zod/-/zod-4.0.0.tgz';
const pnpmLock = `lockfileVersion: '9.0'\n\npatchedDependencies:\n  zod@4.0.0:\n    hash: @@\n    path: patches/zod.patch\n\npackages:\n\n  zod@4.0.0:\n    resolution: {integrity: sha512-x}\n`;
const uv = (registry: string, hash: string) =>
  `version = 1\n[[package]]\nname = "six"\nversion = "1.17.0"\nsource = { registry = "${registry}" }\nwheels = [{ url = "https://f/six.whl", hash = "sha256:${hash}" }]\n`;
const cargo = (source: string, checksum: string) =>
  `version = 4\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "${source}"\nchecksum = "${checksum}"\n`;
const crates = 'registry+https://github.com/rust-lang/crates.io-index';
const gems = (remote: string, more = '') =>
  `GEM\n  remote: ${remote}\n  specs:\n    rake (13.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rake\n${more}`;

const sources: Record<string, Case> = {
  npm: {
    file: 'package-lock.json',
    text: npmLock('@@', 'sha512-x'),
    key: 'zod',
    values: [npmArchive, 'https://npm.corp.example/zod/-/zod-4.0.0.tgz'],
  },
  'an archive of npm': {
    file: 'package-lock.json',
    text: npmLock('@@', 'sha512-x'),
    key: 'zod',
    values: [npmArchive, 'https://example.com/zod.tgz'],
  },
  'Yarn 1': {
    file: 'yarn.lock',
    text: 'zod@^4:\n  version "4.0.0"\n  resolved "@@"\n  integrity sha512-x\n',
    key: 'zod',
    values: [npmArchive, 'https://npm.corp.example/zod/-/zod-4.0.0.tgz'],
  },
  Bun: {
    file: 'bun.lock',
    text: '{"lockfileVersion": 1, "workspaces": {"": {}}, "packages": {"zod": ["zod@4.0.0", "@@", {}, "sha512-x"]}}',
    key: 'zod',
    values: ['', 'https://npm.corp.example/zod/-/zod-4.0.0.tgz'],
  },
  uv: {
    file: 'uv.lock',
    text: uv('@@', hashA),
    key: 'six',
    values: ['https://pypi.org/simple', 'https://pypi.corp.example/simple'],
  },
  Cargo: {
    file: 'Cargo.lock',
    text: cargo('@@', hashA),
    key: 'serde',
    values: [crates, 'sparse+https://cargo.corp.example/index/'],
  },
  Bundler: {
    file: 'Gemfile.lock',
    text: gems('@@'),
    key: 'rake',
    values: ['https://rubygems.org/', 'https://gems.corp.example/'],
  },
  Composer: {
    file: 'composer.lock',
    text: '{"packages": [{"name": "acme/a", "version": "1.0.0", "source": {"type": "git", "url": "@@", "reference": "r"}}]}',
    key: 'acme/a',
    values: ['https://github.com/acme/a.git', 'https://github.com/fork/a.git'],
  },
  Mix: {
    file: 'mix.lock',
    text: `%{\n  "a": {:hex, :a, "1.0.0", "${hashA}", [:mix], [], "@@", "${hashA}"},\n}\n`,
    key: 'a',
    values: ['hexpm', 'acme'],
  },
  Dart: {
    file: 'pubspec.lock',
    text: `packages:\n  a:\n    dependency: "direct main"\n    description:\n      name: a\n      url: "@@"\n    source: hosted\n    version: "1.0.0"\n`,
    key: 'a',
    values: ['https://pub.dev', 'https://pub.corp.example'],
  },
  Helm: {
    file: 'Chart.lock',
    text: 'dependencies:\n- name: redis\n  repository: @@\n  version: 1.0.0\n',
    key: 'redis',
    values: ['https://charts.example.com', 'https://other.example.com'],
  },
  'the wrapper of Gradle': {
    file: 'gradle-wrapper.properties',
    text: 'distributionUrl=@@/gradle-8.5-bin.zip\n',
    key: 'gradle',
    values: ['https\\://services.gradle.org/distributions', 'https\\://mirror.corp.example'],
  },
};

const contents: Record<string, Case> = {
  npm: {
    file: 'package-lock.json',
    text: npmLock(npmArchive, 'sha512-@@'),
    key: 'zod',
    values: ['AAAA', 'BBBB'],
  },
  'Yarn 1 before integrity': {
    file: 'yarn.lock',
    text: `zod@^4:\n  version "4.0.0"\n  resolved "${npmArchive}#@@"\n`,
    key: 'zod',
    values: ['aaaa', 'bbbb'],
  },
  Yarn: {
    file: 'yarn.lock',
    text: '__metadata:\n  version: 8\n\n"zod@npm:^4":\n  version: 4.0.0\n  resolution: "zod@npm:4.0.0"\n  checksum: 10c0/@@\n',
    key: 'zod',
    values: ['aaaa', 'bbbb'],
  },
  pnpm: {
    file: 'pnpm-lock.yaml',
    text: "lockfileVersion: '9.0'\n\npackages:\n\n  zod@4.0.0:\n    resolution: {integrity: sha512-@@}\n",
    key: 'zod',
    values: ['AAAA', 'BBBB'],
  },
  'pnpm, as YAML': {
    file: 'pnpm-lock.yaml',
    text: "lockfileVersion: '9.0'\npackages:\n    zod@4.0.0:\n        resolution:\n            integrity: sha512-@@\n",
    key: 'zod',
    values: ['AAAA', 'BBBB'],
  },
  uv: { file: 'uv.lock', text: uv('https://pypi.org/simple', '@@'), key: 'six', values: [hashA, hashB] },
  Poetry: {
    file: 'poetry.lock',
    text: '[[package]]\nname = "six"\nversion = "1.17.0"\nfiles = [{file = "six.whl", hash = "sha256:@@"}]\n',
    key: 'six',
    values: [hashA, hashB],
  },
  'an earlier Poetry': {
    file: 'poetry.lock',
    text: '[[package]]\nname = "six"\nversion = "1.17.0"\n[metadata.files]\nsix = [{file = "six.whl", hash = "sha256:@@"}]\n',
    key: 'six',
    values: [hashA, hashB],
  },
  Pipenv: {
    file: 'Pipfile.lock',
    text: '{"_meta": {}, "default": {"six": {"version": "==1.17.0", "hashes": ["sha256:@@"]}}}',
    key: 'six',
    values: [hashA, hashB],
  },
  pip: {
    file: 'requirements.txt',
    text: 'six==1.17.0 \\\n  --hash=sha256:@@\n',
    key: 'six',
    values: [hashA, hashB],
  },
  Cargo: { file: 'Cargo.lock', text: cargo(crates, '@@'), key: 'serde', values: [hashA, hashB] },
  'go.sum beside go.mod': {
    file: 'go.sum',
    text: 'example.com/a v1.0.0 h1:@@\nexample.com/a v1.0.0/go.mod h1:x\n',
    key: 'example.com/a',
    values: ['AAAA=', 'BBBB='],
    others: { 'go.mod': 'module m\n\ngo 1.22\n\nrequire example.com/a v1.0.0\n' },
  },
  Bundler: {
    file: 'Gemfile.lock',
    text: gems('https://rubygems.org/', '\nCHECKSUMS\n  rake (13.0.0) sha256=@@\n'),
    key: 'rake',
    values: [hashA, hashB],
  },
  NuGet: {
    file: 'packages.lock.json',
    text: '{"version": 1, "dependencies": {"net8.0": {"A": {"type": "Direct", "resolved": "1.0.0", "contentHash": "@@"}}}}',
    key: 'A',
    values: ['AAAA', 'BBBB'],
  },
  'Composer, a tag that moved': {
    file: 'composer.lock',
    text: '{"packages": [{"name": "a/a", "version": "1.0.0", "dist": {"type": "zip", "url": "https://api.github.com/repos/a/a/zipball/x", "reference": "@@"}}]}',
    key: 'a/a',
    values: ['aaaa', 'bbbb'],
  },
  'Terraform, the hashes of other platforms': {
    file: '.terraform.lock.hcl',
    text: 'provider "registry.terraform.io/hashicorp/aws" {\n  version = "5.0.0"\n  hashes = [\n    @@\n  ]\n}\n',
    key: 'registry.terraform.io/hashicorp/aws',
    values: ['"h1:a=",\n"zh:x",', '"h1:b=",\n"zh:x",'],
  },
  'the wrapper of Gradle': {
    file: 'gradle-wrapper.properties',
    text: 'distributionUrl=https\\://services.gradle.org/distributions/gradle-8.5-bin.zip\ndistributionSha256Sum=@@\n',
    key: 'gradle',
    values: [hashA, hashB],
  },
};

function folders({ file, text, values, others = {} }: Case): [Files, Files] {
  return values.map((value) => ({ ...others, [file]: text.replaceAll('@@', value) })) as [Files, Files];
}

describe('another place at one version', () => {
  it.each(Object.entries(sources))('%s', async (_, each) => {
    const [a, b] = folders(each);
    expect(await differencesOf(a, a)).toEqual([]);
    expect(await differencesOf(a, b)).toEqual([
      expect.objectContaining({ key: `${each.file}/${each.key}`, differsIn: 'source' }),
    ]);
  });
});

describe('other content at one version', () => {
  it.each(Object.entries(contents))('%s', async (_, each) => {
    const [a, b] = folders(each);
    const file = each.others === undefined ? each.file : (Object.keys(each.others)[0] as string);
    expect(await differencesOf(a, a)).toEqual([]);
    expect(await differencesOf(a, b)).toEqual([
      expect.objectContaining({ key: `${file}/${each.key}`, differsIn: 'content' }),
    ]);
  });

  it('is not seen between checksums of two kinds', async () => {
    const lock = (sum: string) => ({ 'package-lock.json': npmLock(npmArchive, sum) });
    expect(await differencesOf(lock('sha1-AAAA'), lock('sha512-BBBB'))).toEqual([]);
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

  it('of Yarn', async () => {
    const lock = (hash: string) =>
      `__metadata:\n  version: 8\n\n"zod@npm:4.0.0":\n  version: 4.0.0\n  resolution: "zod@npm:4.0.0"\n\n"zod@patch:zod@npm%3A4.0.0#~/.yarn/patches/zod.patch":\n  version: 4.0.0\n  resolution: "zod@patch:zod@npm%3A4.0.0#~/.yarn/patches/zod.patch::version=4.0.0&hash=${hash}"\n`;
    expect(await differencesOf({ 'yarn.lock': lock('aa') }, { 'yarn.lock': lock('bb') })).toEqual([
      expect.objectContaining({ key: 'yarn.lock/zod', differsIn: 'patch' }),
    ]);
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
