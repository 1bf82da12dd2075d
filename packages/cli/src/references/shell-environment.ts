// The environment that a person's own shell makes, as a new login or a new window has it: the shell is started, and nothing but
// NAME=value between two random marks is taken from what it prints.

import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { shellWord } from '@envsnap/shared/text/visible';
import { spawnCommand } from '../../bin/spawn-command.js';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** Longest time that the files of a shell may take, in milliseconds. */
const mostMs = 10_000;
/** Most bytes that it may print. */
const mostBytes = 4 * 1024 * 1024;

/** `login` reads what a login reads (`.profile`, `.zprofile`), `interactive` what a new window reads (`.bashrc`, `.zshrc`). */
export type ShellKind = 'login' | 'interactive';

/** Starts the shell of the account and answers its variables. Exit code 7 where it does not answer in time. */
export async function shellEnvironment(kind: ShellKind, folder: string): Promise<Record<string, string>> {
  // On Windows a new terminal gets what the settings say, whatever shell runs in it.
  if (process.platform === 'win32') return (await import('./windows-environment.ts')).windowsEnvironment();
  const { username, homedir, shell } = userInfo();
  const program = shell || process.env.SHELL;
  if (!program) throw failed('this account has no shell');
  const [begin, end] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const script = `printf %s ${begin}; /usr/bin/env -0; printf %s ${end}`;
  const flag = kind === 'login' ? '-l' : '-i';
  const hint = `${shellWord(program)} ${flag} -c env shows why.`;
  const text = await outputOf(program, [flag, '-c', script], hint, folder, {
    HOME: homedir,
    USER: username,
    LOGNAME: username,
    SHELL: program,
    TERM: process.env.TERM ?? 'dumb',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  });
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0)
    throw failed(`${program} ended, or became another program, before it printed its variables`, hint);
  const { parseVariables } = await import('@envsnap/capture/workspace/system/process-view');
  return parseVariables(text.slice(from + begin.length, to));
}

function outputOf(
  program: string,
  args: readonly string[],
  hint: string,
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawnCommand(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (reason: string) => {
      clearTimeout(timer);
      try {
        // Its startup files may have started others.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
      reject(failed(`${program} ${reason}`, hint));
    };
    const timer = setTimeout(() => stop(`did not answer within ${mostMs / 1000} s`), mostMs);
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > mostBytes) stop('prints too much');
    });
    child.once('error', () => stop('cannot be started'));
    child.once('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

function failed(reason: string, hint?: string): CliError {
  return new CliError(`the environment of the shell is unknown: ${reason}`, {
    code: 'shell_failed',
    exitCode: exitCodes.failed,
    ...(hint !== undefined && { hint }),
  });
}
