// Runs the two built programs as processes: the CLI with its own home folder, the server over a temporary folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, vi } from 'vitest';
import { readProfiles, writeProfiles } from '../../packages/cli/src/connection/config.ts';
import { runCli } from '../../packages/server/src/cli.ts';
import { ensureBuilt } from '../../scripts/build.ts';
import { childEnvironment } from './child-environment.ts';
import { cleanUpAfterFile, cleanUpAfterTest } from './clean-up.ts';
import { fewTools } from './few-tools.ts';
import { processesEnded } from './processes.ts';
import { endBusyHost, runHosted } from './program-hosts.ts';
import { checkExchange, failOnDeviations, readExchanges } from './traffic/api-document.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** The built programs; `ensureBuilt` builds them. */
export const programs = {
  cli: path.join(root, 'packages/cli/bin/run.js'),
  server: path.join(root, 'packages/server/bin/envsnap-server.js'),
};

/** An executable to run the tests of the command line against, instead of the package. */
const executable = process.env.ENVSNAP_TEST_EXECUTABLE;

export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Variables in addition to the sandbox's; `undefined` removes one. */
  readonly env?: Record<string, string | undefined>;
  /** Content of standard input; empty by default, and never a terminal. */
  readonly stdin?: string | Buffer;
  readonly cwd?: string;
  /** Options of Node.js itself. */
  readonly nodeArgs?: readonly string[];
}

/** A program that is running. */
interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when the output so far matches; rejects if the program ends first. */
  waitFor(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
}

/** A separate home folder and working folder, without the caller's settings, and a `PATH` with few tools. */
export interface Sandbox {
  readonly home: string;
  readonly cwd: string;
  readonly configFile: string;
  readonly env: Record<string, string>;
  /** Runs `envsnap` to its end: in the default run in an existing process, if that makes no difference. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Runs `envsnap … --json` and parses what standard output holds, which must be one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  json(args: readonly string[], options?: RunOptions): Promise<Finished & { document: any }>;
  /** Starts `envsnap` and leaves it running; it is stopped after the test. */
  start(args: readonly string[], options?: RunOptions): Running;
}

/** Makes a sandbox that is removed after the test. With `ownProcess`, each command is a process, as users have it. */
export function createSandbox({ ownProcess = inject('ownProcesses') } = {}): Sandbox {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-cli-'));
  cleanUpAfterTest(async () => {
    // A recording continues after its run.
    await processesEnded(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    // The output of a bisection remains until somebody has read it.
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith('envsnap-bisect-')) rmSync(path.join(tmpdir(), name), { recursive: true });
  });
  return sandboxIn(folder, ownProcess);
}

/** Commands that pass on their streams, or start processes that outlive them. */
const unhostedCommands = new Set(['mcp', 'run']);

/** Whether the command can do without a separate process: options of Node.js, standard streams as files. */
function canBeHosted(args: readonly string[], { env = {}, nodeArgs }: RunOptions): boolean {
  return (
    executable === undefined &&
    nodeArgs === undefined &&
    !unhostedCommands.has(args.find((word) => !word.startsWith('-')) ?? '') &&
    !args.some((word) => word.includes('/dev/')) &&
    !Object.keys(definedIn(env)).some((name) => name.startsWith('NODE_'))
  );
}

