// The variables of a probe: only those that name places. No key, no setting of envsnap, nothing that could load code into a tool,
// nothing that points into the captured folder.

import type { UntrustedTree } from '../system/guarded-reads.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { isSecretVariable } from '../variables/classify-variable.ts';
import type { SearchPath } from './search-path.ts';

/** Variables that are passed on; on Windows in upper or lower case. */
const passedOn = new Set(
  [
    // Folders of the user and the system.
    'HOME USER LOGNAME LANG TZ TMPDIR TEMP TMP XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME',
    'XDG_RUNTIME_DIR XDG_DATA_DIRS XDG_CONFIG_DIRS LOCPATH LOCALE_ARCHIVE TERMINFO TERMINFO_DIRS',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH PROGRAMDATA',
    'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) NUMBER_OF_PROCESSORS',
    'PROCESSOR_ARCHITECTURE PUBLIC ALLUSERSPROFILE OS',
    // Folders of shared libraries, for programs that need them to run.
    'LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH NIX_LD NIX_LD_LIBRARY_PATH QEMU_LD_PREFIX',
    'NIX_PROFILES NIX_PATH GUIX_PROFILE',
    // Folders of version managers and tools.
    'PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION NODENV_ROOT NODENV_VERSION JENV_ROOT JENV_VERSION GOENV_ROOT',
    'GOENV_VERSION PHPENV_ROOT PLENV_ROOT LUAENV_ROOT SWIFTENV_ROOT ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR MISE_CONFIG_DIR',
    'MISE_CACHE_DIR VOLTA_HOME NVM_DIR NVM_BIN FNM_DIR SDKMAN_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN CARGO_HOME GOROOT GOPATH',
    'COREPACK_HOME PNPM_HOME BUN_INSTALL DENO_DIR DENO_INSTALL JAVA_HOME JDK_HOME JRE_HOME M2_HOME MAVEN_HOME GRADLE_HOME',
    'ANT_HOME SCALA_HOME KOTLIN_HOME DOTNET_ROOT CONDA_PREFIX CONDA_EXE MAMBA_ROOT_PREFIX VIRTUAL_ENV PIPX_HOME UV_PYTHON',
    'PY_PYTHON NVM_HOME NVM_SYMLINK SCOOP SCOOP_GLOBAL',
    'HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY DEVELOPER_DIR SDKROOT ERLANG_HOME OPAMROOT GHCUP_INSTALL_BASE_PREFIX',
    'JULIA_DEPOT_PATH R_HOME PERL_LOCAL_LIB_ROOT CUDA_HOME CUDA_PATH EMSDK FLUTTER_ROOT DART_ROOT',
  ].flatMap((line) => line.split(' ')),
);

/** The environment of every probe; `PATH` without relative folders and those of the captured one. */
export function probeVariables(
  machine: CapturedMachine,
  searchPath: SearchPath,
  tree: UntrustedTree,
): Record<string, string> {
  const onWindows = machine.platform === 'win32';
  const delimiter = onWindows ? ';' : ':';
  const variables: Record<string, string> = {
    [searchPath.name]: searchPath.folders.join(delimiter),
  };
  for (const [name, value] of Object.entries(machine.env)) {
    if (value === undefined || !passedOn.has(onWindows ? name.toUpperCase() : name)) continue;
    if (isSecretVariable(name, value)) continue;
    // One folder or a list, without relative folders and those of the captured folder, which a stranger could choose.
    const parts = value.split(delimiter);
    const isPath = parts.some((part) => /[\\/]/.test(part));
    const trusted = isPath ? parts.filter((part) => isTrusted(part)) : parts;
    if (trusted.length > 0) variables[name] = trusted.join(delimiter);
  }
  return variables;

  function isTrusted(part: string): boolean {
    if (!/[\\/]/.test(part)) return part !== '' && part !== '.' && part !== '..';
    return (onWindows ? /^(?:[A-Za-z]:)?[\\/]/ : /^\//).test(part) && !tree.holds(part);
  }
}
