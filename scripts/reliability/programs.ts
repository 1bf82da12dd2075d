// Programs of the system that checks run beside the server, on loopback ports, until the world ends.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** A user to run as; what refuses to run as root needs one. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramOptions {
  /** The user who runs it and owns its folder; undefined for the user who runs the checks. */
  readonly user?: User | undefined;
  readonly env?: Record<string, string>;
  /** Port that it listens on when it is ready. */
  readonly port: number;
}

/** A folder that every user may traverse, and that belongs to `user`. */
export function folderOf(world: World, user: User | undefined): string {
  const folder = world.folder();
  chmodSync(folder, 0o755);
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** The user for programs that must not run as root: `postgres`, as PostgreSQL itself here; undefined unless we are root. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const read = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

/** The first of the programs that is not installed. */
export function findMissing(...programs: readonly string[]): string | undefined {
  return programs.find((program) => spawnSync('which', [program]).status !== 0);
}

/** Starts a program and waits until it listens. Errors: with its output when it ends or does not listen within 30 s. */
export async function startProgram(
  world: World,
  [program, ...args]: readonly [string, ...string[]],
  { user, env = {}, port }: ProgramOptions,
): Promise<ChildProcess> {
  const logFile = path.join(world.folder(), `${path.basename(program)}.log`);
  const log = createWriteStream(logFile);
  await once(log, 'open');
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, ...env },
    ...user,
  });
  child.on('error', () => undefined);
  world.onEnd(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(killing);
  });
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isOpen(port)) return child;
    if (child.exitCode !== null) break;
    await sleep(50);
  }
  const text = existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-2000) : '';
  throw new Error(`${program} does not listen: ${text}`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
    socket.setTimeout(1000, () => answer(false));
  });
}
