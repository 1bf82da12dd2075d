// Runs one program without a shell, within limits of time and output, and ends its whole process group.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { monotonicMs } from './monotonic.ts';
import { type GroupActivity, groupActivity, killMarked } from './process-activity.ts';
import type { ExecuteOptions, ExecuteResult } from './system.ts';

const defaultTimeoutMs = 3000;
const defaultMaxOutputBytes = 65_536;
/** How long a pipe may stay open after the program ended, because a child still holds it open. */
const pipeGraceMs = 100;
/** Turns of the event loop without output after which a pipe counts as read to its end. */
const quietTurns = 3;
/** Time between two checks of a program that is past its limit. */
const lookAgainMs = 150;
/** A working program may use this many times its limit of processor time, and wait this many times its limit. */
const cpuFactor = 2;
const wallFactor = 10;
/** If the system does not show whether a program works or sleeps, it gets this many times its limit. */
const blindFactor = 3;

const onWindows = process.platform === 'win32';

/** The variable that marks a run's processes. It must not look like a setting of envsnap, which no program gets. */
export const markName = 'PROBE_MARK';
let started = 0;

/**
 * Runs `file` (an absolute path: nothing is looked up) and resolves however it ends; it never rejects. `env` is the environment
 * that the options change. The limit applies to silence: a program that sleeps past it is killed; one that works or waits for a
 * busy machine has more time, up to twice the limit of processor time and ten times the limit in all. Standard input is empty.
 * The program leads its own process group, which is killed at the limit and swept at the end, so that nothing it started stays
 * behind. On Linux, a process that created its own session is killed too if the program did not end normally, or a child still
 * held its output; a variable marks its children.
 */
export function executeProcess(
  file: string,
  args: readonly string[],
  options: ExecuteOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ExecuteResult> {
  const startedMs = monotonicMs();
  const maxOutputBytes = options.maxOutputBytes ?? defaultMaxOutputBytes;
  return new Promise((resolve) => {
    const stdout = outputBuffer(maxOutputBytes);
    const stderr = outputBuffer(maxOutputBytes);
    let outcome: ExecuteResult['outcome'] = 'exited';
    let exitCode: number | null = null;
    let settled = false;
    let ended = false;
    let child: ChildProcess;
    let timer: NodeJS.Timeout | undefined;
    let graceTimer: NodeJS.Timeout | undefined;
    started += 1;
    const mark = `${process.pid}.${started}.${Math.trunc(startedMs)}`;
    const sweep = () => killMarked(`${markName}=${mark}`);
    try {
      child = spawn(file, args, {
        cwd: options.cwd ?? neutralFolder(),
        env: { ...(options.environment ?? env), ...options.env, [markName]: mark },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A separate group on POSIX; on Windows this would open a console window instead.
        detached: !onWindows,
        windowsHide: true,
      });
    } catch {
      outcome = 'failed-to-start';
      finish();
      return;
    }
    track(child);
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    let before: GroupActivity | undefined;
    timer = setTimeout(look, timeoutMs);
    let outputEvents = 0;
    const keep = (buffer: typeof stdout) => (chunk: Buffer) => {
      outputEvents += 1;
      if (!buffer.push(chunk)) stop('overflow');
    };
    child.stdout?.on('data', keep(stdout));
    child.stderr?.on('data', keep(stderr));
    child.once('error', () => {
      if (child.pid === undefined) outcome = 'failed-to-start';
      finish();
    });
    child.once('exit', (code) => {
      ended = true;
      exitCode = code;
      endProcessGroup(child);
      graceTimer = setTimeout(drain, pipeGraceMs);
    });
    child.once('close', finish);

    /** Past the limit: is the program stuck, or is the machine too busy to run it? */
    function look(): void {
      // One more turn of the event loop: a process that ended while this one was busy is not late.
      setImmediate(() => {
        if (settled || ended) return;
        const elapsedMs = monotonicMs() - startedMs;
        const now = child.pid === undefined || onWindows ? undefined : groupActivity(child.pid);
        const works = now !== undefined && (now.awake || (before !== undefined && now.cpuMs > before.cpuMs));
        const goesOn = now
          ? (works || before === undefined) &&
            now.cpuMs < cpuFactor * timeoutMs &&
            elapsedMs < wallFactor * timeoutMs
          : elapsedMs < blindFactor * timeoutMs;
        if (!goesOn) {
          stop('timeout');
          return;
        }
        before = now;
        timer = setTimeout(look, lookAgainMs);
      });
    }

    /**
     * The program has ended, and the pipe is still open: its output is still in the pipe, and is read before the program counts
     * as ended. A timer alone could fire before the pipe is read if this process was busy.
     */
    function drain(): void {
      let quiet = 0;
      let seen = outputEvents;
      const turn = (): void => {
        if (settled) return;
        quiet = outputEvents === seen ? quiet + 1 : 0;
        seen = outputEvents;
        if (quiet >= quietTurns) {
          sweep();
          finish();
        } else setImmediate(turn);
      };
      setImmediate(turn);
    }

    function stop(reason: 'timeout' | 'overflow'): void {
      if (outcome !== 'exited' || settled || ended) return;
      outcome = reason;
      endProcessGroup(child);
      sweep();
      graceTimer ??= setTimeout(drain, pipeGraceMs);
    }

    function finish(): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(graceTimer);
      if (child) {
        untrack(child);
        child.stdout?.destroy();
        child.stderr?.destroy();
        child.unref();
      }
      resolve({
        outcome,
        exitCode: outcome === 'exited' ? exitCode : null,
        stdout: stdout.text(),
        stderr: stderr.text(),
        durationMs: monotonicMs() - startedMs,
      });
    }
  });
}

