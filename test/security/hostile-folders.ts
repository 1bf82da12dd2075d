// Folders as a stranger could send them: each tries to have a program of its own started by whoever captures it.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { git } from '../support/git.ts';
import { words } from '../support/words.ts';

/** What the user has beside the folder: a home with version managers, and the variables that go with it. */
export interface Victim {
  readonly home: string;
  /** The captured folder. */
  readonly folder: string;
  /** Exists when something of the folder was started. */
  readonly marker: string;
}

export interface HostileFolder {
  readonly name: string;
  /** Fills the folder (and the home, with what such a user has there); returns variables beside `HOME` and `PATH`. */
  prepare(victim: Victim): Record<string, string> | undefined;
}

/** Writes a file with its folders. */
function write(file: string, content: string, executable = false): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: executable ? 0o755 : 0o644 });
}

/** Ways to fill a victim's folder, with names below it. */
function filling({ folder, marker }: Victim) {
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    at,
    /** Writes files by their names. */
    files(contents: Record<string, string>): void {
      for (const [name, content] of Object.entries(contents)) write(at(name), content);
    },
    /** Writes programs that leave the marker when they are started; returns the path of the last one. */
    evil(...names: string[]): string {
      for (const name of names) write(at(name), `#!/bin/sh\necho "$0 $*" >> ${marker}\necho 66.6.6\n`, true);
      return at(names.at(-1) ?? '');
    },
  };
}

/** git runs a filter for a file whose size is the same and whose time is not. */
const touch = (file: string): void => utimesSync(file, new Date(), new Date());

const filter = (command: string): string =>
  `[filter "e"]\n\tclean = ${command}\n\tsmudge = ${command}\n\tprocess = ${command}\n\trequired = true\n`;

function commitWithFilter(folder: string): void {
  write(path.join(folder, 'data'), 'content\n');
  write(path.join(folder, '.gitattributes'), '* filter=e\n');
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
}

/** Programs in the place of a manager's shims, as that manager makes them. */
function managerHome({ home }: Victim): void {
  const failing = '#!/bin/sh\nexit 1\n';
  const asdf = (tool: string) => `#!/usr/bin/env bash\n# asdf-plugin: ${tool} 1.0.0\nexit 1\n`;
  const programs = {
    '.cargo/bin/rustup': failing,
    '.asdf/shims/node': asdf('node'),
    '.asdf/shims/ruby': asdf('ruby'),
    '.local/share/mise/mise': failing,
    '.volta/bin/volta-shim': failing,
    '.pyenv/shims/python3': failing,
  };
  for (const [name, content] of Object.entries(programs)) write(path.join(home, name), content, true);
  write(path.join(home, '.rustup/settings.toml'), 'default_toolchain = "stable"\n');
  const folders = ['.local/share/mise/shims', '.volta/tools/image/node', '.pyenv/versions'];
  for (const folder of folders) mkdirSync(path.join(home, folder), { recursive: true });
  const links = {
    rustup: ['.cargo/bin/cargo', '.cargo/bin/rustc'],
    '../mise': ['.local/share/mise/shims/go', '.local/share/mise/shims/node'],
    'volta-shim': ['.volta/bin/node', '.volta/bin/npm'],
  };
  for (const [target, names] of Object.entries(links))
    for (const name of names) symlinkSync(target, path.join(home, name));
}

/** A path from anywhere to a part of the folder, which has no drive or user in it. */
const upTo = (folder: string, name: string) => `${'../'.repeat(12)}${folder.slice(1)}/${name}`;

