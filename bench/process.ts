// Processes that benchmarks start and measure.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Listening {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server and waits for the line with its address. */
export function startListening(args: string[], env: Record<string, string> = {}): Promise<Listening> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const url = /http:\/\/\S+/.exec(text)?.[0];
      if (!url) return;
      // The server's log is dropped from now on, because keeping it would cost more than generating the load.
      child.stdout?.off('data', read).resume();
      resolve({ url, child, stop });
    };
    child.stdout?.on('data', read);
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with exit code ${code}`)));
  });
}

/** Milliseconds of a clock tick in `/proc`, on every Linux that Node.js runs on. */
const tickMs = 10;

/** User and system time that a running process has taken so far, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
  // The name of the program, in brackets, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

export interface ProcessCost {
  readonly wallMs: number;
  /** User and system time of the process and of those it waited for, in milliseconds. */
  readonly cpuMs: number;
}

/** Runs a program to its end and returns what it cost. Its output is dropped. */
export function measureProcess(
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<ProcessCost> {
  // The shell's `time` counts the CPU time of a process and of its children, which Node.js does not report for a child.
  const started = spawn(
    '/usr/bin/env',
    ['bash', '-c', 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>&1', process.execPath, ...args],
    { stdio: ['ignore', 'ignore', 'pipe'], cwd: options.cwd, env: { ...process.env, ...options.env } },
  );
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    let text = '';
    started.stderr?.on('data', (chunk) => {
      text += chunk;
    });
    started.once('error', reject);
    started.once('close', () => {
      const [user = Number.NaN, system = Number.NaN] = text.trim().split(/\s+/).slice(-2).map(Number);
      resolve({ wallMs: performance.now() - startedMs, cpuMs: (user + system) * 1000 });
    });
  });
}

/** Runs a program to its end and returns its wall time and the peak of its resident memory. */
export function measureMemory(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ wallMs: number; peakMiB: number }> {
  const atExit =
    "process.on('exit',()=>require('node:fs').writeSync(3,String(process.resourceUsage().maxRSS)))";
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('file:///');${encodeURIComponent(atExit)}`,
      ...args,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], env: { ...process.env, ...env } },
  );
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdio[3]?.on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve({ wallMs: performance.now() - startedMs, peakMiB: Number(text) / 1024 });
      else reject(new Error(`${args[0]} ended with exit code ${code}`));
    });
  });
}
