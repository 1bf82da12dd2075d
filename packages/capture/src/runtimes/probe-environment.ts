// The environment in which tools are asked for their version: quiet, offline, in plain English, changing nothing.

import type { CapturedMachine } from '../system/machine.ts';
import type { Tool } from './tool.ts';

/** A port that nothing listens on: what ignores the offline switches fails at once instead of using the network. */
const nowhere = 'http://127.0.0.1:9';

const quiet: Readonly<Record<string, string | undefined>> = {
  LC_ALL: 'C',
  LANGUAGE: undefined,
  TERM: 'dumb',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  CLICOLOR_FORCE: undefined,
  PAGER: 'cat',
  http_proxy: nowhere,
  https_proxy: nowhere,
  HTTP_PROXY: nowhere,
  HTTPS_PROXY: nowhere,
  ALL_PROXY: nowhere,
  all_proxy: nowhere,
  NO_PROXY: undefined,
  no_proxy: undefined,
  CHECKPOINT_DISABLE: '1',
  COREPACK_ENABLE_AUTO_PIN: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  COREPACK_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_PROJECT_SPEC: '0',
  COREPACK_ENABLE_STRICT: '0',
  DENO_NO_UPDATE_CHECK: '1',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_GENERATE_ASPNET_CERTIFICATE: 'false',
  DOTNET_NOLOGO: '1',
  DOTNET_SKIP_FIRST_TIME_EXPERIENCE: '1',
  DO_NOT_TRACK: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GOFLAGS: undefined,
  GOTOOLCHAIN: 'local',
  HOMEBREW_NO_ANALYTICS: '1',
  HOMEBREW_NO_AUTO_UPDATE: '1',
  HOMEBREW_NO_ENV_HINTS: '1',
  JAVA_TOOL_OPTIONS: undefined,
  JDK_JAVA_OPTIONS: undefined,
  _JAVA_OPTIONS: undefined,
  MINIKUBE_WANTUPDATENOTIFICATION: 'false',
  MISE_OFFLINE: '1',
  NODE_OPTIONS: undefined,
  NO_UPDATE_NOTIFIER: '1',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  PERL5OPT: undefined,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  POWERSHELL_TELEMETRY_OPTOUT: '1',
  POWERSHELL_UPDATECHECK: 'Off',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONSTARTUP: undefined,
  RUBYOPT: undefined,
  RUST_BACKTRACE: '0',
  RUSTUP_AUTO_INSTALL: '0',
  SKAFFOLD_UPDATE_CHECK: 'false',
  TF_CLI_ARGS: undefined,
  TF_CLI_CONFIG_FILE: undefined,
};

/** A folder that exists nowhere and where none can be made. */
const nowhereHome: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/proc/self/no-home',
  win32: 'NUL:\\no-home',
};

/** Changes to the environment for one tool's probe, to be laid over the machine's own variables. */
export function probeEnvironment(machine: CapturedMachine, tool: Tool): Record<string, string | undefined> {
  const home = nowhereHome[machine.platform] ?? '/dev/null/no-home';
  const homeless = {
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_STATE_HOME: home,
  };
  return { ...quiet, ...(tool.withoutHome && homeless), ...tool.env };
}
