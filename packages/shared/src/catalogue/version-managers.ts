// Version managers: where each keeps the versions of runtimes that it has installed.

/** A manager, and a runtime that it installs. */
export interface VersionManagerRow {
  /** What people call it. */
  readonly name: string;
  /** Names in `runtimeVersions`. */
  readonly runtimes: readonly string[];
  /** The variable that names its root, and where that is otherwise, below the home folder. */
  readonly root: readonly [variable: string, fallback: string];
  /** The folder of the versions below the root, and that of the programs below a version. */
  readonly versions: string;
  readonly programs: string;
}

const row = (
  name: string,
  runtimes: string,
  variable: string,
  fallback: string,
  versions: string,
  programs: string,
): VersionManagerRow => ({
  name,
  runtimes: runtimes.split(' '),
  root: [variable, fallback],
  versions,
  programs,
});

export const managedRuntimes: readonly VersionManagerRow[] = [
  row('nvm', 'node', 'NVM_DIR', '.nvm', 'versions/node', 'bin'),
  row('fnm', 'node', 'FNM_DIR', '.local/share/fnm', 'node-versions', 'installation/bin'),
  row('Volta', 'node', 'VOLTA_HOME', '.volta', 'tools/image/node', 'bin'),
  row('n', 'node', 'N_PREFIX', '.n', 'n/versions/node', 'bin'),
  row('nodenv', 'node', 'NODENV_ROOT', '.nodenv', 'versions', 'bin'),
  row('asdf', 'node', 'ASDF_DATA_DIR', '.asdf', 'installs/nodejs', 'bin'),
  row('mise', 'node', 'MISE_DATA_DIR', '.local/share/mise', 'installs/node', 'bin'),
  row('pyenv', 'python python3', 'PYENV_ROOT', '.pyenv', 'versions', 'bin'),
  row('asdf', 'python python3', 'ASDF_DATA_DIR', '.asdf', 'installs/python', 'bin'),
  row('mise', 'python python3', 'MISE_DATA_DIR', '.local/share/mise', 'installs/python', 'bin'),
  row('uv', 'python python3', 'UV_PYTHON_INSTALL_DIR', '.local/share/uv/python', '', 'bin'),
  row('rbenv', 'ruby', 'RBENV_ROOT', '.rbenv', 'versions', 'bin'),
  row('RVM', 'ruby', 'rvm_path', '.rvm', 'rubies', 'bin'),
  row('asdf', 'ruby', 'ASDF_DATA_DIR', '.asdf', 'installs/ruby', 'bin'),
  row('mise', 'ruby', 'MISE_DATA_DIR', '.local/share/mise', 'installs/ruby', 'bin'),
  row('goenv', 'go', 'GOENV_ROOT', '.goenv', 'versions', 'bin'),
  row('asdf', 'go', 'ASDF_DATA_DIR', '.asdf', 'installs/golang', 'go/bin'),
  row('mise', 'go', 'MISE_DATA_DIR', '.local/share/mise', 'installs/go', 'bin'),
  row('rustup', 'rustc', 'RUSTUP_HOME', '.rustup', 'toolchains', 'bin'),
  row('SDKMAN!', 'java', 'SDKMAN_CANDIDATES_DIR', '.sdkman/candidates', 'java', 'bin'),
  row('SDKMAN!', 'maven', 'SDKMAN_CANDIDATES_DIR', '.sdkman/candidates', 'maven', 'bin'),
  row('SDKMAN!', 'gradle', 'SDKMAN_CANDIDATES_DIR', '.sdkman/candidates', 'gradle', 'bin'),
  row('asdf', 'java', 'ASDF_DATA_DIR', '.asdf', 'installs/java', 'bin'),
  row('mise', 'deno', 'MISE_DATA_DIR', '.local/share/mise', 'installs/deno', 'bin'),
  row('mise', 'bun', 'MISE_DATA_DIR', '.local/share/mise', 'installs/bun', 'bin'),
  row('phpenv', 'php', 'PHPENV_ROOT', '.phpenv', 'versions', 'bin'),
];
