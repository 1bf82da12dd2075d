// Finds one tool's version: in files, in the cache, or by running the tool.

import type { VersionSource } from '../capture-types.ts';
import type { LocatedTool } from '../shims/resolve-shim.ts';
import type { FileCache } from '../system/file-cache.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { ExecuteResult } from '../system/system.ts';
import type { CaptureWarning } from '../warning.ts';
import { versionFromDpkg } from './debian-record.ts';
import type { ExecutableKind } from './executable-kind.ts';
import { type Tool, versionIn } from './tool.ts';

export interface ProbeContext {
  readonly machine: CapturedMachine;
  readonly folder: string;
  /** Versions that executables showed in an earlier capture. */
  readonly cache: FileCache;
  /** The kind of program at a real path, which decides whether it can be started and its version remembered. */
  executableKind(realPath: string): Promise<ExecutableKind>;
}

/** `processMs`: how long the tool ran, if it was started. */
type ProbeAnswer =
  | {
      readonly kind: 'version';
      readonly version: string;
      readonly source: VersionSource;
      readonly processMs?: number;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly warning?: CaptureWarning;
      readonly processMs?: number;
    }
  /** Another program with the tool's name. */
  | { readonly kind: 'other'; readonly reason: string; readonly processMs?: number };

/** How long a tool may print nothing, in milliseconds. */
const timeoutMs = 3000;
/** Longest text that is accepted as a version. */
const believableVersion = /^\d[\w.+~-]{0,63}$/;

/** Never rejects: a failure is a result with a warning. */
export async function probeTool(
  context: ProbeContext,
  tool: Tool,
  name: string,
  located: Extract<LocatedTool, { kind: 'found' }>,
): Promise<ProbeAnswer> {
  const { machine, folder, cache } = context;
  const { path, realPath } = located;
  const fromFiles = await tool.files?.({ machine, path, realPath, folder });
  if (fromFiles && believableVersion.test(fromFiles))
    return { kind: 'version', version: fromFiles, source: 'file' };
  if (tool.filesOnly)
    return { kind: 'unknown', reason: 'its files do not show the version, and it is never started' };
  if (located.forbidden !== undefined) return { kind: 'unknown', reason: located.forbidden };
  const executable = await context.executableKind(realPath);
  if (executable.kind === 'unstartable') return { kind: 'unknown', reason: executable.reason };
  if (tool.compiled && executable.isScript)
    return {
      kind: 'other',
      reason: `it is a script with the name of ${tool.name}, which is a compiled program`,
    };
  const learn = async (): Promise<ProbeAnswer> => {
    const recorded = await versionFromRecords(machine, tool, realPath);
    if (recorded) return { kind: 'version', version: recorded, source: 'file' };
    return ask(machine, tool, executable.command ?? [path]);
  };
  if (!executable.cacheable) return learn();
  let learned: Promise<ProbeAnswer> | undefined;
  const read = async () => {
    learned = learn();
    const answer = await learned;
    return answer.kind === 'version' ? answer.version : undefined;
  };
  const status = await machine.files.status(realPath);
  const version = await cache.of(`${tool.name} as ${name}`, realPath, read, status);
  return learned ?? { kind: 'version', version: version as string, source: 'cache' };
}

async function versionFromRecords(
  machine: CapturedMachine,
  { debianPackage }: Tool,
  realPath: string,
): Promise<string | undefined> {
  const name = typeof debianPackage === 'function' ? debianPackage(realPath) : debianPackage;
  return name === undefined ? undefined : versionFromDpkg(machine, name, realPath);
}

/** A tool that printed nothing or could not be started is started once more, because this happens on busy machines. */
async function ask(machine: CapturedMachine, tool: Tool, command: readonly string[]): Promise<ProbeAnswer> {
  const first = await start(machine, tool, command);
  const result = isSilent(first) ? await start(machine, tool, command) : first;
  return { ...judge(tool, result), processMs: result.durationMs };
}

function isSilent({ outcome, stdout, stderr }: ExecuteResult): boolean {
  return outcome === 'failed-to-start' || (outcome === 'exited' && stdout.trim() + stderr.trim() === '');
}

function start(machine: CapturedMachine, tool: Tool, command: readonly string[]): Promise<ExecuteResult> {
  const [file = '', ...leading] = command;
  return machine.execute(file, [...leading, ...(tool.args ?? ['--version'])], {
    timeoutMs,
    env: probeEnvironment(machine, tool),
    weight: tool.heavy ? 'heavy' : 'light',
  });
}

function judge(tool: Tool, result: ExecuteResult): ProbeAnswer {
  if (result.outcome !== 'exited') {
    const problem = {
      timeout: `did not respond within ${timeoutMs / 1000} s and was stopped`,
      overflow: 'printed too much and was stopped',
      'failed-to-start': 'could not be started',
    }[result.outcome];
    return failure(tool, `probe_${result.outcome.replaceAll('-', '_')}`, problem);
  }
  const version = versionIn(result.stdout, tool.pattern) ?? versionIn(result.stderr, tool.pattern);
  // Some tools print their version and report another problem with their exit code.
  const hasAnswered = result.exitCode === 0 || versionIn(result.stdout, tool.pattern) !== undefined;
  if (version && believableVersion.test(version) && hasAnswered)
    return { kind: 'version', version, source: 'process' };
  if (result.exitCode === 0)
    return failure(tool, 'probe_unreadable', 'printed nothing that looks like its version');
  const how = result.exitCode === null ? 'crashed' : `ended with exit code ${result.exitCode}`;
  return failure(tool, 'probe_failed', `${how} when asked for its version`);
}

function failure(tool: Tool, code: string, what: string): ProbeAnswer {
  const message = `${tool.name} ${what}; its version is missing from the snapshot.`;
  return { kind: 'unknown', reason: what, warning: { code, message } };
}

/** A port on which nothing listens: tools that ignore the offline switches fail at once instead of using the network. */
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

/** The variables that one tool's probe adds to or removes from the machine's. */
function probeEnvironment(machine: CapturedMachine, tool: Tool): Record<string, string | undefined> {
  const home = nowhereHome[machine.platform] ?? '/dev/null/no-home';
  const homes =
    'HOME USERPROFILE APPDATA LOCALAPPDATA XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME';
  const homeless = Object.fromEntries(homes.split(' ').map((name) => [name, home]));
  return { ...quiet, ...(tool.withoutHome && homeless), ...tool.env };
}
