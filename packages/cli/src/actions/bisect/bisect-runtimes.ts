// Where version managers keep the versions that they have installed here: one row a manager and tool.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** `{v}` stands for the version; the last part is the folder of programs. */
interface ManagerRow {
  readonly runtimes: readonly string[];
  /** Variable that names the manager's root, and where the root is otherwise, below the home folder. */
  readonly root: readonly [variable: string | undefined, fallback: string];
  readonly versions: string;
  readonly programs: string;
}

const row = (
  runtimes: string,
  variable: string | undefined,
  fallback: string,
  versions: string,
  programs: string,
): ManagerRow => ({ runtimes: runtimes.split(' '), root: [variable, fallback], versions, programs });

const managers: readonly ManagerRow[] = [
  row('node', 'NVM_DIR', '.nvm', 'versions/node', 'bin'),
  row('node', 'FNM_DIR', '.local/share/fnm', 'node-versions', 'installation/bin'),
  row('node', 'VOLTA_HOME', '.volta', 'tools/image/node', 'bin'),
  row('node', 'N_PREFIX', '.n', 'n/versions/node', 'bin'),
  row('node', 'NODENV_ROOT', '.nodenv', 'versions', 'bin'),
  row('node', 'ASDF_DATA_DIR', '.asdf', 'installs/nodejs', 'bin'),
  row('node', 'MISE_DATA_DIR', '.local/share/mise', 'installs/node', 'bin'),
  row('python python3', 'PYENV_ROOT', '.pyenv', 'versions', 'bin'),
  row('python python3', 'ASDF_DATA_DIR', '.asdf', 'installs/python', 'bin'),
  row('python python3', 'MISE_DATA_DIR', '.local/share/mise', 'installs/python', 'bin'),
  row('python python3', 'UV_PYTHON_INSTALL_DIR', '.local/share/uv/python', '', 'bin'),
  row('ruby', 'RBENV_ROOT', '.rbenv', 'versions', 'bin'),
  row('ruby', 'rvm_path', '.rvm', 'rubies', 'bin'),
  row('ruby', 'ASDF_DATA_DIR', '.asdf', 'installs/ruby', 'bin'),
  row('ruby', 'MISE_DATA_DIR', '.local/share/mise', 'installs/ruby', 'bin'),
  row('go', 'GOENV_ROOT', '.goenv', 'versions', 'bin'),
  row('go', 'ASDF_DATA_DIR', '.asdf', 'installs/golang', 'go/bin'),
  row('go', 'MISE_DATA_DIR', '.local/share/mise', 'installs/go', 'bin'),
  row('rustc', 'RUSTUP_HOME', '.rustup', 'toolchains', 'bin'),
  row('java', 'SDKMAN_CANDIDATES_DIR', '.sdkman/candidates', 'java', 'bin'),
  row('maven', 'SDKMAN_CANDIDATES_DIR', '.sdkman/candidates', 'maven', 'bin'),
  row('gradle', 'SDKMAN_CANDIDATES_DIR', '.sdkman/candidates', 'gradle', 'bin'),
  row('java', 'ASDF_DATA_DIR', '.asdf', 'installs/java', 'bin'),
  row('deno', 'MISE_DATA_DIR', '.local/share/mise', 'installs/deno', 'bin'),
  row('bun', 'MISE_DATA_DIR', '.local/share/mise', 'installs/bun', 'bin'),
  row('php', 'PHPENV_ROOT', '.phpenv', 'versions', 'bin'),
];

/** The folder of programs of an installed version; undefined when no manager has it here. */
export async function findInstalledRuntime(
  runtime: string,
  version: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const manager of managers) {
    if (!manager.runtimes.includes(runtime)) continue;
    const [variable, fallback] = manager.root;
    const root = (variable && env[variable]) || path.join(homedir(), fallback);
    const folder = path.join(root, manager.versions);
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => isVersion(each, version));
    if (name !== undefined) return path.join(folder, name, manager.programs);
  }
  return undefined;
}

/** Whether a folder of programs is that of this version of a runtime, by a part of its path and the program in it. */
export function isRuntimeFolder(folder: string, runtime: string, version: string): boolean {
  return (
    folder.split(/[\\/]/).some((part) => isVersion(part, version)) && existsSync(path.join(folder, runtime))
  );
}

/** `v22.11.0`, `22.11.0`, `ruby-3.3.0`, `cpython-3.12.1-linux-x86_64-gnu`, `1.80.0-x86_64-unknown-linux-gnu`, `21.0.2-tem`. */
function isVersion(name: string, version: string): boolean {
  const bare = name.replace(/^(?:v|cpython-|ruby-|node-v?)/, '');
  return bare === version || bare.startsWith(`${version}-`);
}
