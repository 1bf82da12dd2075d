// Folders as a stranger could send them, each with one part that grows: lock files beside what seems to be installed.

import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { collectInstalled } from '../../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem, type FakeFile } from '../../support/fake-system.ts';

type Files = Record<string, string | FakeFile>;

export interface GrowingFolder {
  readonly name: string;
  /** The large size; the small one is a tenth. */
  readonly largest: number;
  /** Files below the folder, with the given number of the growing part. */
  files(count: number): Files;
  /** Its content stays the same while the number of links to it grows. */
  readonly isOfLinks: boolean;
}

/** A run that collects what such a folder lists and has installed, each time afresh, and its memory afterwards. */
export function capturing(files: Files) {
  const inFolder = Object.entries(files).map(([name, file]) => [`/app/${name}`, file] as const);
  const system = createFakeSystem({
    env: { VIRTUAL_ENV: '/app/active/other' },
    files: { '/usr/bin/env': '', '/app/.git/HEAD': 'x', ...Object.fromEntries(inFolder) },
  });
  return async () => {
    const machine = openMachine(system);
    const dependencies = await collectDependencies(machine, { folder: '/app', manifests: true });
    return { machine, ...dependencies, ...(await collectInstalled(machine, '/app', dependencies)) };
  };
}

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const lines = (count: number, make: (index: number) => string): string => each(count, make).join('');
const filesOf = (count: number, make: (index: number) => [string, string | FakeFile]): Files =>
  Object.fromEntries(each(count, make));
const json = (value: unknown): string => JSON.stringify(value);
const asking = json({ dependencies: { zod: '1' } });
const manifest = json({ version: '2.0.0' });

const berryLock = (count: number): string =>
  `__metadata:\n  version: 8\n\n${lines(count, (index) => `"zod@npm:${index}":\n  version: 1.${index}\n  resolution: "zod@npm:1.${index}"\n\n`)}`;
const npmLock = (packages: [string, object][]): string =>
  json({ lockfileVersion: 3, packages: { '': { name: 'app' }, ...Object.fromEntries(packages) } });
const cargoLock = (count: number, name: (index: number) => string): string =>
  `version = 3\n${lines(count, (index) => `[[package]]\nname = "${name(index)}"\nversion = "1.${index}.0"\nsource = "registry+x"\n`)}`;

const growing = (
  name: string,
  largest: number,
  files: GrowingFolder['files'],
  isOfLinks = false,
): GrowingFolder => ({ name, largest, files, isOfLinks });

