// Folders as a stranger could send them: each tries to make a capture start a program of the folder.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { git } from '../support/git.ts';

/** The user's environment: a home folder with version managers, and the variables that belong to them. */
export interface Victim {
  readonly home: string;
  readonly folder: string;
  /** Exists if something from the folder was started. */
  readonly marker: string;
}

/** Fills the folder, and the home folder of such a user; returns variables beside `HOME` and `PATH`. */
type Prepare = (victim: Victim) => Record<string, string> | undefined;

/** Writes a file with its folders; `executable` ones leave the marker when they are started. */
function write(file: string, content: string, executable = false): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: executable ? 0o755 : 0o644 });
  return file;
}

function evil({ marker }: Victim, file: string): string {
  return write(file, `#!/bin/sh\necho "$0 $*" >> ${marker}\necho 66.6.6\n`, true);
}

/** git runs a filter for a file with the same size and another time. */
function touch(file: string): void {
  utimesSync(file, new Date(), new Date());
}

const filter = (command: string): string =>
  `[filter "e"]\n\tclean = ${command}\n\tsmudge = ${command}\n\tprocess = ${command}\n\trequired = true\n`;

function commitWithFilter(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  write(path.join(folder, 'data'), 'content\n');
  write(path.join(folder, '.gitattributes'), '* filter=e\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
}

/** Programs that replace a manager's shims, in the form that the manager creates. */
function managerHome(victim: Victim): void {
  const { home } = victim;
  const shim = '#!/bin/sh\nexit 1\n';
  write(path.join(home, '.cargo/bin/rustup'), shim, true);
  for (const name of ['cargo', 'rustc']) symlinkSync('rustup', path.join(home, '.cargo/bin', name));
  write(path.join(home, '.rustup/settings.toml'), 'default_toolchain = "stable"\n');
  for (const name of ['node', 'ruby'])
    write(
      path.join(home, '.asdf/shims', name),
      `#!/usr/bin/env bash\n# asdf-plugin: ${name} 1.0.0\nexit 1\n`,
      true,
    );
  write(path.join(home, '.local/share/mise/mise'), shim, true);
  mkdirSync(path.join(home, '.local/share/mise/shims'), { recursive: true });
  for (const name of ['go', 'node']) symlinkSync('../mise', path.join(home, '.local/share/mise/shims', name));
  mkdirSync(path.join(home, '.volta/tools/image/node'), { recursive: true });
  write(path.join(home, '.volta/bin/volta-shim'), shim, true);
  for (const name of ['node', 'npm']) symlinkSync('volta-shim', path.join(home, '.volta/bin', name));
  write(path.join(home, '.pyenv/shims/python3'), '#!/bin/sh\nexit 1\n', true);
  mkdirSync(path.join(home, '.pyenv/versions'), { recursive: true });
}

const up = '../'.repeat(12);

export const hostileFolders: Readonly<Record<string, Prepare>> = {
  'an unpacked archive whose .git/config names a filter, a monitor and hooks'(victim) {
    const { folder } = victim;
    commitWithFilter(folder);
    const command = evil(victim, path.join(folder, '.git', 'evil'));
    evil(victim, path.join(folder, 'hooks', 'post-index-change'));
    write(
      path.join(folder, '.git', 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${command}\n\thooksPath = hooks\n\tpager = ${command}\n\tsshCommand = ${command}\n\texcludesFile = /dev/zero\n${filter(command)}`,
    );
    touch(path.join(folder, 'data'));
  },
  'a committed bare repository whose work tree is the folder around it'(victim) {
    const { folder } = victim;
    commitWithFilter(folder);
    const command = evil(victim, path.join(folder, 'evil'));
    for (const inner of ['objects', 'refs']) mkdirSync(path.join(folder, inner));
    write(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    write(path.join(folder, 'config'), `[core]\n\tbare = false\n\tworktree = .\n${filter(command)}`);
    execFileSync('cp', [path.join(folder, '.git', 'index'), path.join(folder, 'index')]);
    execFileSync('rm', ['-rf', path.join(folder, '.git')]);
    // It came with a clone, so an ordinary repository is around it.
    git(path.dirname(folder), 'init', '-q');
    touch(path.join(folder, 'data'));
  },
  'a submodule whose own config names a filter'(victim) {
    const { folder, home } = victim;
    const inner = path.join(home, 'inner');
    commitWithFilter(inner);
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q');
    git(folder, 'submodule', 'add', '-q', inner, 'sub');
    git(folder, 'commit', '-q', '-m', 'first');
    const command = evil(victim, path.join(folder, 'evil'));
    const config = path.join(folder, '.git/modules/sub/config');
    write(config, `[core]\n\tworktree = ../../../sub\n${filter(command)}`);
    touch(path.join(folder, 'sub', 'data'));
  },
  'a .git file that leads to a repository in the folder'(victim) {
    const { folder } = victim;
    commitWithFilter(folder);
    const command = evil(victim, path.join(folder, 'evil'));
    execFileSync('mv', [path.join(folder, '.git'), path.join(folder, 'meta')]);
    write(path.join(folder, '.git'), 'gitdir: meta\n');
    write(path.join(folder, 'meta', 'config'), `[core]\n\tbare = false\n${filter(command)}`);
    touch(path.join(folder, 'data'));
  },
  'a Rust toolchain that is a folder'(victim) {
    managerHome(victim);
    for (const name of ['cargo', 'rustc']) evil(victim, path.join(victim.folder, 'tc/bin', name));
    write(path.join(victim.folder, 'rust-toolchain.toml'), '[toolchain]\npath = "tc"\n');
  },
  '.tool-versions with folders in place of versions'(victim) {
    managerHome(victim);
    const { folder } = victim;
    evil(victim, path.join(folder, 'x/bin/node'));
    evil(victim, path.join(folder, 'y/bin/ruby'));
    const relative = `${up}${folder.slice(1)}/y`;
    write(path.join(folder, '.tool-versions'), `node path:${folder}/x\nruby ${relative}\n`);
  },
  'mise.toml with folders in place of versions'(victim) {
    managerHome(victim);
    const { folder } = victim;
    evil(victim, path.join(folder, 'x/bin/node'));
    evil(victim, path.join(folder, 'y/bin/go'));
    const relative = `${up}${folder.slice(1)}/y`;
    write(
      path.join(folder, 'mise.toml'),
      `[tools]\nnode = "path:${folder}/x"\ngo = "${relative}"\n[env]\n_.source = "evil.sh"\n`,
    );
  },
  'versions of Volta, pyenv and Corepack that are folders'(victim) {
    managerHome(victim);
    const { folder } = victim;
    for (const name of ['node', 'npm', 'python3', 'pnpm']) evil(victim, path.join(folder, 'x/bin', name));
    const relative = `${up}${folder.slice(1)}/x`;
    write(
      path.join(folder, 'package.json'),
      JSON.stringify({ volta: { node: relative, npm: relative }, packageManager: `pnpm@${relative}` }),
    );
    write(path.join(folder, '.python-version'), `${relative}\n..\n`);
  },
  'programs on PATH: relative folders, node_modules/.bin, a virtual environment, links out of the folder'(
    victim,
  ) {
    const { folder, home } = victim;
    for (const name of ['jq', 'make', 'git', 'node', 'docker']) {
      evil(victim, path.join(folder, 'bin', name));
      evil(victim, path.join(folder, 'node_modules/.bin', name));
    }
    evil(victim, path.join(folder, '.venv/bin/python3'));
    mkdirSync(path.join(home, 'bin'), { recursive: true });
    symlinkSync(path.join(folder, 'bin/jq'), path.join(home, 'bin/cmake'));
    write(path.join(home, 'bin/ninja'), `#!${folder}/bin/jq\n`, true);
    write(path.join(home, 'bin/curl'), `#!/bin/sh\nexec ${folder}/bin/jq "$@"\n`, true);
    const folders = ['bin', './bin', '', `${folder}/node_modules/.bin`, `${folder}/.venv/bin`, `${home}/bin`];
    return { PATH: `${folders.join(':')}:${process.env.PATH}` };
  },
  'variables that lead into the folder, as direnv sets them for a project'(victim) {
    const { folder } = victim;
    write(
      path.join(folder, 'evil.js'),
      `require('fs').writeFileSync(${JSON.stringify(victim.marker)}, 'node')`,
    );
    write(path.join(folder, 'sitecustomize.py'), `open(${JSON.stringify(victim.marker)}, 'w')`);
    write(path.join(folder, 'Evil.pm'), `open(my $f, '>', ${JSON.stringify(victim.marker)}); 1;`);
    write(path.join(folder, 'evil.rb'), `File.write(${JSON.stringify(victim.marker)}, 'ruby')`);
    evil(victim, path.join(folder, 'bin/java'));
    evil(victim, path.join(folder, '.pyenv/versions/3.12.0/bin/python3'));
    write(path.join(folder, '.pyenv/shims/python3'), '#!/bin/sh\nexit 1\n', true);
    write(path.join(folder, '.python-version'), '3.12.0\n');
    return {
      PYTHONPATH: folder,
      PYTHONHOME: folder,
      PYTHONSTARTUP: `${folder}/sitecustomize.py`,
      PERL5LIB: folder,
      PERL5OPT: '-MEvil',
      RUBYOPT: `-r${folder}/evil.rb`,
      JAVA_HOME: folder,
      PYENV_ROOT: `${folder}/.pyenv`,
      PATH: `${folder}/.pyenv/shims:${process.env.PATH}`,
      BASH_ENV: `${folder}/evil.sh`,
      ENV: `${folder}/evil.sh`,
      GIT_EXEC_PATH: `${folder}/bin`,
      GIT_CONFIG_GLOBAL: `${folder}/config`,
    };
  },
  'files that tools obey: wrappers, hooks, configuration that names programs'(victim) {
    const { folder } = victim;
    for (const name of ['gradlew', 'mvnw', 'evil', 'bin/yarn.cjs', 'configure'])
      evil(victim, path.join(folder, name));
    write(path.join(folder, '.npmrc'), 'script-shell=./evil\nnode-options=--require ./evil.js\n');
    write(path.join(folder, '.yarnrc.yml'), 'yarnPath: bin/yarn.cjs\n');
    write(path.join(folder, '.yarnrc'), 'yarn-path "bin/yarn.cjs"\n');
    write(
      path.join(folder, '.pnpmfile.cjs'),
      `require('fs').writeFileSync(${JSON.stringify(victim.marker)}, 'pnpm')`,
    );
    write(path.join(folder, '.cargo/config.toml'), '[build]\nrustc-wrapper = "./evil"\n');
    write(path.join(folder, 'Makefile'), `$(shell ./evil)\nall:\n\t./evil\n`);
    write(path.join(folder, '.envrc'), './evil\n');
    write(path.join(folder, '.bazelrc'), 'startup --host_jvm_args=-javaagent:evil.jar\n');
    write(path.join(folder, '.terraformrc'), 'credentials_helper "evil" {}\n');
    write(path.join(folder, 'Gemfile'), 'system("./evil")\n');
    write(path.join(folder, 'setup.py'), 'import os; os.system("./evil")\n');
    write(path.join(folder, 'build.gradle'), '"./evil".execute()\n');
    write(
      path.join(folder, 'package.json'),
      '{"name":"x","scripts":{"preinstall":"./evil"},"engines":{"node":"1"}}',
    );
    write(path.join(folder, 'global.json'), '{"sdk":{"version":"8.0.100","paths":["./sdk"]}}');
  },
  'files that never end or never begin'(victim) {
    const { folder } = victim;
    mkdirSync(folder, { recursive: true });
    const names = 'package-lock.json .nvmrc .tool-versions mise.toml .gitignore .envsnap.yaml .env';
    for (const name of names.split(' ')) execFileSync('mkfifo', [path.join(folder, name)]);
    for (const name of ['yarn.lock', '.python-version', 'rust-toolchain.toml', 'go.mod', '.gitattributes'])
      symlinkSync('/dev/zero', path.join(folder, name));
    mkdirSync(path.join(folder, '.git'));
    execFileSync('mkfifo', [path.join(folder, '.git', 'config')]);
    symlinkSync('/dev/zero', path.join(folder, '.git', 'index'));
    write(path.join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    symlinkSync(folder, path.join(folder, 'loop'));
    chmodSync(folder, 0o755);
  },
};
