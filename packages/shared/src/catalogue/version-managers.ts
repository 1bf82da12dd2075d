// Version managers: where each keeps the versions of runtimes that it has installed.

import { tableRows } from '../text/table-rows.ts';

/** A manager, and a runtime that it installs. */
export interface VersionManagerRow {
  /** Its usual name. */
  readonly name: string;
  /** Names in `runtimeVersions`. */
  readonly runtimes: readonly string[];
  /** The variable that names its root, and the default below the home folder. */
  readonly root: readonly [variable: string, fallback: string];
  /** The folder of the versions below the root, and that of the programs below a version. */
  readonly versions: string;
  readonly programs: string;
  /** Commands that install a version if it is missing and use it in this shell, with `{version}`. */
  readonly use?: readonly string[];
}

/** The columns in the order of the interface; the commands of `use` are last, on a separate line. */
const rows = tableRows(`
  nvm | node | NVM_DIR | .nvm | versions/node | bin
    | . "$NVM_DIR/nvm.sh"; nvm install {version}
  fnm | node | FNM_DIR | .local/share/fnm | node-versions | installation/bin
    | eval "$(fnm env)"; fnm use --install-if-missing {version}
  Volta | node | VOLTA_HOME | .volta | tools/image/node | bin
    | volta install node@{version}
  n | node | N_PREFIX | .n | n/versions/node | bin
    | n {version}
  nodenv | node | NODENV_ROOT | .nodenv | versions | bin
    | nodenv install --skip-existing {version}; export NODENV_VERSION={version}
  asdf | node | ASDF_DATA_DIR | .asdf | installs/nodejs | bin
    | asdf install nodejs {version}; export ASDF_NODEJS_VERSION={version}
  mise | node | MISE_DATA_DIR | .local/share/mise | installs/node | bin
    | mise install node@{version}; export MISE_NODE_VERSION={version}
  pyenv | python python3 | PYENV_ROOT | .pyenv | versions | bin
    | pyenv install --skip-existing {version}; export PYENV_VERSION={version}
  asdf | python python3 | ASDF_DATA_DIR | .asdf | installs/python | bin
    | asdf install python {version}; export ASDF_PYTHON_VERSION={version}
  mise | python python3 | MISE_DATA_DIR | .local/share/mise | installs/python | bin
    | mise install python@{version}; export MISE_PYTHON_VERSION={version}
  uv | python python3 | UV_PYTHON_INSTALL_DIR | .local/share/uv/python | | bin
    | uv python install {version}; export UV_PYTHON={version}
  rbenv | ruby | RBENV_ROOT | .rbenv | versions | bin
    | rbenv install --skip-existing {version}; export RBENV_VERSION={version}
  RVM | ruby | rvm_path | .rvm | rubies | bin
  asdf | ruby | ASDF_DATA_DIR | .asdf | installs/ruby | bin
    | asdf install ruby {version}; export ASDF_RUBY_VERSION={version}
  mise | ruby | MISE_DATA_DIR | .local/share/mise | installs/ruby | bin
    | mise install ruby@{version}; export MISE_RUBY_VERSION={version}
  goenv | go | GOENV_ROOT | .goenv | versions | bin
    | goenv install --skip-existing {version}; export GOENV_VERSION={version}
  asdf | go | ASDF_DATA_DIR | .asdf | installs/golang | go/bin
    | asdf install golang {version}; export ASDF_GOLANG_VERSION={version}
  mise | go | MISE_DATA_DIR | .local/share/mise | installs/go | bin
    | mise install go@{version}; export MISE_GO_VERSION={version}
  rustup | rustc | RUSTUP_HOME | .rustup | toolchains | bin
    | rustup toolchain install {version}; export RUSTUP_TOOLCHAIN={version}
  SDKMAN! | java | SDKMAN_CANDIDATES_DIR | .sdkman/candidates | java | bin
  SDKMAN! | maven | SDKMAN_CANDIDATES_DIR | .sdkman/candidates | maven | bin
  SDKMAN! | gradle | SDKMAN_CANDIDATES_DIR | .sdkman/candidates | gradle | bin
  asdf | java | ASDF_DATA_DIR | .asdf | installs/java | bin
  mise | deno | MISE_DATA_DIR | .local/share/mise | installs/deno | bin
    | mise install deno@{version}; export MISE_DENO_VERSION={version}
  mise | bun | MISE_DATA_DIR | .local/share/mise | installs/bun | bin
    | mise install bun@{version}; export MISE_BUN_VERSION={version}
  phpenv | php | PHPENV_ROOT | .phpenv | versions | bin
`);

export const managedRuntimes: readonly VersionManagerRow[] = rows.map((cells) => {
  const [name = '', runtimes = '', variable = '', fallback = '', versions = '', programs = '', use] = cells;
  return {
    name,
    runtimes: runtimes.split(' '),
    root: [variable, fallback],
    versions,
    programs,
    ...(use && { use: use.split('; ') }),
  };
});
