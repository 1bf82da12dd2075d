// Runs a command once, in its own process group, and keeps its output. Ends it at the time limit and with this program.

import type { ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { endProcessGroup } from '@envsnap/capture/workspace/system/execute-process';
import { spawnCommand } from '../../../plain/spawn-command.js';
import { windowsCommand } from '../../../plain/windows-command.js';
import { CliError } from '../../errors/cli-error.ts';
import type { Invocation } from './bisect-setting.ts';

export interface CommandEnd {
  /** Null if a signal ended it; 127 if the program could not be started, as in a shell. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** The beginning of both streams, for patterns. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Folder for `stdout.txt` and `stderr.txt`; it is created. */
  readonly outputFolder: string;
}

const mostOutputBytes = 4 * 1024 * 1024;
/** How long a child may keep the streams open after the command has ended, in milliseconds. */
const closeGraceMs = 500;
const onWindows = process.platform === 'win32';

/** Runs a command; resolves however it ends. Errors: CliError if it would get other arguments than the user wrote. */
export async function runCommand(invocation: Invocation, options: RunOptions): Promise<CommandEnd> {
  await mkdir(options.outputFolder, { recursive: true, mode: 0o700 });
  const command = onWindows ? commandOnWindows(invocation, options.cwd) : invocation;
  const stdout = new KeptStream(path.join(options.outputFolder, 'stdout.txt'));
  const stderr = new KeptStream(path.join(options.outputFolder, 'stderr.txt'));
  const end = await start({ ...invocation, ...command }, options, stdout, stderr);
  await Promise.all([stdout.end(), stderr.end()]);
  return { ...end, output: `${stdout.text()}\n${stderr.text()}` };
}

function commandOnWindows({ file, args, env }: Invocation, cwd: string) {
  try {
    return windowsCommand(file, args, env, cwd);
  } catch (error) {
    throw new CliError(`${file}: ${(error as RangeError).message}`, { code: 'unsafe_argument' });
  }
}

function start(
  { file, args, env, windowsVerbatimArguments }: Invocation & { readonly windowsVerbatimArguments?: boolean },
  { cwd, timeoutMs }: RunOptions,
  stdout: KeptStream,
  stderr: KeptStream,
): Promise<Omit<CommandEnd, 'output'>> {
  return new Promise((resolve) => {
    let timedOut = false;
    let settled = false;
    const settle = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(grace);
      running.delete(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ exitCode, signal, timedOut });
    };
    let grace: NodeJS.Timeout | undefined;
    const child = spawnCommand(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own group on POSIX, so that everything it starts ends with it.
      detached: !onWindows,
      windowsHide: true,
      windowsVerbatimArguments,
    });
    running.add(child);
    const timer = setTimeout(() => {
      timedOut = true;
      endProcessGroup(child);
    }, timeoutMs);
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', () => {
      if (child.pid === undefined) settle(127, null);
    });
    child.once('exit', (exitCode, signal) => {
      endProcessGroup(child);
      grace = setTimeout(() => settle(exitCode, signal), closeGraceMs);
      child.once('close', () => settle(exitCode, signal));
    });
  });
}

const running = new Set<ChildProcess>();

/** Ends whatever is running; for Ctrl-C and the end of this program. */
export function endRunningCommands(): void {
  for (const child of running) endProcessGroup(child);
}

/** Writes a stream to a file, and keeps its beginning in memory up to a limit. */
class KeptStream {
  readonly #file: WriteStream;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(file: string) {
    this.#file = createWriteStream(file, { mode: 0o600 });
    // If the disk is full, only the output is lost.
    this.#file.on('error', () => undefined);
  }

  push(chunk: Buffer): void {
    const room = mostOutputBytes - this.#bytes;
    if (room <= 0) return;
    const fitting = chunk.subarray(0, room);
    this.#bytes += fitting.length;
    this.#chunks.push(fitting);
    this.#file.write(fitting);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#file.once('close', () => resolve());
      this.#file.end();
    });
  }
}
