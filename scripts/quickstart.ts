// The main task on this machine, from start to end: a server in a throwaway folder, two captures of this checkout with another
// time zone, in which a test of dates fails, and their comparison, which says so. Asks nothing, leaves nothing running, changes
// nothing outside the checkout.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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

/** The processes that this script started and that have not ended. */
const children = new Set<ChildProcess>();

function track(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * The environment without anything that would lead the programs to another server, profile or folder. Variables of the package
 * runner stay, because they show a capture which folders the runner put in front of PATH.
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

/** Runs `envsnap`, which must end with this exit code; shows its output as it comes, or returns it. */
async function envsnap(
  args: string[],
  env: NodeJS.ProcessEnv,
  { exitCode = 0, keep = false }: { exitCode?: number; keep?: boolean } = {},
): Promise<string> {
  if (!keep) say(`\n$ envsnap ${args.join(' ')}`);
  const stdio = ['ignore', keep ? 'pipe' : 'inherit', 'inherit'] as const;
  const child = track(
    spawn(process.execPath, [programs.cli, ...args], { cwd: root, env, stdio: [...stdio] }),
  );
  const [output, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'close')]);
  if (code !== exitCode)
    throw new Error(`the last command ended with exit code ${code}, expected ${exitCode}`);
  return output;
}

/** Starts the server and waits for the line with its address. */
async function startServer(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = [programs.server, 'start', '--port', '0', '--data-dir', path.join(folder, 'data')];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ENVSNAP_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  track(child);
  const patience = setTimeout(() => say('Still starting the server; this machine is busy.'), patienceMs);
  try {
    const lines = createInterface({ input: child.stdout, signal: AbortSignal.timeout(startTimeoutMs) });
    for await (const line of lines) {
      const url = /listening on (http:\S+)/.exec(line)?.[1];
      if (url) return url;
    }
  } finally {
    clearTimeout(patience);
    child.stdout.resume();
  }
  throw new Error(`the server ended, or did not start within ${startTimeoutMs / 1000} s`);
}

/** Ends everything that still runs: asks first, then kills. */
async function stopChildren(): Promise<void> {
  const stopped = [...children].map(async (child) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    child.kill('SIGTERM');
    await once(child, 'close');
    clearTimeout(timer);
  });
  await Promise.all(stopped);
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
  await envsnap(init, env);
  const here = { ...env, TZ: 'UTC' };
  const elsewhere = { ...env, TZ: 'America/Los_Angeles' };
  await envsnap(['capture'], here);
  say('\nThe same checkout, and another environment: a test of dates passes here, and fails there.');
  const log = path.join(folder, 'test.log');
  for (const where of [here, elsewhere])
    say(`  TZ=${where.TZ}: ${testDates(where, log) ? 'passed' : 'failed'}`);
  await envsnap(['capture'], elsewhere);

  const list = await envsnap(['snapshot', 'list', '--json'], env, { keep: true });
  const { snapshots } = JSON.parse(list) as { snapshots: { id: string }[] };
  const [second, first] = snapshots;
  if (!first || !second) throw new Error('the two snapshots are not in the list');
  // Exit code 1 is the point: the comparison found the difference.
  await envsnap(['compare', first.id, second.id, '--failure', log], env, { exitCode: 1 });
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