export const growingFolders: readonly GrowingFolder[] = [
  growing('npm: folders and versions of one package', 30_000, (count) => {
    const store = (major: number) =>
      each(count, (index): [string, object] => [
        `node_modules/.store/zod@${index}/node_modules/zod`,
        { version: `${major}.${index}.0` },
      ]);
    return {
      'package-lock.json': npmLock(store(1)),
      'node_modules/.package-lock.json': npmLock(store(2)),
    };
  }),
  growing('npm: packages within packages', 500, (count) => ({
    'package-lock.json': `{"lockfileVersion":1,"dependencies":${'{"abcdefghijkl":{"version":"1.0.0","dependencies":'.repeat(count)}{}${'}}'.repeat(count)}}`,
    'node_modules/zod/package.json': manifest,
  })),
  growing('Yarn: versions of one package', 10_000, (count) => ({
    'yarn.lock': berryLock(count),
    'package.json': asking,
    'node_modules/.yarn-state.yml': lines(
      count,
      (index) => `"zod@npm:2.${index}":\n  locations:\n    - "node_modules/zod"\n`,
    ),
  })),
  growing('Yarn: names of one entry, and what it asks for', 300, (count) => ({
    'yarn.lock': `# yarn lockfile v1\n\n${each(count, (index) => `n${index}@1`).join(', ')}:\n  version "1.0.0"\n  dependencies:\n${lines(count * 20, (index) => `    n${index} "1"\n`)}`,
    'package.json': json({ dependencies: { n0: '1' } }),
    'node_modules/.yarn-integrity': json({
      lockfileEntries: {},
      topLevelPatterns: each(count * 20, (index) => `x${index}@1`),
    }),
  })),
  growing('Yarn: archives and their places', 10_000, (count) => ({
    'yarn.lock': berryLock(1),
    '.pnp.cjs': lines(
      count,
      (index) => `"packageLocation": "./.yarn/cache/z${index}.zip/node_modules/zod/",\\\n`,
    ),
    ...filesOf(count, (index) => [`.yarn/cache/z${index}.zip`, '']),
  })),
  growing('pnpm: versions of one package, and packages of the workspace', 5000, (count) => {
    const lock = (major: number) =>
      `lockfileVersion: '9.0'\n\nimporters:\n\n${lines(count, (index) => `  p${index}:\n    dependencies:\n      zod:\n        specifier: '1'\n        version: 1.0.0\n`)}\npackages:\n\n${lines(count, (index) => `  zod@${major}.${index}.0:\n    resolution: {integrity: sha512-x}\n`)}`;
    return {
      'pnpm-lock.yaml': lock(1),
      'node_modules/.pnpm/lock.yaml': lock(2),
      'node_modules/.modules.yaml': '{}',
      ...filesOf(count, (index) => [`node_modules/.pnpm/zod@2.${index}.0/x`, '']),
    };
  }),
  growing('Bun: packages beside the locked ones', 5000, (count) => ({
    'bun.lock': json({
      lockfileVersion: 1,
      packages: Object.fromEntries(each(count, (index) => [`n${index}`, [`n${index}@1.0.0`]])),
    }),
    ...filesOf(count, (index) => [`node_modules/n${index}/package.json`, manifest]),
  })),
  growing('Python: requirements, packages and modules', 3000, (count) => ({
    'requirements.txt': lines(
      count,
      (index) => `a${index}==1.${index}; python_version < "3.${index}"\nzod==1.${index}\n`,
    ),
    '.venv/pyvenv.cfg': '',
    ...filesOf(count, (index) => [`.venv/lib/python3.12/site-packages/a${index}-2.0.dist-info/RECORD`, '']),
    '.venv/lib/python3.12/site-packages/zod-2.0.dist-info/RECORD': lines(
      count,
      (index) => `m${index}.py,,\n`,
    ),
  })),
  growing('Python: a manifest whose packages another environment should have', 3000, (count) => ({
    'pyproject.toml': `[project]\ndependencies = [\n${lines(count, (index) => `  "a${index}>=1",\n`)}]\n`,
    '.venv/pyvenv.cfg': '',
    '.venv/lib/python3.12/site-packages/zod-2.0.dist-info/RECORD': '',
    'active/other/pyvenv.cfg': '',
    ...filesOf(count, (index) => [
      `active/other/lib/python3.12/site-packages/b${index}-2.0.dist-info/RECORD`,
      '',
    ]),
  })),
  growing('Python: lock files of one environment', 200, (count) => ({
    ...filesOf(count, (index) => [`requirements-${index}.txt`, 'zod==1.0\n']),
    '.venv/pyvenv.cfg': '',
    '.venv/lib/python3.12/site-packages/zod-2.0.dist-info/RECORD': '',
  })),
  growing(
    'Python: links to one included file',
    150,
    (count) => ({
      'requirements.txt': lines(count, (index) => `-r l${index}.inc\n`),
      'all.inc': lines(5000, (index) => `a${index}==1\n`),
      ...filesOf(count, (index) => [`l${index}.inc`, { link: 'all.inc' }]),
    }),
    true,
  ),
  growing('Composer: packages', 5000, (count) => {
    const packages = (major: number) =>
      each(count, (index) => ({ name: `a/n${index}`, version: `${major}.${index}.0` }));
    return {
      'composer.lock': json({ packages: packages(1), 'packages-dev': packages(1) }),
      'vendor/composer/installed.json': json({ packages: packages(2) }),
      ...filesOf(count, (index) => [`vendor/a/n${index}/x`, '']),
    };
  }),
  growing('Bundler: versions of one gem', 5000, (count) => ({
    'Gemfile.lock': `GEM\n  remote: https://rubygems.org/\n  specs:\n${lines(count, (index) => `    zod (1.${index})\n`)}`,
    ...Object.assign(
      {},
      ...each(count, (index) => ({
        [`vendor/bundle/ruby/3.2.0/specifications/zod-2.${index}.gemspec`]: '',
        [`vendor/bundle/ruby/3.2.0/gems/zod-2.${index}/x`]: '',
      })),
    ),
  })),
  growing('Go: versions and replacements of one module', 10_000, (count) => ({
    'go.mod': `module x\n\ngo 1.16\n\n${lines(count, (index) => `require a.b/c v1.${index}.0\nreplace a.b/c v2.${index}.0 => a.b/d v1.0.0\n`)}`,
    'go.sum': lines(count, (index) => `a.b/c v1.${index}.0 h1:x\n`),
    'vendor/modules.txt': lines(count, (index) => `# a.b/c v3.${index}.0\n`),
  })),
  growing('Cargo: vendored versions of one crate', 5000, (count) => ({
    'Cargo.lock': cargoLock(count, () => 'zod'),
    '.cargo/config.toml': '[source.v]\ndirectory = "vendor"\n',
    ...filesOf(count, (index) => [`vendor/z${index}/Cargo.toml`, `name = "zod"\nversion = "2.${index}.0"\n`]),
  })),
  growing(
    'Cargo: links to one lock file',
    100,
    (count) => ({
      'Cargo.lock': cargoLock(500, (index) => `n${index}`),
      ...filesOf(count, (index) => [`p${index}/Cargo.lock`, { link: '/app/Cargo.lock' }]),
    }),
    true,
  ),
  growing('.NET: projects, and the versions that they share', 300, (count) => ({
    'Directory.Packages.props': `<Project><ItemGroup>${lines(count * 20, (index) => `<PackageVersion Include="a${index}" Version="1"/>`)}</ItemGroup></Project>`,
    ...filesOf(count, (index) => [
      `p${index}/a.csproj`,
      '<Project><ItemGroup><PackageReference Include="a1"/></ItemGroup></Project>',
    ]),
  })),
  growing('ignored lock files without a manifest', 5000, (count) => ({
    '.gitignore': '*.lock\n',
    ...filesOf(count, (index) => [`a${index}.gemfile.lock`, 'x']),
  })),
];
