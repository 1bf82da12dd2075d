// Captures this machine as seen by another process, a person's shell, a systemd unit, or a container.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { CaptureRequest, CaptureResult } from '@envsnap/capture';
import { shellWord } from '@envsnap/shared/text/visible';
import { captureMachine } from '../actions/capture-machine.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { textOfFile } from '../runs/find-program.ts';
import { captureRefusal } from '../threads/capture-jobs.ts';

export type ProcessReference =
  | { readonly kind: 'pid'; readonly pid: number }
  | { readonly kind: 'shell'; readonly shell: ShellKind }
  | { readonly kind: 'unit' | 'container'; readonly name: string };

/** Reads `pid:4711`, `shell:login`, `shell:interactive`, `unit:NAME`, `container:ID`; undefined for anything else. */
export function parseProcessReference(text: string): ProcessReference | undefined {
  const match = /^(pid|shell|unit|container):(.+)$/s.exec(text);
  if (!match) return undefined;
  const [, kind, name = ''] = match;
  if (kind === 'pid' && /^[1-9]\d{0,9}$/.test(name)) return { kind, pid: Number(name) };
  if (kind === 'shell' && (name === 'login' || name === 'interactive')) return { kind, shell: name };
  if (kind === 'unit' || kind === 'container') return { kind, name };
  throw new CliError(`"${text}" does not name a process`, {
    code: 'invalid_reference',
    hint: 'pid:4711, shell:login, shell:interactive, unit:NAME or container:ID.',
  });
}

/**
 * Captures it. The folder is that of the process unless the request names one. Exit code 4 if there is none, 7 if it is another
 * account's.
 */
export async function captureProcess(
  reference: ProcessReference,
  request: Omit<CaptureRequest, 'cacheDir' | 'toolVersion' | 'programId'> & { readonly workspace?: string },
  folder: string | undefined,
): Promise<CaptureResult> {
  const { ProcessViewError, viewProcess } = await import('@envsnap/capture/workspace/system/process-view');
  if (reference.kind === 'shell') {
    const dir = folder ?? '.';
    const env = await shellEnvironment(reference.shell, dir);
    return captureMachine({ ...request, dir, ofProcess: true }, { kind: 'variables', env });
  }
  try {
    const pid =
      reference.kind === 'pid'
        ? reference.pid
        : reference.kind === 'unit'
          ? processOfUnit(reference.name)
          : processOfContainer(reference.name);
    // Looked up here too, so that a missing process is distinguished from a missing folder.
    const view = viewProcess(pid);
    if (folder === undefined && !view.isFolderThere)
      throw new CliError(`the folder of process ${pid} was deleted: ${view.folder}`, {
        code: 'folder_not_found',
        exitCode: exitCodes.notFound,
        hint: '--dir FOLDER names another.',
      });
    const dir = folder ?? view.folder;
    return await captureMachine({ ...request, dir, ofProcess: true }, { kind: 'process', pid });
  } catch (error) {
    if (!(error instanceof ProcessViewError)) throw error;
    throw captureRefusal(error.message, error.code, error);
  }
}

/** The main process of a unit: `nginx`, `nginx.service`. Exit code 4 if it is not running. */
function processOfUnit(name: string): number {
  const unit = /\.[a-z]+$/.test(name) ? name : `${name}.service`;
  return firstProcess(`unit ${unit}`, (group) => group.split('/').includes(unit));
}

/** The first process of a container, by its id or at least 12 characters of it. Exit code 4 if it is not running. */
function processOfContainer(id: string): number {
  if (!/^[0-9a-f]{12,64}$/.test(id)) {
    throw new CliError(`"${id}" is not the id of a container`, {
      code: 'invalid_reference',
      hint: 'docker ps --no-trunc shows ids; give at least the first 12 characters.',
    });
  }
  return firstProcess(`container ${id}`, (group) =>
    group.split('/').some((part) => (/[0-9a-f]{64}/.exec(part)?.[0] ?? part).startsWith(id)),
  );
}

/** The first process of a control group: the one whose parent is not in the group. */
function firstProcess(what: string, isMeant: (group: string) => boolean): number {
  if (process.platform !== 'linux') {
    throw new CliError(`${what}: processes can be read only on Linux, where /proc shows them`, {
      code: 'no_proc',
      exitCode: exitCodes.failed,
    });
  }
  const members = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) =>
      isMeant(
        textOfFile(`/proc/${pid}/cgroup`)
          .replace(/^\d+:[^:]*:/gm, '')
          .trim()
          .split('\n')[0] ?? '',
      ),
    );
  const inside = new Set(members);
  const first = members.find(
    (pid) => !inside.has(Number(/^PPid:\s*(\d+)/m.exec(textOfFile(`/proc/${pid}/status`))?.[1] ?? 0)),
  );
  if (first !== undefined) return first;
  throw new CliError(`no process of ${what} runs here: start it, or check its name`, {
    code: 'process_not_found',
    exitCode: exitCodes.notFound,
  });
}

