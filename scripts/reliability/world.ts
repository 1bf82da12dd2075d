// The parts of checks: folders, a PostgreSQL server, servers of the built program, and requests. Everything is on loopback, and
// everything that was started is stopped by `end`.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

const program = path.resolve(import.meta.dirname, '../../packages/server/bin/envsnap-server.js');

/** Limits that no check meets unless it sets its own. */
const roomy = {
  ENVSNAP_RATE_PER_MINUTE: '2000000000',
  ENVSNAP_RATE_PER_DAY: '2000000000',
  ENVSNAP_MAX_SNAPSHOTS: '2000000000',
  ENVSNAP_MAX_FILES: '2000000000',
  ENVSNAP_MAX_STORAGE_BYTES: '2000000000000',
  ENVSNAP_LOG_LEVEL: 'warn',
};

interface ServerOptions {
  /** Folder of the data; a fresh one by default. */
  readonly dataDir?: string;
  readonly databaseUrl?: string | undefined;
  readonly env?: Record<string, string>;
  /** A program with arguments that starts the server's: `prlimit --as=…`. */
  readonly wrapper?: readonly string[];
  readonly port?: number;
}

/** A server that is listening. */
export type Server = Awaited<ReturnType<World['startServer']>>;

export type World = ReturnType<typeof createWorld>;

/** Makes a world in its own folder. */
export function createWorld() {
  const root = mkdtempSync(path.join(tmpdir(), 'envsnap-reliability-'));
  // PostgreSQL runs as another user when this runs as root, and needs to traverse this folder.
  chmodSync(root, 0o755);
  const masterKey = randomBytes(32).toString('hex');
  const undos: (() => unknown)[] = [() => rmSync(root, { recursive: true, force: true })];
  let postgres: Promise<PostgresServer> | undefined;
  let folders = 0;

  function folder(): string {
    folders += 1;
    const made = path.join(root, String(folders));
    mkdirSync(made, { mode: 0o700 });
    return made;
  }
  function environment(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: root, ENVSNAP_ENCRYPTION_KEY: masterKey, ...roomy, ...env };
  }

  function startedPostgres(): Promise<PostgresServer> {
    postgres ??= (async () => {
      const server = await startPostgres(path.join(root, 'postgres-run'));
      undos.push(() => server.stop());
      return server;
    })();
    return postgres;
  }

  return {
    folder,
    /** The key that all servers and commands of the world use. */
    masterKey,
    postgres: startedPostgres,
    /** Name and new URL of each kind of database; undefined for the embedded one. */
    async databases() {
      return [
        ['SQLite', undefined],
        ['PostgreSQL', await (await startedPostgres()).createDatabase()],
      ] as const;
    },
    /** Starts a server on a free loopback port until the end; returns its URL. */
    async listen(server: HttpServer) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      undos.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async startServer(options: ServerOptions = {}) {
      const { dataDir = folder(), databaseUrl, env = {}, wrapper = [], port = 0 } = options;
      const command = [...wrapper, process.execPath, program, 'start', '--port', String(port)];
      const child = spawn(command[0] as string, command.slice(1), {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: environment({ ENVSNAP_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env }),
      });
      const exited = once(child, 'exit');
      exited.catch(() => undefined);
      undos.push(() => child.kill('SIGKILL'));
      const log: string[] = [];
      child.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
      const url = await new Promise<string>((resolve, reject) => {
        let text = '';
        child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          const [, found] = /listening on (http:\S+)/.exec(text) ?? [];
          if (found) resolve(found);
        });
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${log.join('')}`)));
      });
      return {
        url,
        child,
        pid: child.pid as number,
        dataDir,
        /** Everything on standard error so far. */
        log: () => log.join(''),
        /** Sends a signal and waits for the end; the exit code, or the signal's name. */
        async end(signal: NodeJS.Signals = 'SIGTERM') {
          child.kill(signal);
          const [code, by] = await exited;
          return (code ?? by) as number | string;
        },
      };
    },
    /** Runs a command of the server's program to its end. */
    command(args: readonly string[], env: Record<string, string> = {}) {
      const startedMs = performance.now();
      const child = spawn(process.execPath, [program, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: environment(env),
      });
      undos.push(() => child.kill('SIGKILL'));
      const text = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream].setEncoding('utf8').on('data', (chunk: string) => {
          text[stream] += chunk;
        });
      type Finished = { exitCode: number | null; stdout: string; stderr: string; ms: number };
      return new Promise<Finished>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (exitCode) => resolve({ exitCode, ...text, ms: performance.now() - startedMs }));
      });
    },
    /** Runs a command and kills it after `ms` milliseconds, unless it has ended. */
    async commandUntil(args: readonly string[], env: Record<string, string>, ms: number) {
      const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore', env: environment(env) });
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), ms);
      await ended;
      clearTimeout(timer);
    },
    /** Registers what must be undone at the end. */
    onEnd: (undo: () => unknown) => void undos.push(undo),
    async end() {
      for (const undo of undos.splice(0).reverse()) await undo();
    },
  };
}

/** Resident memory of a process in MiB, from Linux's /proc: now, and the most so far. */
export function memoryOf(pid: number): { nowMiB: number; peakMiB: number } {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { nowMiB: read('VmRSS'), peakMiB: read('VmHWM') };
}