export const hostileFolders: readonly HostileFolder[] = [
  {
    name: 'an unpacked archive whose .git/config names a filter, a monitor and hooks',
    prepare(victim) {
      const { folder, at, files, evil } = filling(victim);
      commitWithFilter(folder);
      const command = evil('hooks/post-index-change', '.git/evil');
      const settings = {
        ...{ repositoryformatversion: 0, fsmonitor: command, hooksPath: 'hooks', pager: command },
        ...{ sshCommand: command, excludesFile: '/dev/zero' },
      };
      const lines = Object.entries(settings).map(([name, value]) => `\t${name} = ${value}\n`);
      files({ '.git/config': `[core]\n${lines.join('')}${filter(command)}` });
      touch(at('data'));
      return undefined;
    },
  },
  {
    name: 'a committed bare repository whose work tree is the folder around it',
    prepare(victim) {
      const { folder, at, files, evil } = filling(victim);
      commitWithFilter(folder);
      const command = evil('evil');
      for (const inner of ['objects', 'refs']) mkdirSync(at(inner));
      files({
        HEAD: 'ref: refs/heads/main\n',
        config: `[core]\n\tbare = false\n\tworktree = .\n${filter(command)}`,
      });
      copyFileSync(at('.git/index'), at('index'));
      rmSync(at('.git'), { recursive: true });
      // It came with a clone: an ordinary repository lies around it.
      git(path.dirname(folder), 'init', '-q');
      touch(at('data'));
      return undefined;
    },
  },
  {
    name: 'a submodule whose own config names a filter',
    prepare(victim) {
      const { folder, at, files, evil } = filling(victim);
      const inner = path.join(victim.home, 'inner');
      commitWithFilter(inner);
      git(folder, 'init', '-q');
      git(folder, 'submodule', 'add', '-q', inner, 'sub');
      git(folder, 'commit', '-q', '-m', 'first');
      files({
        '.git/modules/sub/config': `[core]\n\tworktree = ../../../sub\n${filter(evil('evil'))}`,
      });
      touch(at('sub/data'));
      return undefined;
    },
  },
  {
    name: 'a .git file that leads to a repository in the folder',
    prepare(victim) {
      const { folder, at, files, evil } = filling(victim);
      commitWithFilter(folder);
      renameSync(at('.git'), at('meta'));
      files({ '.git': 'gitdir: meta\n', 'meta/config': `[core]\n\tbare = false\n${filter(evil('evil'))}` });
      touch(at('data'));
      return undefined;
    },
  },
  {
    name: 'a Rust toolchain that is a folder',
    prepare(victim) {
      managerHome(victim);
      const { files, evil } = filling(victim);
      evil('tc/bin/cargo', 'tc/bin/rustc');
      files({ 'rust-toolchain.toml': '[toolchain]\npath = "tc"\n' });
      return undefined;
    },
  },
  {
    name: '.tool-versions with folders in place of versions',
    prepare(victim) {
      managerHome(victim);
      const { folder, files, evil } = filling(victim);
      evil('x/bin/node', 'y/bin/ruby');
      files({ '.tool-versions': `node path:${folder}/x\nruby ${upTo(folder, 'y')}\n` });
      return undefined;
    },
  },
  {
    name: 'mise.toml with folders in place of versions',
    prepare(victim) {
      managerHome(victim);
      const { folder, files, evil } = filling(victim);
      evil('x/bin/node', 'y/bin/go');
      const tools = `[tools]\nnode = "path:${folder}/x"\ngo = "${upTo(folder, 'y')}"\n`;
      files({ 'mise.toml': `${tools}[env]\n_.source = "evil.sh"\n` });
      return undefined;
    },
  },
  {
    name: 'versions of Volta, pyenv and Corepack that are folders',
    prepare(victim) {
      managerHome(victim);
      const { folder, files, evil } = filling(victim);
      evil('x/bin/node', 'x/bin/npm', 'x/bin/python3', 'x/bin/pnpm');
      const x = upTo(folder, 'x');
      const manifest = { volta: { node: x, npm: x }, packageManager: `pnpm@${x}` };
      files({ 'package.json': JSON.stringify(manifest), '.python-version': `${x}\n..\n` });
      return undefined;
    },
  },
  {
    name: 'programs on PATH: relative folders, node_modules/.bin, a virtual environment, links out of the folder',
    prepare(victim) {
      const { folder, at, evil } = filling(victim);
      const bin = path.join(victim.home, 'bin');
      for (const name of ['jq', 'make', 'git', 'node', 'docker'])
        evil(`bin/${name}`, `node_modules/.bin/${name}`);
      evil('.venv/bin/python3');
      write(path.join(bin, 'ninja'), `#!${folder}/bin/jq\n`, true);
      write(path.join(bin, 'curl'), `#!/bin/sh\nexec ${folder}/bin/jq "$@"\n`, true);
      symlinkSync(at('bin/jq'), path.join(bin, 'cmake'));
      const folders = ['bin', './bin', '', at('node_modules/.bin'), at('.venv/bin'), bin];
      return { PATH: `${folders.join(':')}:${process.env.PATH}` };
    },
  },
  {
    name: 'variables that lead into the folder, as direnv sets them for a project',
    prepare(victim) {
      const { folder, files, evil } = filling(victim);
      const marker = JSON.stringify(victim.marker);
      files({
        'evil.js': `require('fs').writeFileSync(${marker}, 'node')`,
        'sitecustomize.py': `open(${marker}, 'w')`,
        'Evil.pm': `open(my $f, '>', ${marker}); 1;`,
        'evil.rb': `File.write(${marker}, 'ruby')`,
        '.python-version': '3.12.0\n',
      });
      evil('bin/java', '.pyenv/versions/3.12.0/bin/python3');
      write(path.join(folder, '.pyenv/shims/python3'), '#!/bin/sh\nexit 1\n', true);
      return {
        ...{ PYTHONPATH: folder, PYTHONHOME: folder, PYTHONSTARTUP: `${folder}/sitecustomize.py` },
        ...{ PERL5LIB: folder, PERL5OPT: '-MEvil', RUBYOPT: `-r${folder}/evil.rb`, JAVA_HOME: folder },
        ...{ PYENV_ROOT: `${folder}/.pyenv`, PATH: `${folder}/.pyenv/shims:${process.env.PATH}` },
        ...{ BASH_ENV: `${folder}/evil.sh`, ENV: `${folder}/evil.sh` },
        ...{ GIT_EXEC_PATH: `${folder}/bin`, GIT_CONFIG_GLOBAL: `${folder}/config` },
      };
    },
  },
  {
    name: 'files that tools obey: wrappers, hooks, configuration that names programs',
    prepare(victim) {
      const { files, evil } = filling(victim);
      evil('gradlew', 'mvnw', 'evil', 'bin/yarn.cjs', 'configure');
      files({
        '.npmrc': 'script-shell=./evil\nnode-options=--require ./evil.js\n',
        '.yarnrc.yml': 'yarnPath: bin/yarn.cjs\n',
        '.yarnrc': 'yarn-path "bin/yarn.cjs"\n',
        '.pnpmfile.cjs': `require('fs').writeFileSync(${JSON.stringify(victim.marker)}, 'pnpm')`,
        '.cargo/config.toml': '[build]\nrustc-wrapper = "./evil"\n',
        Makefile: `$(shell ./evil)\nall:\n\t./evil\n`,
        '.envrc': './evil\n',
        '.bazelrc': 'startup --host_jvm_args=-javaagent:evil.jar\n',
        '.terraformrc': 'credentials_helper "evil" {}\n',
        Gemfile: 'system("./evil")\n',
        'setup.py': 'import os; os.system("./evil")\n',
        'build.gradle': '"./evil".execute()\n',
        'package.json': '{"name":"x","scripts":{"preinstall":"./evil"},"engines":{"node":"1"}}',
        'global.json': '{"sdk":{"version":"8.0.100","paths":["./sdk"]}}',
      });
      return undefined;
    },
  },
  {
    name: 'files that never end or never begin',
    prepare(victim) {
      const { folder, at, files } = filling(victim);
      files({ '.git/HEAD': 'ref: refs/heads/main\n' });
      const pipes = words`
        package-lock.json .nvmrc .tool-versions mise.toml .gitignore .envsnap.yaml .env .git/config`;
      execFileSync('mkfifo', pipes.map(at));
      const endless = words`yarn.lock .python-version rust-toolchain.toml go.mod .gitattributes .git/index`;
      for (const name of endless) symlinkSync('/dev/zero', at(name));
      symlinkSync(folder, at('loop'));
      chmodSync(folder, 0o755);
      return undefined;
    },
  },
];