/** A shell that works, or waits for a busy machine, has longer. */
const timeoutMs = 10_000;
const maxOutputBytes = 4 * 1024 * 1024;
const reasons = {
  'failed-to-start': 'cannot be started',
  timeout: `did not respond within ${timeoutMs / 1000} s`,
  overflow: 'prints too much',
};

/** `login` reads what a login reads (`.profile`, `.zprofile`), `interactive` what a new window reads (`.bashrc`, `.zshrc`). */
type ShellKind = 'login' | 'interactive';

/** Starts the shell of the account and returns its variables. Exit code 7 if it takes too long. */
async function shellEnvironment(kind: ShellKind, folder: string): Promise<Record<string, string>> {
  // On Windows a new terminal gets the variables of the settings, whatever its shell is.
  if (process.platform === 'win32') return windowsEnvironment();
  const { username, homedir, shell } = userInfo();
  const program = shell || process.env.SHELL;
  if (!program) throw failed('this account has no shell');
  const [begin, end] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const script = `printf %s ${begin}; /usr/bin/env -0; printf %s ${end}`;
  const flag = kind === 'login' ? '-l' : '-i';
  const hint = `${shellWord(program)} ${flag} -c env shows why.`;
  const environment = {
    HOME: homedir,
    USER: username,
    LOGNAME: username,
    SHELL: program,
    TERM: process.env.TERM ?? 'dumb',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  };
  const { executeProcess, markName } = await import('@envsnap/capture/workspace/system/execute-process');
  const options = { cwd: folder, environment, timeoutMs, maxOutputBytes };
  const { outcome, stdout: text } = await executeProcess(program, [flag, '-c', script], options, {});
  if (outcome !== 'exited') throw failed(`${program} ${reasons[outcome]}`, hint);
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0)
    throw failed(`${program} ended, or became another program, before it printed its variables`, hint);
  const { parseVariables } = await import('@envsnap/capture/workspace/system/process-view');
  const { [markName]: _, ...variables } = parseVariables(text.slice(from + begin.length, to));
  return variables;
}

function failed(reason: string, hint?: string): CliError {
  return new CliError(`the environment of the shell is unknown: ${reason}`, {
    code: 'shell_failed',
    exitCode: exitCodes.failed,
    ...(hint !== undefined && { hint }),
  });
}

/** Where Windows keeps variables: the machine's, the session's, the account's. Later ones win, but for folders of PATH. */
const keys = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  'HKCU\\Volatile Environment',
  'HKCU\\Environment',
];
/** Variables that Windows adds to every session. */
const ofSystem =
  /^(?:ALLUSERSPROFILE|COMPUTERNAME|CommonProgram(?:Files|W6432).*|Program(?:Data|Files.*|W6432)|PUBLIC|System(?:Drive|Root))$/i;

type Variables = Readonly<Record<string, string | undefined>>;

/** Asks the registry. `env` has the variables that Windows adds. Exit code 7 if the registry cannot be read. */
function windowsEnvironment(env: Variables = process.env): Record<string, string> {
  const reg = `${env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const lists = keys.map((key) => {
    const { status, stdout } = spawnSync(reg, ['query', key], {
      encoding: 'utf8',
      timeout: 5000,
      windowsHide: true,
    });
    return status === 0 ? stdout : '';
  });
  if (lists[0] === '') {
    throw new CliError('the environment of a new terminal is unknown: the registry cannot be read', {
      code: 'shell_failed',
      exitCode: exitCodes.failed,
    });
  }
  return newTerminal(lists, env);
}

/** Combines the lists that `reg query` prints for the machine, the session and the account. */
export function newTerminal(lists: readonly string[], env: Variables): Record<string, string> {
  const made = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && ofSystem.test(name)) made.set(name.toUpperCase(), [name, value]);
  for (const list of lists) {
    // A variable that refers to another one comes after it.
    const entries = [...list.matchAll(/^ {4}(\S.*?) {4}REG_(EXPAND_)?SZ(?: {4}(.*?))?\r?$/gm)]
      .map(([, name = '', expands, data = '']) => ({ name, expands: expands !== undefined, data }))
      .sort((a, b) => Number(a.expands) - Number(b.expands));
    for (const { name, expands, data } of entries) {
      const value = expands
        ? data.replace(/%([^%]+)%/g, (whole, name: string) => made.get(name.toUpperCase())?.[1] ?? whole)
        : data;
      const key = name.toUpperCase();
      const before = made.get(key);
      const joined = key === 'PATH' && before ? `${before[1].replace(/;$/, '')};${value}` : value;
      made.set(key, [before?.[0] ?? name, joined]);
    }
  }
  return Object.fromEntries(made.values());
}
