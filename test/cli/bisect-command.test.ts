// envsnap bisect, run as a process: real commands, real environments of this machine, one difference planted among others.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { codeVariables } from '@envsnap/shared/catalogue/variables/code-variables';
import { describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { createSandbox, type RunOptions, type Sandbox } from '../support/programs.ts';

interface Snapshot {
  envVars: Record<string, string>;
  runtimeVersions: Record<string, string>;
  metadata: { facts?: Record<string, unknown>; timezone?: string };
}

/** A capture's content in a sandbox, the same in each. */
let captured: Promise<string> | undefined;

async function capture(): Promise<string> {
  const { run, cwd } = createSandbox();
  await run(['capture', '--output', 'own.json']);
  return readFileSync(path.join(cwd, 'own.json'), 'utf8');
}

/** Writes a snapshot of the sandbox's own environment with something changed. */
async function snapshotWith(sandbox: Sandbox, change: (snapshot: Snapshot) => void) {
  captured ??= capture();
  const snapshot = JSON.parse(await captured) as Snapshot;
  change(snapshot);
  writeFileSync(path.join(sandbox.cwd, 'ci.json'), JSON.stringify(snapshot));
}

function addNoise({ envVars }: Snapshot, count = 20): void {
  for (let index = 0; index < count; index += 1) envVars[`NOISE_${index}`] = `value ${index}`;
}

/** Runs bisect on a trusted snapshot with `--json`, which must precede the command. */
async function bisectJson(sandbox: Sandbox, args: readonly string[], options?: RunOptions) {
  const finished = await sandbox.run(['bisect', '--json', '--trust', ...args], options);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  return { ...finished, document: JSON.parse(finished.stdout) as any };
}

const trusted = ['bisect', 'ci.json', '--trust'];
const shell = (script: string) => ['--', 'sh', '-c', script];
const keysOf = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key);

/** Writes a program into a folder of the sandbox; returns the folder. */
function programIn(parent: string, folder: string, name: string, text: string): string {
  const place = path.join(parent, folder);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, name), text, { mode: 0o755 });
  return place;
}

/** Temporary files of the sandbox only, so that leftovers can be seen. */
function temporary(sandbox: Sandbox): { folder: string; env: Record<string, string> } {
  const folder = path.join(sandbox.home, 'tmp');
  mkdirSync(folder, { recursive: true });
  return { folder, env: { TMPDIR: folder } };
}

