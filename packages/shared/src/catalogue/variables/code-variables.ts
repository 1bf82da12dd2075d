// Variables whose value makes a program load code, start a command or fetch code from elsewhere. The author of such a value
// decides what runs, so a command does not get a stranger's value without consent.

import { compileGlob } from '../../text/glob.ts';
import { tableRows } from '../../text/table-rows.ts';

/** Variables whose values have the same effect. Names and patterns (`*`) are separated by spaces and match in any case. */
interface CodeVariables {
  /** The effect of the value, after `it can`. */
  readonly does: string;
  readonly names: string;
  /** Names that match the patterns but have no such effect. */
  readonly except: string;
  /** The variable holds options, and these words in it are harmless. Absent: every value counts. */
  readonly harmless: RegExp | undefined;
}

/** Harmless options, by the first variable of their row. */
const harmless: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /^--(?:(?:no-)?(?:deprecation|warnings|experimental-(?:fetch|strip-types|vm-modules|websocket|require-module)|enable-source-maps|preserve-symlinks|preserve-symlinks-main|trace-deprecation|trace-warnings|trace-uncaught|throw-deprecation|pending-deprecation|expose-gc|use-system-ca|openssl-legacy-provider)|(?:max-old-space-size|max-semi-space-size|max-http-header-size|stack-trace-limit|unhandled-rejections|dns-result-order|tls-min-v1\.[0-3]|tls-max-v1\.[23])(?:=[\w.-]{1,40})?)$/,
  JAVA_TOOL_OPTIONS:
    /^(?:-X(?:m[nsx]|ss)\d{1,12}[kKmMgGtT]?|-XX:[+-]Use\w{1,60}|-XX:(?:Max|Min|Initial)\w{1,60}=[\w.]{1,20}|-D(?:user\.(?:timezone|language|country|region)|file\.encoding|stdout\.encoding|stderr\.encoding|java\.awt\.headless|java\.net\.preferIPv[46]\w{1,20})=[\w./+-]{0,60}|-(?:ea|da|esa|dsa|server|client))$/,
};