/** Keeps at most `limit` bytes; `push` is false when the limit was passed. */
function outputBuffer(limit: number) {
  const chunks: Buffer[] = [];
  let room = limit;
  return {
    push(chunk: Buffer): boolean {
      const fits = chunk.length <= room;
      // An empty view would keep the whole chunk.
      if (room > 0) chunks.push(chunk.subarray(0, room));
      room -= Math.min(chunk.length, room);
      return fits;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

/** Folders in which a program finds no project and cannot write a file; the first that exists is used. */
const neutralFolders = onWindows ? [process.env.SystemRoot ?? 'C:\\'] : ['/var/empty', '/proc/sys', '/'];
let chosenNeutralFolder: string | undefined;

function neutralFolder(): string {
  chosenNeutralFolder ??= neutralFolders.find((folder) => existsSync(folder)) ?? '/';
  return chosenNeutralFolder;
}

/** Kills a program and everything that it started: its process group, or on Windows its tree while the root still runs. */
export function endProcessGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (onWindows) {
    // The tree must be named before its root is gone; this process does not wait for taskkill.
    const taskkill = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
    if (child.exitCode === null && child.signalCode === null) {
      spawn(taskkill, ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
        .on('error', () => child.kill('SIGKILL'))
        .unref();
    }
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: the group has no members left. EPERM: a member changed its user; nothing more can be done.
  }
}

const running = new Set<ChildProcess>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Called when a program starts and when it has ended. */
type ProgramWatcher = (pid: number, runs: boolean) => void;
let watcher: ProgramWatcher | undefined;

/** Reports running programs, because a terminated thread cannot end its programs itself. */
export function watchPrograms(watch: ProgramWatcher): void {
  watcher = watch;
}

/** A separate group does not get the terminal's Ctrl-C, so the groups are ended when this process ends. */
function track(child: ChildProcess): void {
  if (running.size === 0) {
    process.on('exit', killRunning);
    for (const signal of signals) process.on(signal, endWithSignal);
  }
  running.add(child);
  if (child.pid !== undefined) watcher?.(child.pid, true);
}

function untrack(child: ChildProcess): void {
  if (!running.delete(child)) return;
  if (child.pid !== undefined) watcher?.(child.pid, false);
  if (running.size > 0) return;
  process.off('exit', killRunning);
  for (const signal of signals) process.off(signal, endWithSignal);
}

function killRunning(): void {
  for (const child of running) endProcessGroup(child);
}

function endWithSignal(signal: NodeJS.Signals): void {
  killRunning();
  for (const each of signals) process.off(each, endWithSignal);
  // If nothing else handles the signal, it ends this process as it would have without the listener.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