describe('bisect', () => {
  it('proves the one variable among others, in one sentence, and keeps the output of each run', async () => {
    const sandbox = createSandbox();
    const { folder, env } = temporary(sandbox);
    await snapshotWith(sandbox, (snapshot) => {
      addNoise(snapshot);
      snapshot.envVars.APP_LOCALE = 'tr';
    });
    const command = ['sh', '-c', 'echo "locale: $APP_LOCALE"; test "$APP_LOCALE" != tr'];
    const { stdout, stderr, exitCode } = await sandbox.run([...trusted, '--', ...command], { env });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^FAILS exactly when APP_LOCALE=tr: proven in \d+ runs\.$/);
    expect(lines[1]).toBe('It passes with no APP_LOCALE, as on this machine.');
    expect(lines[2]).toBe('Next: unset APP_LOCALE (on ci.json)');
    expect(stderr.trimEnd().split('\n')).toEqual([
      'As on this machine: passes (3 runs)',
      expect.stringMatching(/^With \d+ differences of ci\.json: fails \(3 runs, exit code 1\)$/),
    ]);
    expect(exitCode).toBe(0);
    const [kept] = readdirSync(folder).filter((name) => name.startsWith('envsnap-'));
    const output = readFileSync(path.join(folder, kept ?? '', 'run-04', 'stdout.txt'), 'utf8');
    expect(output).toBe('locale: tr\n');
  });

  it('finds two variables that only fail together, with the document to match', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      addNoise(snapshot);
      Object.assign(snapshot.envVars, { APP_MODE: 'strict', APP_CACHE: 'off' });
    });
    const command = ['sh', '-c', '! { test "$APP_MODE" = strict && test "$APP_CACHE" = off; }'];
    const { document, exitCode } = await bisectJson(sandbox, ['ci.json', '--', ...command]);
    expect(keysOf(document.cause).sort()).toEqual(['env:APP_CACHE', 'env:APP_MODE']);
    expect(document).toMatchObject({ proven: true, verdict: 'proven', notTried: expect.any(Array) });
    expect(document.runs).toBeLessThan(25);
    expect(exitCode).toBe(0);
  });

  it('also works if it fails here and passes there', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => addNoise(snapshot));
    const env = { ONLY_HERE: '1' };
    const command = ['sh', '-c', 'test -z "$ONLY_HERE"'];
    const { stdout, exitCode } = await sandbox.run([...trusted, '--', ...command], { env });
    expect(stdout).toMatch(/^FAILS exactly when ONLY_HERE=1: proven in/);
    expect(exitCode).toBe(0);
  });

  it('gives a command umask, limits, time zone, colour and another kind of home folder, from the facts', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      snapshot.metadata.timezone = 'Asia/Kolkata';
      Object.assign(snapshot.metadata.facts ?? {}, {
        'process.umask': '0077',
        'limits.openFiles': 64,
        'home.plainPath': false,
        'terminal.color': ['FORCE_COLOR=1'],
      });
    });
    const planned = await bisectJson(sandbox, ['ci.json', '--dry-run', '--', 'true']);
    const texts = planned.document.planned.map(({ a }: { a: string }) => a);
    expect(texts).toEqual(
      expect.arrayContaining([
        'TZ=Asia/Kolkata',
        'process.umask 0077',
        'limits.openFiles 64',
        'home.plainPath false',
        'FORCE_COLOR=1',
      ]),
    );
    const causeOf = async (script: string) => {
      const { document } = await bisectJson(sandbox, ['ci.json', '--runs', '1', ...shell(script)]);
      return [document.verdict, ...keysOf(document.cause)];
    };
    expect(await causeOf('test "$(umask)" = 0022')).toEqual(['proven', 'facts.process.umask']);
    expect(await causeOf('test "$(ulimit -n)" -gt 64')).toEqual(['proven', 'facts.limits.openFiles']);
    expect(await causeOf('ls $HOME >/dev/null')).toEqual(['proven', 'facts.home.plainPath']);
  });

  it('tries each folder of PATH, and their order, separately', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const folder = programIn(sandbox.cwd, 'shadow', 'date', '#!/bin/sh\nexit 1\n');
    await snapshotWith(sandbox, (snapshot) => {
      addNoise(snapshot);
      snapshot.envVars.PATH = `${folder}:/not/here:${snapshot.envVars.PATH}`;
    });
    const { document } = await bisectJson(sandbox, ['ci.json', '--', 'date']);
    expect(document.cause).toMatchObject([{ key: `env:PATH +${folder}` }]);
    expect(document.notTried).toContainEqual({ key: 'env:PATH', reason: '/not/here does not exist here' });
  });

  it('leaves out differences that break only because folders of another machine are missing here', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const runner = '#!/bin/sh\ntest "$MODE" = fast && mktemp -u >/dev/null\n';
    const tools = programIn(sandbox.cwd, 'tools', 'runner', runner);
    const env = { PATH: `${tools}:${process.env.PATH}` };
    await sandbox.run(['capture', '--output', 'ci.json'], { env });
    const file = path.join(sandbox.cwd, 'ci.json');
    const snapshot = JSON.parse(readFileSync(file, 'utf8')) as Snapshot;
    snapshot.envVars.PATH = (snapshot.envVars.PATH ?? '').replace('<checkout>/tools', '/opt/hosted/tools');
    Object.assign(snapshot.envVars, { MODE: 'fast', TMPDIR: '/var/folders/zz' });
    writeFileSync(file, JSON.stringify(snapshot));
    const { document } = await bisectJson(sandbox, ['ci.json', '--', 'runner'], { env });
    expect(document).toMatchObject({ verdict: 'proven', cause: [{ key: 'env:MODE' }] });
    expect(document.notTried).toContainEqual({
      key: `env:PATH -${tools}`,
      reason: 'A has folders in PATH that do not exist here',
    });
  });

  it('lists a secret that this machine does not have, and uses one that it has', async () => {
    const sandbox = createSandbox();
    const env = { ENVSNAP_FINGERPRINT_KEY: 'k'.repeat(32) };
    const own = { ...env, DEPLOY_TOKEN: 'canary-7f3a9b2c1d' };
    await sandbox.run(['capture', '--output', 'ci.json'], { env: own });
    const script = 'test "$DEPLOY_TOKEN" != canary-7f3a9b2c1d';
    const without = await bisectJson(sandbox, ['ci.json', ...shell(script)], { env });
    expect(without.exitCode).toBe(1);
    expect(without.document).toMatchObject({ verdict: 'nothing-to-try', proven: false });
    expect(without.document.notTried).toContainEqual({
      key: 'env:DEPLOY_TOKEN',
      reason: 'its value is secret, and this machine does not have it',
    });
    // This machine has it and the snapshot does not, so unsetting it is the difference.
    await sandbox.run(['capture', '--output', 'none.json'], { env });
    const having = await sandbox.run(['bisect', 'none.json', '--trust', '--', 'sh', '-c', script], {
      env: own,
    });
    expect(having.stdout).toMatch(/^FAILS exactly when DEPLOY_TOKEN as it is here: proven in/);
    expect(having.stdout + having.stderr).not.toContain('canary');
  });

  it('lists what may differ and cannot be seen: secrets by name, and a capture without values in one line', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const env = (token: string) => ({ DEPLOY_TOKEN: token, APP_MODE: 'strict' });
    const there = { env: env('canary-7f3a9b2c1d') };
    await sandbox.run(['capture', '--output', 'ci.json'], there);
    await sandbox.run(['capture', '--env-values', 'none', '--output', 'names.json'], there);
    const here = { env: env('canary-1d2c3b4a5f') };
    const notTried = async (file: string) =>
      (await bisectJson(sandbox, [file, '--dry-run'], here)).document.notTried.filter(
        ({ key }: { key: string }) => key.startsWith('env'),
      );
    expect(await notTried('ci.json')).toEqual([
      { key: 'env:DEPLOY_TOKEN', reason: 'its value is secret, so bisect does not know whether it differs' },
    ]);
    expect(await notTried('names.json')).toEqual([
      { key: 'env', reason: 'one side was captured without values, so it is unknown which variables differ' },
    ]);
  });

  it('says that a flaky command is flaky, with its rates, and ends with 7', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => addNoise(snapshot));
    const script = 'n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n; test $((n % 2)) = 0';
    const { stdout, exitCode } = await sandbox.run([...trusted, ...shell(script)]);
    expect(stdout).toContain('FLAKY: the command fails 1 of 3 times as on this machine');
    expect(exitCode).toBe(7);
  });

  it('ends with 2 if both sides have the same result, and lists what could not be tried', async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => addNoise(snapshot));
    const failing = ['sh', '-c', 'echo "error: all is lost" >&2; exit 3'];
    const { stdout, exitCode } = await sandbox.run(['bisect', 'ci.json', '--trust', '--', ...failing]);
    expect(stdout).toMatch(/^FAILS either way \(exit code 3\).*\nThe output says: error: all is lost\n/);
    expect(exitCode).toBe(2);
  });

  it('decides by the output if asked to, and only tries what it was given', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      addNoise(snapshot);
      snapshot.envVars.GREETING = 'Invalid Date';
    });
    const command = ['sh', '-c', 'echo "$GREETING"; test -z "$GREETING" || exit 3'];
    const verdictOf = async (...flags: string[]) =>
      (await bisectJson(sandbox, ['ci.json', '--runs', '1', ...flags, '--', ...command])).document.verdict;
    expect(await verdictOf('--fails-if', 'Invalid Date')).toBe('proven');
    expect(await verdictOf('--only', 'env:NOISE_*')).toBe('alike');
    const wrong = await sandbox.run(['bisect', 'ci.json', '--trust', '--only', 'colour:*', '--', ...command]);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('does not name a section') });
  });

  it('counts a run that ends with 125 neither as passing nor as failing, unless --fails-if says so', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      Object.assign(snapshot.envVars, { AA_LEFT: '1', MM_CAUSE: '1', ZZ_RIGHT: '1' });
    });
    // Neither can be judged without the other.
    const script = 'test "$AA_LEFT" = "$ZZ_RIGHT" || { echo half >> skips; exit 125; }; test -z "$MM_CAUSE"';
    const { stdout, exitCode } = await sandbox.run([...trusted, ...shell(script)]);
    const skips = readFileSync(path.join(sandbox.cwd, 'skips'), 'utf8').trim().split('\n').length;
    expect(stdout).toMatch(/^FAILS exactly when MM_CAUSE=1: proven in/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`The command skipped ${skips} run`);
    expect(exitCode).toBe(0);
    const always = ['sh', '-c', 'test -z "$MM_CAUSE" || exit 125'];
    const skipped = await bisectJson(sandbox, ['ci.json', '--', ...always]);
    expect(skipped).toMatchObject({ exitCode: 2, document: { error: { code: 'always_skipped' } } });
    const failing = await bisectJson(sandbox, ['ci.json', '--fails-if', '125', '--', ...always]);
    expect(failing.document).toMatchObject({
      verdict: 'proven',
      skipped: 0,
      cause: [{ key: 'env:MM_CAUSE' }],
    });
  });

  it('stops at once if neither side has the command, and searches if one has it', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const { folder, env } = temporary(sandbox);
    await snapshotWith(sandbox, (snapshot) => addNoise(snapshot));
    const script = 'echo run >> runs; exit 127';
    const stopped = await bisectJson(sandbox, ['ci.json', ...shell(script)], { env });
    expect(stopped).toMatchObject({ exitCode: 2, document: { error: { code: 'command_not_found' } } });
    expect(readFileSync(path.join(sandbox.cwd, 'runs'), 'utf8')).toBe('run\nrun\n');
    expect(readdirSync(folder).filter((name) => name.startsWith('envsnap-'))).toEqual([]);
    const quoted = await sandbox.run(['bisect', 'ci.json', '--trust', '--', 'npm test']);
    expect(quoted.stderr).toContain('the command cannot be found (exit code 127 on both sides): npm test');
    expect(quoted.stderr).toContain('sh -c');
    const oneSide = ['sh', '-c', 'test -n "$NOISE_7" || exit 127'];
    const { document } = await bisectJson(sandbox, ['ci.json', '--', ...oneSide]);
    expect(document).toMatchObject({ verdict: 'proven', cause: [{ key: 'env:NOISE_7' }] });
  });

  it('counts an interrupted run neither as the failure that --fails-if names nor as a pass', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const tools = programIn(sandbox.home, 'tools', 'tool', '#!/bin/sh\necho Invalid date\n');
    await sandbox.run(['capture', '--output', 'ci.json']);
    const end = async (env: Record<string, string>, ...args: string[]) => {
      const { exitCode, document } = await bisectJson(sandbox, ['ci.json', '--runs', '1', ...args], { env });
      return { exitCode, error: document.error?.message, verdict: document.verdict };
    };
    const missing = { PATH: `${tools}:${sandbox.env.PATH}` };
    expect(await end(missing, '--fails-if', 'Invalid date', '--', 'tool')).toMatchObject({
      exitCode: 2,
      error: 'the command cannot be found (exit code 127 on side A): tool',
    });
    const named = ['--fails-if', '127', '--', 'tool'];
    expect(await end(missing, ...named)).toMatchObject({ exitCode: 0, verdict: 'proven' });
    const late = ['--timeout', '1', '--fails-if', '3', '--'];
    const script = 'test -z "$APP_X" && exit 3; exec sleep 30';
    expect(await end({ APP_X: '1' }, ...late, 'sh', '-c', script)).toMatchObject({
      exitCode: 2,
      error: 'no run on side B got far enough for --fails-if to judge it (timed out)',
    });
    // Such a run in between proves nothing either: the search continues around it.
    const halves = 'test "$AA_LEFT" = "$ZZ_RIGHT" || kill -9 $$; test -z "$MM_CAUSE" || exit 3';
    const env = { AA_LEFT: '1', MM_CAUSE: '1', ZZ_RIGHT: '1' };
    const { document } = await bisectJson(sandbox, ['ci.json', '--fails-if', '3', '--', 'sh', '-c', halves], {
      env,
    });
    expect(document).toMatchObject({ verdict: 'proven', cause: [{ key: 'env:MM_CAUSE' }], skipped: 0 });
  });

  it('ends a run at its time limit, with everything that it started', async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      snapshot.envVars.HANG = '1';
    });
    const script = 'test -z "$HANG" || { sleep 300 & echo $! > pid; wait; }';
    const options = 'ci.json --runs 1 --timeout 1'.split(' ');
    const { document } = await bisectJson(sandbox, [...options, ...shell(script)]);
    expect(document).toMatchObject({ verdict: 'proven', sides: { a: { how: 'timed out' } } });
    const pid = Number(readFileSync(path.join(sandbox.cwd, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('leaves no process and no file behind when it is interrupted', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const { folder, env } = temporary(sandbox);
    await snapshotWith(sandbox, (snapshot) => {
      snapshot.envVars['A\u001b[2J'] = '1';
    });
    const script = 'echo $$ > pid.new; mv pid.new pid; exec sleep 300';
    const running = sandbox.start([...trusted, ...shell(script)], { env });
    const file = path.join(sandbox.cwd, 'pid');
    await expect.poll(() => existsSync(file)).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    running.child.kill('SIGINT');
    const { exitCode, stderr } = await running.finished;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('suspects left: A\\x1b[2J, ');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('envsnap-'))).toEqual([]);
  });

  it('continues after Ctrl-C with the runs that were made', async () => {
    const sandbox = createSandbox();
    const { folder, env } = temporary(sandbox);
    git(sandbox.cwd, 'init', '--quiet');
    await snapshotWith(sandbox, (snapshot) => {
      addNoise(snapshot);
      snapshot.envVars.APP_MODE = 'strict';
    });
    const file = path.join(sandbox.cwd, 'runs');
    const made = () => (existsSync(file) ? readFileSync(file, 'utf8').length : 0);
    const script =
      'echo $$ > pid; printf x >> runs; read -r made < runs; test "$made" = xxxxxxxxx && exec sleep 300; test "$APP_MODE" != strict';
    const words = ['bisect', 'ci.json', '--trust', '--runs', '2', ...shell(script)];
    const running = sandbox.start(words, { env });
    await expect.poll(made).toBe(9);
    const pid = Number(readFileSync(path.join(sandbox.cwd, 'pid'), 'utf8'));
    running.child.kill('SIGINT');
    const { exitCode, stderr } = await running.finished;
    expect(exitCode).toBe(130);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('envsnap-'))).toEqual([]);
    expect(stderr).toMatch(/Stopped in run 9; \d+ suspects? left: .*\nNext: envsnap bisect --resume\n/s);
    const refused = await sandbox.run(['bisect', '--resume', '--runs', '9', '--timeout', '1']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--runs') });
    expect(refused.stderr).toContain('--timeout');
    // From another folder of the project, where the written path does not exist.
    const below = path.join(sandbox.cwd, 'below');
    mkdirSync(below);
    const resumed = await sandbox.json(['bisect', '--resume'], { env, cwd: below });
    expect(resumed.document).toMatchObject({ verdict: 'proven', cause: [{ key: 'env:APP_MODE' }] });
    // The ninth run was made twice.
    expect(made()).toBe(resumed.document.runs + 1);
    const again = await sandbox.run(['bisect', '--resume']);
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('this project has no stopped bisection to resume'),
    });
  });

  it('treats a folder of PATH and the runtime in it as one change, named by the runtime', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const node = '#!/bin/sh\necho v1.2.3\n';
    const root = programIn(sandbox.home, '.nvm/versions/node/v1.2.3/bin', 'node', node);
    await snapshotWith(sandbox, (snapshot) => {
      snapshot.envVars.PATH = `${root}:${snapshot.envVars.PATH}`;
      Object.assign(snapshot.runtimeVersions, { node: '1.2.3', npm: '0.0.1' });
    });
    const command = ['sh', '-c', 'test "$(node --version)" != v1.2.3'];
    const { document } = await bisectJson(sandbox, ['ci.json', '--', ...command]);
    expect(document.cause).toMatchObject([{ key: 'runtimes.node', a: 'node 1.2.3' }]);
    expect(keysOf(document.notTried)).not.toContain('runtimes.npm');
    // Also if this machine has the folder: without it, the next program with that name runs.
    await snapshotWith(sandbox, () => undefined);
    const env = { PATH: `${root}:${sandbox.env.PATH}` };
    const here = await bisectJson(sandbox, ['ci.json', '--', ...command], { env });
    expect(here.document.cause).toMatchObject([
      { key: 'runtimes.node', a: expect.stringMatching(/^node of \//), b: 'node 1.2.3' },
    ]);
  });

  it('names the two folders of PATH whose order differs, and the program that both have', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const [one, two] = ['one', 'two'].map((name) =>
      programIn(sandbox.cwd, name, 'answer', `#!/bin/sh\ntest ${name} = one\n`),
    );
    const PATH = sandbox.env.PATH;
    const env = { PATH: `${one}:${two}:${PATH}` };
    await sandbox.run(['capture', '--output', 'ci.json'], { env });
    const file = path.join(sandbox.cwd, 'ci.json');
    const snapshot = JSON.parse(readFileSync(file, 'utf8')) as Snapshot;
    snapshot.envVars.PATH = `${two}:${one}:${PATH}`;
    writeFileSync(file, JSON.stringify(snapshot));
    const { stdout } = await sandbox.run(['bisect', 'ci.json', '--trust', '--', 'answer'], { env });
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `FAILS exactly when ${two} before ${one} in PATH, which both have answer: proven`,
    );
  });

  it('tries a home folder without a space if this one has a space', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const home = path.join(sandbox.cwd, 'a home');
    mkdirSync(home);
    await snapshotWith(sandbox, (snapshot) =>
      Object.assign(snapshot.metadata.facts ?? {}, { 'home.plainPath': true }),
    );
    const { document } = await bisectJson(
      sandbox,
      ['ci.json', '--only', 'facts:home.*', '--', 'sh', '-c', 'ls $HOME'],
      { env: { HOME: home } },
    );
    expect(document).toMatchObject({
      verdict: 'proven',
      cause: [{ key: 'facts.home.plainPath', b: 'home.plainPath false' }],
    });
  });

  it('prints a plan and an end for an agent, with captured values as JSON strings', async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      snapshot.envVars.APP_MODE = 'strict\u202e" next: rm -rf';
    });
    const args = ['bisect', 'ci.json', '--trust', '--only', 'env:APP_*', '--format', 'agent'];
    const plan = await sandbox.run([...args, '--dry-run']);
    expect(plan.stdout).toMatch(
      /^bisect: 1 difference can be tried, in about 9 runs\nto try: "APP_MODE=strict\\u202e\\" next: rm -rf"\n/,
    );
    const end = await sandbox.run([...args, '--', 'sh', '-c', 'test -z "$APP_MODE"']);
    expect(end.stdout).toMatch(/^bisect: proven in \d+ runs\nfails with: "APP_MODE=strict/);
    expect(end.stdout).toContain('\nnext: "unset APP_MODE" (side A), then run the command again\n');
    expect(plan.stdout + end.stdout).not.toMatch(/\u202e|^next: rm/m);
  });

  it('applies no stored variable that can run code, nor a folder of PATH that others can write to', async () => {
    const sandbox = createSandbox();
    const open = path.join(sandbox.cwd, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const marker = path.join(sandbox.cwd, 'ran');
    const hostile: Record<string, string> = {
      NODE_OPTIONS: `--import=data:text/javascript,console.log(1)`,
      BASH_ENV: `$(touch ${marker})`,
      ENV: `$(touch ${marker})`,
      LD_PRELOAD: '/tmp/evil.so',
      PERL5OPT: '-Mevil',
      RUBYOPT: '-revil',
      PYTHONSTARTUP: '/tmp/evil.py',
      PYTHONPATH: sandbox.cwd,
      JAVA_TOOL_OPTIONS: '-javaagent:/tmp/evil.jar',
      MAKEFLAGS: '--eval=$(shell touch ran)',
      GIT_SSH_COMMAND: `touch ${marker}`,
      EDITOR: `touch ${marker}`,
      PAGER: `touch ${marker}`,
      PROMPT_COMMAND: `touch ${marker}`,
    };
    await snapshotWith(sandbox, (snapshot) => {
      Object.assign(snapshot.envVars, hostile, { PLAIN: '1' });
      snapshot.envVars.PATH = `${open}:${snapshot.envVars.PATH}`;
    });
    const command = ['sh', '-ic', 'test -z "$PLAIN"'];
    const { document, exitCode } = await bisectJson(sandbox, ['ci.json', '--runs', '1', '--', ...command]);
    expect({ exitCode, cause: document.cause }).toMatchObject({ exitCode: 0, cause: [{ key: 'env:PLAIN' }] });
    const notTriedKeys = keysOf(document.notTried);
    const expected = Object.keys(hostile).map((name) =>
      name === 'PYTHONPATH' ? `env:${name} +${sandbox.cwd}` : `env:${name}`,
    );
    expect(notTriedKeys).toEqual(expect.arrayContaining([...expected, `env:PATH +${open}`]));
    expect(existsSync(marker)).toBe(false);
    const shown = await sandbox.run(['bisect', 'ci.json', '--trust', '--dry-run', '--', 'true']);
    expect(shown.stdout).toContain('so bisect tries it only if --only names it');
  });

  it('applies none of them however a stored name spells it, with a whole assignment in it or as that of a file', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const marker = path.join(sandbox.cwd, 'ran');
    const value = `$(touch ${marker})`;
    const names = codeVariables.flatMap((row) => row.names).map((name) => name.replace('*', 'X'));
    const spelled = names.flatMap((name) => [
      name,
      name.toLowerCase(),
      `${name}=${value} #`,
      `.env:${name}`,
      `.env:${name}=${value} #`,
    ]);
    await snapshotWith(sandbox, ({ envVars }) => {
      for (const name of [...spelled, '.env:', '.env:=']) envVars[name] = value;
      envVars.PLAIN = '1';
    });
    const command = ['/bin/bash', '-c', '/usr/bin/env -0; test -z "$PLAIN"'];
    const { document } = await bisectJson(sandbox, ['ci.json', '--runs', '1', '--', ...command]);
    expect(document.cause).toMatchObject([{ key: 'env:PLAIN' }]);
    const runs = readdirSync(document.outputFolder);
    const output = runs.map((run) =>
      readFileSync(path.join(document.outputFolder, run, 'stdout.txt'), 'utf8'),
    );
    expect(output.length).toBeGreaterThan(2);
    expect(output.join('')).not.toContain(value);
    expect(existsSync(marker)).toBe(false);
  });

  it('gives a command no folder that both of two stored lists have and this machine has not', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const open = path.join(sandbox.cwd, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const store = async (file: string, list: string) => {
      await snapshotWith(sandbox, ({ envVars }) => Object.assign(envVars, { PATH: list, PLAIN: file }));
      renameSync(path.join(sandbox.cwd, 'ci.json'), path.join(sandbox.cwd, file));
    };
    await store('a.json', `/usr/bin:${open}:/bin`);
    await store('b.json', `/bin:${open}:/usr/bin`);
    const command = ['sh', '-c', `case $PATH in *${open}*) exit 0; esac; test $PLAIN = b.json`];
    const two = ['a.json', 'b.json', '--runs', '1'];
    const { document } = await bisectJson(sandbox, [...two, '--', ...command]);
    expect(document.cause).toMatchObject([{ key: 'env:PLAIN' }]);
    expect(document.notTried).toContainEqual({
      key: 'env:PATH order',
      reason:
        'it can start programs from a folder that is not yours, so bisect tries it only if --only names it',
    });
    const limited = await bisectJson(sandbox, [...two, '--only', 'env:PATH', '--dry-run', '--', 'true']);
    expect(limited.document.planned).toMatchObject([{ key: 'env:PATH order' }]);
  });

  it('does not split a list whose length would keep it busy', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const folders = Array.from({ length: 6000 }, (_, index) => `f${index}`);
    await snapshotWith(sandbox, ({ envVars }) => {
      envVars.PATH = folders.join(':');
    });
    const { document } = await bisectJson(sandbox, ['ci.json', '--dry-run']);
    expect(document.notTried).toContainEqual({ key: 'env:PATH', reason: 'it has more than 500 folders' });
  });

  it('applies such a variable where --only names it, and where it only holds harmless options', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await snapshotWith(sandbox, (snapshot) => {
      Object.assign(snapshot.envVars, { EDITOR: 'vi -u x', NODE_OPTIONS: '--max-old-space-size=64' });
    });
    const command = ['sh', '-c', 'test -z "$EDITOR"'];
    const verdictOf = async (...flags: string[]) =>
      (await bisectJson(sandbox, ['ci.json', '--runs', '1', ...flags, '--', ...command])).document.verdict;
    expect(await verdictOf('--only', 'env:EDITOR')).toBe('proven');
    expect(await verdictOf('--only', 'env:*')).toBe('alike');
    const planned = await bisectJson(sandbox, ['ci.json', '--dry-run', '--', 'true']);
    expect(keysOf(planned.document.planned)).toContain('env:NODE_OPTIONS');
  });

  it('asks for what is missing', async () => {
    const sandbox = createSandbox();
    const noCommand = await sandbox.run(['bisect', 'ci.json']);
    expect(noCommand).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the command is missing'),
    });
    const noDashes = await sandbox.run(['bisect', 'ci.json', 'npm', 'test', '--runs-all']);
    expect(noDashes).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'Write -- before the command: envsnap bisect ci.json -- npm test --runs-all',
      ),
    });
    const noSnapshot = await sandbox.run(['bisect', '--', 'true']);
    expect(noSnapshot).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is missing') });
  });
});

/** Whether a process runs; a zombie does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return !/\) Z /.test(status);
}
