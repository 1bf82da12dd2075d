// The project in which differences are made: installed by npm, python3 and git themselves, from packages beside it.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The commits are the same each time, whoever makes them. */
const gitEnvironment = {
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

const run = (folder: string, program: string, ...args: string[]): void => {
  execFileSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...gitEnvironment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};

const git = (folder: string, ...args: string[]): void =>
  run(folder, 'git', '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args);

function put(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(
      path.join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    );
  }
}

/** A package that npm can install without a registry; the name of its archive in `target`. */
function pack(target: string, manifest: { name: string; version: string } & Record<string, unknown>): void {
  const source = path.join(target, '.sources', manifest.name);
  put(source, { 'package.json': { main: 'index.js', ...manifest }, 'index.js': '#!/usr/bin/env node\n' });
  run(source, 'npm', 'pack', '--silent', '--pack-destination', target);
}

const platformPackage = (os: string, cpu: string) => ({
  name: `@native/${os}-${cpu}`,
  version: '1.0.0',
  os: [os],
  cpu: [cpu],
});

/** Makes the project in an empty folder; takes a few seconds. */
export function makeSampleProject(project: string): void {
  const others = process.arch === 'x64' ? 'arm64' : 'x64';
  const platforms = [
    platformPackage('linux', process.arch),
    platformPackage('linux', others),
    platformPackage('darwin', 'arm64'),
  ];
  pack(project, { name: 'zod', version: '4.6.7' });
  pack(project, { name: 'inner', version: '1.0.0' });
  pack(project, { name: 'dev', version: '1.0.0' });
  pack(project, {
    name: 'left-pad',
    version: '1.3.0',
    bin: { pad: 'index.js' },
    dependencies: { inner: '^1.0.0' },
  });
  pack(project, {
    name: 'native',
    version: '1.0.0',
    optionalDependencies: Object.fromEntries(platforms.map(({ name, version }) => [name, version])),
  });
  for (const manifest of platforms) pack(project, manifest);
  const archive = (name: string, version: string) =>
    `file:${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  put(project, {
    'package.json': {
      name: 'shop',
      version: '1.0.0',
      private: true,
      main: 'dist/index.js',
      workspaces: ['packages/*'],
      dependencies: Object.fromEntries(
        [
          ['zod', '4.6.7'],
          ['left-pad', '1.3.0'],
          ['native', '1.0.0'],
        ].map(([name = '', version = '']) => [name, archive(name, version)]),
      ),
      devDependencies: { dev: archive('dev', '1.0.0') },
      overrides: Object.fromEntries(
        [{ name: 'inner', version: '1.0.0' }, ...platforms].map(({ name, version }) => [
          name,
          archive(name, version),
        ]),
      ),
    },
    'packages/own/package.json': { name: 'own', version: '0.0.1' },
    'requirements.txt': 'requests==2.32.0\n',
    'go.mod': 'module shop\n\ngo 1.22\n\nrequire example.com/x v1.0.0\n',
    'Cargo.lock': '[[package]]\nname = "serde"\nversion = "1.0.0"\n',
    'Gemfile.lock': 'GEM\n  specs:\n    rack (3.0.0)\n',
    'pom.xml':
      '<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1</version></dependency></dependencies></project>',
    '.env': 'PORT=3000\n',
    'src/index.js': 'export {};\n',
    'src/\u00e9t\u00e9.js': 'export {};\n',
    'config/app.json': '{}\n',
    'run.sh': '#!/bin/sh\nexec true\n',
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    'data/model.bin': 'content',
    '.gitignore': 'node_modules/\n.venv/\ndist/\n.sources/\n*.tgz\nconfig/local.json\n',
  });
  chmodSync(path.join(project, 'run.sh'), 0o755);
  symlinkSync('run.sh', path.join(project, 'link'));
  run(project, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent');
  run(project, 'python3', '-m', 'venv', '--without-pip', '.venv');
  const [python = ''] = readdirSync(path.join(project, '.venv', 'lib'));
  put(path.join(project, '.venv', 'lib', python, 'site-packages'), {
    'requests-2.32.0.dist-info/METADATA': '',
    'requests-2.32.0.dist-info/RECORD': 'requests/__init__.py,,\n',
    'requests/__init__.py': '',
  });
  makeCommit(project);
  put(project, { 'dist/index.js': 'export {};\n' });
}

/** A commit with a submodule and a fetched Git LFS file. */
function makeCommit(project: string): void {
  const theme = path.join(project, '.sources', 'theme');
  put(theme, { 'theme.css': 'a {}\n' });
  git(theme, 'init', '-q', '-b', 'main');
  git(theme, 'add', '.');
  git(theme, 'commit', '-q', '-m', 'first');
  git(project, 'init', '-q', '-b', 'main');
  git(
    project,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    './.sources/theme',
    'theme',
  );
  const lfs = ['clean', 'smudge'].flatMap((way) => ['-c', `filter.lfs.${way}=git-lfs ${way} -- %f`]);
  git(project, ...lfs, 'add', '.');
  git(project, ...lfs, 'commit', '-q', '-m', 'first');
  git(project, 'tag', 'v1.0.0');
}