function definedIn(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function sandboxIn(folder: string, ownProcess: boolean): Sandbox {
  ensureBuilt();
  const home = path.join(folder, 'home');
  const cwd = path.join(folder, 'work');
  const caches = path.join(home, '.cache/envsnap');
  // Every start in a new home folder would compile the program again.
  const bytecode = path.join(inject('runFolder'), 'bytecode');
  for (const made of [caches, cwd, bytecode]) mkdirSync(made, { recursive: true });
  symlinkSync(bytecode, path.join(caches, 'code'));
  const env = {
    PATH: fewTools(),
    // The same in all sandboxes of a test file.
    TMPDIR: tmpdir(),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    LANG: 'C.UTF-8',
  };
  const start = (args: readonly string[], options: RunOptions = {}): Running =>
    launch(programs.cli, args, { ...options, env: { ...env, ...options.env }, cwd: options.cwd ?? cwd });
  const run = async (args: readonly string[], options: RunOptions = {}): Promise<Finished> => {
    if (!ownProcess && canBeHosted(args, options)) {
      cleanUpAfterTest(endBusyHost);
      const hosted = await runHosted(programs.cli, {
        args,
        env: definedIn({ ...env, ...options.env }),
        cwd: options.cwd ?? cwd,
        stdin: Buffer.from(options.stdin ?? ''),
      });
      if (hosted) {
        const { exitCode, stdout, stderr } = hosted;
        return { exitCode, signal: null, stdout, stderr };
      }
    }
    return start(args, options).finished;
  };
  return {
    home,
    cwd,
    configFile: path.join(home, '.config/envsnap/profiles.json'),
    env,
    run,
    async json(args, options) {
      const finished = await run([...args, '--json'], options);
      return { ...finished, document: JSON.parse(finished.stdout) };
    },
    start(args, options) {
      const running = start(args, options);
      cleanUpAfterTest(() => running.child.kill('SIGKILL'));
      return running;
    },
  };
}

/** Makes a project on a server and saves its owner's key as the sandbox's current profile, as `envsnap init` does. */
export async function createProject(
  sandbox: Sandbox,
  url: string,
  { name = 'shop', profile = 'default' } = {},
): Promise<{ projectId: string; apiKeyId: string; apiKey: string }> {
  const response = await fetch(`${url}/machine/keys/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectName: name }),
  });
  if (response.status !== 201) throw new Error(`bootstrap failed: ${await response.text()}`);
  const made = await response.json();
  const { byName } = await readProfiles(sandbox.env);
  const { apiKey, projectId } = made;
  const saved = { baseUrl: url, apiKey, projectId, projectName: name };
  await writeProfiles({ current: profile, byName: new Map([...byName, [profile, saved]]) }, sandbox.env);
  return made;
}

function launch(program: string, args: readonly string[], options: RunOptions): Running {
  const [file, first] =
    executable && program === programs.cli && options.nodeArgs === undefined
      ? [executable, []]
      : [process.execPath, [...(options.nodeArgs ?? []), program]];
  const child = spawn(file, [...first, ...args], {
    cwd: options.cwd,
    env: definedIn(options.env ?? {}),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  let ended = false;
  const watchers = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
      for (const watch of watchers) watch();
    });
  // A program that does not read its input ends without it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      ended = true;
      for (const watch of watchers) watch();
      resolve({ exitCode, signal, ...text });
    });
  });
  return {
    child,
    finished,
    waitFor: (stream, pattern) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          const match = pattern.exec(text[stream]);
          if (match) resolve(match);
          else if (ended) reject(new Error(`ended before ${pattern} came:\n${text.stdout}\n${text.stderr}`));
          else return;
          watchers.delete(watch);
        };
        watchers.add(watch);
        watch();
      }),
  };
}

/** A server process that is running. */
export interface ServerProcess {
  readonly url: string;
  readonly folder: string;
  readonly running: Running;
  /** Method and path of every request that was answered so far. */
  readonly answered: () => { readonly method: string; readonly path: string }[];
}

/** Starts the server on a free port over a throwaway folder; it is stopped after all tests of the file. */
export async function startServerProcess(env: Record<string, string> = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-server-'));
  cleanUpAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  return startServerIn(folder, env);
}

/** Starts the server over the folder `data` in `folder`, which stays; it is stopped after all tests of the file. */
export async function startServerIn(
  folder: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  ensureBuilt();
  const roomy = { ENVSNAP_RATE_PER_MINUTE: '100000', ENVSNAP_RATE_PER_DAY: '1000000' };
  const notes = mkdtempSync(path.join(tmpdir(), 'envsnap-traffic-'));
  const traffic = path.join(notes, 'exchanges.jsonl');
  const running = launch(programs.server, ['start', '--port', '0', '--data-dir', path.join(folder, 'data')], {
    env: { ...childEnvironment, HOME: folder, ...roomy, ...env, ENVSNAP_TEST_TRAFFIC: traffic },
    cwd: folder,
    nodeArgs: ['--import', pathToFileURL(path.join(import.meta.dirname, 'traffic/watch-process.ts')).href],
  });
  cleanUpAfterFile(async () => {
    running.child.kill('SIGTERM');
    await running.finished;
    const deviations = readExchanges(traffic).flatMap(checkExchange);
    rmSync(notes, { recursive: true, force: true });
    failOnDeviations(deviations);
  });
  const [, url = ''] = await running.waitFor('stdout', /listening on (http:\S+)/);
  const answered = () =>
    readExchanges(traffic).map(({ method, target }) => ({ method, path: target.split('?', 1)[0] ?? '' }));
  return { url, folder, running, answered };
}

/** Runs one of the server's commands to its end. */
export async function runServerCommand(
  args: readonly string[],
  { env = {}, cwd = tmpdir() }: { env?: Record<string, string | undefined>; cwd?: string } = {},
): Promise<Finished> {
  return launchServerCommand(args, env, cwd).finished;
}

let lastCommand: Promise<unknown> = Promise.resolve();

/**
 * The same in this process, one command after the other: a start of the program costs a hundred times what most of them do.
 * `test/server/operator/commands.test.ts` runs processes.
 */
export function runServerCommandHere(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Finished> {
  const finished = lastCommand.then(async () => {
    const text = { stdout: '', stderr: '' };
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
        text[stream] += String(chunk);
        return true;
      }),
    );
    const own = process.env;
    process.env = { ...childEnvironment, ...env };
    const [exits, errors] = [process.listeners('exit'), process.stderr.listeners('error')];
    try {
      await runCli(['node', 'envsnap-server', ...args]);
      return { exitCode: Number(process.exitCode ?? 0), signal: null, ...text };
    } finally {
      process.exitCode = undefined;
      process.env = own;
      for (const spy of spies) spy.mockRestore();
      // Those of the log, which otherwise end with the process.
      for (const added of process.listeners('exit')) if (!exits.includes(added)) process.off('exit', added);
      for (const added of process.stderr.listeners('error'))
        if (!errors.includes(added)) process.stderr.off('error', added as () => void);
    }
  });
  lastCommand = finished.catch(() => undefined);
  return finished;
}

/** Starts one of the server's commands and leaves it running; it is stopped after the test. */
export function startServerCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Running {
  const running = launchServerCommand(args, env, tmpdir());
  cleanUpAfterTest(async () => {
    running.child.kill('SIGKILL');
    await running.finished;
  });
  return running;
}

function launchServerCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  cwd: string,
): Running {
  ensureBuilt();
  return launch(programs.server, args, { env: { ...childEnvironment, ...env }, cwd });
}
