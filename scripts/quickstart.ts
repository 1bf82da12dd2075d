// The main job on this machine, start to end: a server in a throwaway folder, two captures of this checkout with another time
// zone, in which a test of dates fails, and their comparison, which says so. Asks nothing, leaves nothing running, changes nothing outside the checkout.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');
const programs = {
  cli: path.join(root, 'packages/cli/bin/run.js'),
  server: path.join(root, 'packages/server/bin/envsnap-server.js'),
};
/** Milliseconds that the server may take to start; a slow or busy machine is not a failure. */
const startTimeoutMs = 120_000;
/** Milliseconds after which the wait for the server is reported. */
const patienceMs = 5_000;
/** Milliseconds that a program may take to end before it is killed. */
const stopTimeoutMs = 15_000;

/** What this script started and has not seen end. */
const children = new Set<ChildProcess>();

function track(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * The environment without anything that would lead the programs to another server, profile or folder. What the package
 * runner set stays: by it a capture knows which folders the runner put in front of PATH.
 */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(ENVSNAP_|DATABASE_URL|XDG_)/.test(name));
  return {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    XDG_DATA_HOME: path.join(folder, 'share'),
    XDG_STATE_HOME: path.join(folder, 'state'),
  };
}

interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
}

/** Runs `envsnap`; shows its output as it comes, or keeps it. */
function envsnap(args: string[], env: NodeJS.ProcessEnv, output: 'show' | 'keep'): Promise<Finished> {
  if (output === 'show') say(`\n$ envsnap ${args.join(' ')}`);
  return new Promise((resolve, reject) => {
    const stdout = output === 'show' ? 'inherit' : 'pipe';
    const child = track(
      spawn(process.execPath, [programs.cli, ...args], {
        cwd: root,
        env,
        stdio: ['ignore', stdout, 'inherit'],
      }),
    );
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ exitCode: code ?? 1, stdout: text }));
  });
}

async function expectExit(run: Promise<Finished>, allowed: number): Promise<Finished> {
  const finished = await run;
  if (finished.exitCode !== allowed) {
    throw new Error(`the last command ended with exit code ${finished.exitCode}, expected ${allowed}`);
  }
  return finished;
}

/** Starts the server and waits for the line with its address. */
function startServer(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = [programs.server, 'start', '--port', '0', '--data-dir', path.join(folder, 'data')];
  const child = track(
    spawn(process.execPath, args, {
      cwd: folder,
      env: { ...env, ENVSNAP_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => say('Still starting the server; this machine is busy.'), patienceMs);
    const timer = setTimeout(
      () => reject(new Error(`the server did not start within ${startTimeoutMs / 1000} s`)),
      startTimeoutMs,
    );
    const settle = () => {
      clearTimeout(patience);
      clearTimeout(timer);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const url = /listening on (http:\S+)/.exec(text)?.[1];
      if (!url) return;
      settle();
      resolve(url);
    });
    child.once('exit', (code) => {
      settle();
      reject(new Error(`the server ended with exit code ${code}`));
    });
  });
}

/** Ends everything that still runs: asked first, killed when it does not listen. */
async function stopChildren(): Promise<void> {
  await Promise.all(
    [...children].map(
      (child) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
          child.once('close', () => {
            clearTimeout(timer);
            resolve();
          });
          child.kill('SIGTERM');
        }),
    ),
  );
}

/** Runs a test that many projects have; its output goes to a file. */
function testDates(env: NodeJS.ProcessEnv, log: string): boolean {
  const test =
    "const day = new Date('2026-03-08T02:00:00Z').toLocaleDateString('en-CA'); require('node:assert').equal(day, '2026-03-08')";
  const { status, stderr } = spawnSync(process.execPath, ['-e', test], { env, encoding: 'utf8' });
  writeFileSync(log, stderr);
  return status === 0;
}

async function run(folder: string): Promise<void> {
  const env = cleanEnvironment(folder);
  say('envsnap quickstart: a throwaway server, two captures of this checkout, one comparison.');
  const url = await startServer(folder, env);
  say(`\nServer: ${url} (embedded database in a throwaway folder)`);

  const init = ['init', '--base-url', url, '--project-name', 'quickstart'];
  await expectExit(envsnap(init, env, 'show'), 0);
  const here = { ...env, TZ: 'UTC' };
  const elsewhere = { ...env, TZ: 'America/Los_Angeles' };
  await expectExit(envsnap(['capture'], here, 'show'), 0);
  say('\nThe same checkout, and another environment: a test of dates passes here, and fails there.');
  const log = path.join(folder, 'test.log');
  for (const where of [here, elsewhere])
    say(`  TZ=${where.TZ}: ${testDates(where, log) ? 'passed' : 'failed'}`);
  await expectExit(envsnap(['capture'], elsewhere, 'show'), 0);

  const list = await expectExit(envsnap(['snapshot', 'list', '--json'], env, 'keep'), 0);
  const { snapshots } = JSON.parse(list.stdout) as { snapshots: { id: string }[] };
  const [second, first] = snapshots;
  if (!first || !second) throw new Error('the two snapshots are not in the list');
  // Exit code 1 is the point: the comparison found the difference.
  await expectExit(envsnap(['compare', first.id, second.id, '--failure', log], env, 'show'), 1);
  say('\n(exit code 1: there is a difference that counts, so a build would fail here)');
}

ensureBuilt(() => say('Building envsnap; the first time takes about half a minute.'));
const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-quickstart-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await stopChildren();
    rmSync(folder, { recursive: true, force: true });
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}
try {
  await run(folder);
  say(`
Where to go next
  npx -y pnpm@12 envsnap-server start     a server that stays, on http://127.0.0.1:4780
  npx -y pnpm@12 envsnap init             connect to it: bootstrap a project or use a key
  npx -y pnpm@12 envsnap capture          store this machine
  npx -y pnpm@12 envsnap compare          what changed since, exit code 1 when it counts
  README.md                               everything else`);
} catch (error) {
  process.stderr.write(
    `envsnap quickstart failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
} finally {
  await stopChildren();
  rmSync(folder, { recursive: true, force: true });
}