/** Every row. A row too many does less harm than a missing one, whose variable would be applied like any other. */
export const codeVariables: readonly CodeVariables[] = tableRows(`
  load code into Node.js | NODE_OPTIONS BUN_OPTIONS
  load code into Java | JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS
    ANT_OPTS
  load code into Java | CLASSPATH JVM_OPTS MAVEN_ARGS KOTLIN_HOME SCALA_HOME GROOVY_HOME JAVA_HOME JDK_HOME
  load code into Node.js | NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE TS_NODE_* TSX_* ELECTRON_* NAPI_RS_*
    ESBUILD_BINARY_PATH
  start a command | BASH_ENV ENV ZDOTDIR FPATH CDPATH SHELLOPTS BASHOPTS PS4 BASH_FUNC_* INPUTRC
  load code into every program | LD_* DYLD_* LIBRARY_PATH GCONV_PATH LOCPATH NLSPATH OPENSSL_CONF OPENSSL_ENGINES
    OPENSSL_MODULES GIO_* GTK_* QT_* QML* GST_* PKCS11* MALLOC_* JE_MALLOC_CONF GI_TYPELIB_PATH VK_* LIBGL_DRIVERS_PATH
    OCL_ICD_* CUDA_INJECTION*
  load code into Python | PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS
    PYTHONPLATLIBDIR PYTHONEXECUTABLE PYTHONPYCACHEPREFIX PYTHON_PRESITE PYTHONINSPECT PYTEST_ADDOPTS PYTEST_PLUGINS
    DJANGO_SETTINGS_MODULE FLASK_APP VIRTUAL_ENV CONDA_PREFIX
  load code into Perl | PERL5OPT PERL5LIB PERLLIB PERL5DB PERL_* PERLDB_OPTS
  load code into Ruby | RUBYOPT RUBYLIB RUBYSHELL GEM_PATH GEM_HOME BUNDLE_* BUNDLER_*
  load code into PHP | PHPRC PHP_INI_SCAN_DIR COMPOSER_HOME
  load code into Lua | LUA_INIT* LUA_PATH* LUA_CPATH*
  load code into R | R_PROFILE* R_ENVIRON* R_LIBS* R_HOME
  load code into Julia | JULIA_LOAD_PATH JULIA_DEPOT_PATH JULIA_PROJECT JULIA_BINDIR
  load code into Erlang or Elixir | ERL_*FLAGS ERL_LIBS ELIXIR_ERL_OPTIONS ERL_INETRC MIX_EXS MIX_HOME ROOTDIR BINDIR
  load code into .NET | DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE DOTNET_ROOT* COR_* CORECLR_*
    MSBUILD* NUGET_PLUGIN*
  start a command in a build | MAKEFLAGS GNUMAKEFLAGS MFLAGS MAKEFILES MAKESHELL CC CXX CPP LD AR AS NM FC RANLIB STRIP
    CCACHE_* DISTCC_* CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CGO_* GOFLAGS GOROOT GOTOOLDIR GOENV GOEXE RUSTC* RUSTDOC*
    RUSTFLAGS CARGO_* CMAKE_* CONAN_* AWKPATH AWKLIBPATH PKG_CONFIG* COMPILER_PATH GCC_EXEC_PREFIX CPATH C_INCLUDE_PATH
    CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH INCLUDE LIB LIBPATH ACLOCAL_PATH | CARGO_TERM_COLOR CARGO_TERM_VERBOSE
    CARGO_INCREMENTAL CARGO_NET_OFFLINE CARGO_BUILD_JOBS CGO_ENABLED
  name another place for programs of Windows | PATHEXT PSMODULEPATH SYSTEMROOT SYSTEMDRIVE WINDIR PROGRAMFILES*
    PROGRAMW6432 PROGRAMDATA COMMONPROGRAM* ALLUSERSPROFILE HOMEDRIVE HOMEPATH
  start a command of git | GIT_* | GIT_AUTHOR_* GIT_COMMITTER_* GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_COMMIT
    GIT_BRANCH
  start a command | EDITOR VISUAL PAGER MANPAGER BROWSER SHELL COMSPEC LESS LESSOPEN LESSCLOSE *_EDITOR *_PAGER
    *_BROWSER *_SHELL *_ASKPASS *_COMMAND *_CMD *_WRAPPER *_LAUNCHER *_RUNNER *_HOOK *_HOOKS *_PRELOAD *_PLUGINS
    *_PLUGIN_PATH *_EXEC VIMINIT EXINIT VIMRUNTIME EMACSLOADPATH TERMINFO* TERMCAP SSH_ASKPASS* RSYNC_RSH CVS_RSH
    SVN_SSH TAR_OPTIONS GREP_OPTIONS WGETRC CURL_HOME
  name another place for code or settings | npm_config_* YARN_* PNPM_* COREPACK_* BUN_CONFIG_* DENO_* PIP_* UV_*
    POETRY_* PIPENV_* CONDA_* MAMBA_* GOPROXY GOPRIVATE GONOSUMDB GONOSUMCHECK GOSUMDB GOINSECURE GOPATH GOBIN
    GOMODCACHE MAVEN_* GRADLE_* RUBYGEMS_* HOMEBREW_* NIX_* RUSTUP_* ASDF_* MISE_* PYENV_* RBENV_* NVM_* VOLTA_*
    SDKMAN_* DOCKER_* BUILDKIT_* COMPOSE_* KUBECONFIG HELM_* TF_* ANSIBLE_* HOME XDG_* APPDATA LOCALAPPDATA USERPROFILE
    | UV_THREADPOOL_SIZE YARN_VERSION HELM_NAMESPACE TF_IN_AUTOMATION TF_LOG COMPOSE_PROJECT_NAME DOCKER_BUILDKIT
`).map(([does = '', names = '', except = '']) => ({
  ...{ does, names, except },
  harmless: harmless[names.split(' ', 1)[0] as string],
}));

/**
 * Whether a process can have a variable with this name. Programs get `NAME=VALUE`, so a name with `=` would set another
 * variable.
 */
export function isVariableName(name: string): boolean {
  return name !== '' && !/[=\0]/.test(name);
}

/** The effect of a variable's value: `load code into Node.js`. Undefined for an ordinary variable. */
export function codeRisk(spelled: string, value: string): string | undefined {
  // Windows compares capitals, and letters such as ſ change when capitalised.
  const name = spelled.toUpperCase();
  compiled ??= codeVariables.map((row) => ({
    ...row,
    names: testsOf(row.names),
    except: testsOf(row.except),
  }));
  for (const row of compiled) {
    if (!row.names.some((test) => test(name)) || row.except.some((test) => test(name))) continue;
    const { harmless } = row;
    const words = value.split(/\s/).filter((word) => word !== '');
    if (harmless && words.every((word) => word.length <= longestWord && harmless.test(word))) continue;
    return row.does;
  }
  return undefined;
}

/** Longest option that is checked, in characters. */
const longestWord = 200;

type NameTest = (name: string) => boolean;
let compiled:
  | readonly (Omit<CodeVariables, 'names' | 'except'> & Record<'names' | 'except', NameTest[]>)[]
  | undefined;

function testsOf(names: string): NameTest[] {
  const patterns = names === '' ? [] : names.split(' ');
  return patterns.map((name) => compileGlob(name, { syntax: 'names', ignoreCase: true }));
}
