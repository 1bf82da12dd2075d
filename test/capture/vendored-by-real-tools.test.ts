// Packages that Composer, Bundler, Cargo, Go and pip install into a project, then damaged. They come from folders beside the
// project, not from a registry; if a tool is missing, its tests are skipped.
//
// @module-tag release

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectDependencies } from '../../packages/capture/src/dependencies/collect-dependencies.ts';
import { collectInstalled } from '../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';
import { readTestData } from '../support/test-data.ts';

const { composerFiles, goFiles, pythonFiles } = readTestData<
  Record<'composerFiles' | 'goFiles' | 'pythonFiles', Record<string, string | object>>
>(import.meta);

let base: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'envsnap-vendored-')));
});
afterAll(() => rm(base, { recursive: true, force: true }));

function put(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const run = (folder: string, program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      COMPOSER_ALLOW_SUPERUSER: '1',
      COMPOSER_HOME: join(base, 'composer-home'),
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
    },
    stdio: 'ignore',
  });

/** Two packages, of which `outer` needs `inner`, installed in `folder`. */
interface Tool {
  readonly name: string;
  readonly program: string;
  readonly lockFile: string;
  readonly install: (folder: string) => void;
  /** The removed files, and the packages that then differ from the lock file. */
  readonly damages: readonly (readonly [path: string, drift: Readonly<Record<string, string>>])[];
}

const composer: Tool = {
  name: 'Composer',
  program: 'composer',
  lockFile: 'composer.lock',
  install(folder) {
    put(folder, composerFiles);
    run(folder, 'composer', 'install', '--no-interaction', '--no-plugins', '--quiet');
  },
  damages: [
    ['vendor/acme/inner', { 'acme/inner': '' }],
    ['vendor/acme/inner/inner.php', { 'acme/inner': '1.0.0 without inner.php' }],
    ['vendor/autoload.php', { 'vendor/autoload.php': '' }],
  ],
};

const bundler: Tool = {
  name: 'Bundler',
  program: 'bundle',
  lockFile: 'Gemfile.lock',
  install(folder) {
    put(folder, {
      Gemfile: 'source "https://rubygems.invalid"\ngem "outer"\n',
      '.bundle/config': '---\nBUNDLE_PATH: "vendor/bundle"\n',
      'vendor/cache/.keep': '',
    });
    for (const name of ['inner', 'outer']) {
      const needs = name === 'outer' ? 's.add_dependency "inner", "~> 1.0"' : '';
      const specification = `Gem::Specification.new { |s| s.name = "${name}"; s.version = "1.0.0"; s.summary = "x"; s.authors = ["x"]; s.files = ["${name}.gemspec"]; ${needs} }\n`;
      put(join(folder, 'sources', name), { [`${name}.gemspec`]: specification });
      const gem = join(folder, 'vendor/cache', `${name}-1.0.0.gem`);
      run(join(folder, 'sources', name), 'gem', 'build', `${name}.gemspec`, '--output', gem);
    }
    run(folder, 'bundle', 'install', '--local');
  },
  damages: [
    ['vendor/bundle/ruby/*/specifications/inner-1.0.0.gemspec', { inner: '' }],
    ['vendor/bundle/ruby/*/gems/inner-1.0.0', { inner: '' }],
    ['vendor/bundle/ruby/*/gems/inner-1.0.0/inner.gemspec', { inner: '' }],
  ],
};

const cargo: Tool = {
  name: 'Cargo',
  program: 'cargo',
  lockFile: 'Cargo.lock',
  install(folder) {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    for (const [name, dependencies] of [
      ['inner', ''],
      ['outer', 'inner = "1"\n'],
    ]) {
      const manifest = `[package]\nname = "${name}"\nversion = "1.0.0"\n[dependencies]\n${dependencies}`;
      put(join(folder, 'crates', `${name}`), {
        'Cargo.toml': manifest,
        'src/lib.rs': '',
        '.cargo-checksum.json': {
          files: { 'Cargo.toml': sha256(manifest), 'src/lib.rs': sha256('') },
          package: sha256(`${name}`),
        },
      });
    }
    put(folder, {
      'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nouter = "1"\n',
      'src/main.rs': 'fn main() {}\n',
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "local"\n[source.local]\ndirectory = "crates"\n[net]\noffline = true\n',
    });
    run(folder, 'cargo', 'generate-lockfile', '--offline');
  },
  damages: [['crates/inner', { inner: '' }]],
};

const go: Tool = {
  name: 'Go',
  program: 'go',
  lockFile: 'go.mod',
  install(folder) {
    put(folder, goFiles);
    run(folder, 'go', 'mod', 'vendor');
  },
  damages: [['vendor/example.com/inner/part/part.go', { 'example.com/inner': '' }]],
};

const pip: Tool = {
  name: 'pip',
  program: 'python3',
  lockFile: 'requirements.txt',
  install(folder) {
    put(folder, pythonFiles);
    run(folder, 'python3', '-m', 'venv', '.venv');
    const zip = 'import shutil; shutil.make_archive("inner-1.0.0-py3-none-any", "zip", "inner")';
    run(folder, 'python3', '-c', zip);
    renameSync(join(folder, 'inner-1.0.0-py3-none-any.zip'), join(folder, 'inner-1.0.0-py3-none-any.whl'));
    run(folder, '.venv/bin/python', '-m', 'pip', 'install', '--no-index', './inner-1.0.0-py3-none-any.whl');
  },
  damages: [
    ['.venv/lib/*/site-packages/inner', { inner: '1.0.0 without inner/__init__.py' }],
    ['.venv/lib/*/site-packages/inner/part.py', { inner: '1.0.0 without inner/part.py' }],
    ['.venv/lib/*/site-packages/inner-1.0.0.dist-info', { inner: '' }],
    ['.venv/bin/python', { python: '' }],
  ],
};

/** The packages that differ from the lock file in a copy of a project without a path; `*` is its only folder. */
async function without(project: string, path: string | undefined, lockFile: string) {
  const folder = join(base, 'damaged');
  await rm(folder, { recursive: true, force: true });
  await cp(project, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  if (path !== undefined) {
    const [found = ''] = execFileSync('sh', ['-c', `ls -d ${path}`], { cwd: folder, encoding: 'utf8' }).split(
      '\n',
    );
    rmSync(join(folder, found), { recursive: true });
  }
  const machine = openMachine(createSystem());
  const collected = await collectDependencies(machine, { folder, manifests: false });
  const { installed, examined } = await collectInstalled(machine, folder, collected);
  expect(examined).toContain(lockFile);
  return { ...installed[lockFile] };
}

/** Whether a program runs here: it may be a version manager's shim without a target. */
function canRun(program: string): boolean {
  const script = `${program} --version || ${program} version`;
  return spawnSync('sh', ['-c', script], { stdio: 'ignore' }).status === 0;
}

for (const { name, program, lockFile, install, damages } of [composer, bundler, cargo, go, pip])
  describe.skipIf(!canRun(program))(`what ${name} installed`, () => {
    const project = () => join(base, program);
    beforeAll(() => install(project()));

    test('is as locked', async () => {
      expect(await without(project(), undefined, lockFile)).toEqual({});
    });

    test.each(damages)('is not without %s', async (path, drift) => {
      expect(await without(project(), path, lockFile)).toEqual(drift);
    });
  });
