// The environment in which tools are asked for their version: quiet, offline, in plain English, changing nothing.

import type { CapturedMachine } from '../system/machine.ts';
import type { Tool } from './tool.ts';

/** A port that nothing listens on: what ignores the offline switches fails at once instead of using the network. */
const nowhere = 'http://127.0.0.1:9';

/** `NAME=value` sets a variable, a name alone removes it. */
const quiet = Object.fromEntries(
  `LC_ALL=C LANGUAGE TERM=dumb NO_COLOR=1 FORCE_COLOR CLICOLOR_FORCE PAGER=cat
  http_proxy=${nowhere} https_proxy=${nowhere} HTTP_PROXY=${nowhere} HTTPS_PROXY=${nowhere}
  ALL_PROXY=${nowhere} all_proxy=${nowhere} NO_PROXY no_proxy
  CHECKPOINT_DISABLE=1 COREPACK_ENABLE_AUTO_PIN=0 COREPACK_ENABLE_DOWNLOAD_PROMPT=0 COREPACK_ENABLE_NETWORK=0
  COREPACK_ENABLE_PROJECT_SPEC=0 COREPACK_ENABLE_STRICT=0 DENO_NO_UPDATE_CHECK=1 DOTNET_CLI_TELEMETRY_OPTOUT=1
  DOTNET_GENERATE_ASPNET_CERTIFICATE=false DOTNET_NOLOGO=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1 DO_NOT_TRACK=1
  GH_NO_UPDATE_NOTIFIER=1 GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GOFLAGS GOTOOLCHAIN=local
  HOMEBREW_NO_ANALYTICS=1 HOMEBREW_NO_AUTO_UPDATE=1 HOMEBREW_NO_ENV_HINTS=1
  JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MINIKUBE_WANTUPDATENOTIFICATION=false MISE_OFFLINE=1
  NODE_OPTIONS NO_UPDATE_NOTIFIER=1 NPM_CONFIG_UPDATE_NOTIFIER=false PERL5OPT PIP_DISABLE_PIP_VERSION_CHECK=1
  POWERSHELL_TELEMETRY_OPTOUT=1 POWERSHELL_UPDATECHECK=Off PULUMI_SKIP_UPDATE_CHECK=true
  PYTHONDONTWRITEBYTECODE=1 PYTHONSTARTUP RUBYOPT RUST_BACKTRACE=0 RUSTUP_AUTO_INSTALL=0
  SKAFFOLD_UPDATE_CHECK=false TF_CLI_ARGS TF_CLI_CONFIG_FILE`
    .split(/\s+/)
    .map((each): [string, string | undefined] => {
      const [name = '', value] = each.split('=');
      return [name, value];
    }),
);

/** A folder that exists nowhere and where none can be made. */
const nowhereHome: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/proc/self/no-home',
  win32: 'NUL:\\no-home',
};

/** Changes to the environment for one tool's probe, to be laid over the machine's own variables. */
export function probeEnvironment(machine: CapturedMachine, tool: Tool): Record<string, string | undefined> {
  const home = nowhereHome[machine.platform] ?? '/dev/null/no-home';
  const homes =
    'HOME USERPROFILE APPDATA LOCALAPPDATA XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME';
  const homeless = Object.fromEntries(homes.split(' ').map((name) => [name, home]));
  return { ...quiet, ...(tool.withoutHome && homeless), ...tool.env };
}
