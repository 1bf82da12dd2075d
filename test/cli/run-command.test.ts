// envsnap run, as a process: the command runs as if envsnap were not there, and its recording can be queried.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRunWords, runFlags } from '../../packages/cli/bin/run-words.js';
import Run from '../../packages/cli/src/commands/run.ts';
import { findMissingScript } from '../../packages/cli/src/runs/find-missing-command.ts';
import { runNameOf } from '../../packages/cli/src/runs/record-run.ts';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import {
  createProject,
  createSandbox,
  type Finished,
  programs,
  type Sandbox,
  startServerProcess,
} from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';
import { words } from '../support/words.ts';

type FirstCase = Record<'files' | 'env', Record<string, string>> &
  Record<'stderr' | 'not', string> & { first: string[] };
const { junitOutcome, firstFailures } = readTestData<{ junitOutcome: object; firstFailures: FirstCase[] }>(
  import.meta,
);

const sh = (script: string) => ['--', 'sh', '-c', script];

/** `run --quiet` without the second process, which records and takes longer than all the rest: words for Node.js. */
const runCommandFile = path.resolve(import.meta.dirname, '../../packages/cli/bin/run-command.js');
const unrecorded = [
  '-e',
  `import(${JSON.stringify(runCommandFile)}).then(({ runCommand }) =>
    runCommand({ flags: { quiet: true }, command: process.argv.slice(1) }, ['true']))`,
];
const runUnrecorded = ({ env, cwd }: Sandbox, words: readonly string[]) =>
  spawnSync(process.execPath, [...unrecorded, ...words], { env, cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** Where the runs of the sandbox are stored. */
function storeOf(sandbox: Sandbox): string {
  const state = path.join(sandbox.home, '.local/state/envsnap');
  const [project = ''] = readdirSync(state).filter((name) => !name.startsWith('.'));
  return path.join(state, project);
}

function filesOfRuns(sandbox: Sandbox): string[] {
  const runs = path.join(storeOf(sandbox), 'runs');
  return readdirSync(runs).flatMap((name) => (name.endsWith('.gz') ? path.join(runs, name) : []));
}

describe('what the command is given', () => {
  it('has its own exit code, streams and input, to the byte', async () => {
    const sandbox = createSandbox();
    const input = Buffer.from([0, 1, 2, 255, 10]);
    const echo = await sandbox.run(['run', '--quiet', '--', 'cat'], { stdin: input });
    expect(echo.exitCode).toBe(0);
    expect(echo.stdout).toBe(input.toString('utf8'));
    const script = 'echo out; echo err >&2; echo a > /dev/stderr; echo b > /dev/stdout; exit 41';
    const both = runUnrecorded(sandbox, sh(script));
    expect(both).toMatchObject({ status: 41, stdout: 'out\nb\n', stderr: 'err\na\n' });
  });

  it('keeps the order of two streams that lead to one place', async () => {
    const sandbox = createSandbox();
    const loop = 'for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done';
    const outer = spawn('sh', ['-c', `"$0" "$@" -- sh -c '${loop}' 2>&1`, process.execPath, ...unrecorded], {
      env: sandbox.env,
      cwd: sandbox.cwd,
    });
    let text = '';
    outer.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => outer.once('close', resolve));
    expect(text.trim().split('\n')).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) => [`out${number}`, `err${number}`]),
    );
  });

  it('passes on megabytes whole, and lets a process that outlives the command go on writing', () => {
    const sandbox = createSandbox();
    const large = `const line = 'x'.repeat(1023) + '\\n'; for (let i = 0; i < 3000; i++) process.stdout.write(line);`;
    const words = [...sh('node -e "$0"; (sleep 0.4; echo late) & echo early'), large];
    const { status, stdout } = runUnrecorded(sandbox, words);
    expect({ status, length: stdout.length }).toEqual({ status: 0, length: 3000 * 1024 + 11 });
    expect(stdout.slice(-12)).toBe('\nearly\nlate\n');
  });

  it('ends with 128 and the number of a signal, 127 if there is no such command, 126 if it may not run', () => {
    const sandbox = createSandbox();
    expect(runUnrecorded(sandbox, sh('kill -9 $$')).status).toBe(137);
    const missing = runUnrecorded(sandbox, ['--', 'no-such-command']);
    expect(missing).toMatchObject({ status: 127, stderr: 'envsnap: no-such-command: command not found\n' });
    const file = path.join(sandbox.cwd, 'not-executable');
    writeFileSync(file, 'echo', { mode: 0o600 });
    const refused = runUnrecorded(sandbox, ['--', file]);
    expect(refused).toMatchObject({ status: 126, stderr: `envsnap: ${file}: permission denied\n` });
  });

  it('ends with 126 if a path leads nowhere', () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'file'), '');
    symlinkSync('circle', path.join(sandbox.cwd, 'circle'));
    for (const [command, reason] of [
      ['./file/x', 'not a directory'],
      ['./circle', 'too many symbolic links encountered'],
    ] as const) {
      const refused = runUnrecorded(sandbox, ['--', command]);
      expect(refused).toMatchObject({ status: 126, stderr: `envsnap: ${command}: ${reason}\n` });
    }
  });

  it('stays in the process group, and gets each signal once, whichever process receives it', async () => {
    const sandbox = createSandbox();
    const others = ['SIGWINCH', 'SIGUSR1', 'SIGABRT', 'SIGXCPU'] as const;
    const counting = `
      let count = 0;
      for (const signal of ${JSON.stringify(others)}) process.on(signal, () => process.stdout.write(signal + ' '));
      process.on('SIGTERM', () => { count += 1; setTimeout(() => process.exit(count), 300); });
      process.stdout.write('ready ' + process.pid + '\\n');
      setInterval(() => {}, 1000);`;
    const start = async (detached: boolean) => {
      const child = spawn(process.execPath, [...unrecorded, '--', 'node', '-e', counting], {
        env: sandbox.env,
        cwd: sandbox.cwd,
        detached,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      return child;
    };
    const ended = (child: ReturnType<typeof spawn>) => new Promise((resolve) => child.once('exit', resolve));
    const alone = await start(false);
    let seen = '';
    alone.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    for (const signal of others) {
      alone.kill(signal);
      await expect.poll(() => seen).toContain(signal);
    }
    alone.kill('SIGTERM');
    expect(await ended(alone)).toBe(1);
    expect(seen).toBe(`${others.join(' ')} `);
    // The process that detects signals to the group starts just after the command.
    const group = await start(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(-(group.pid ?? 0), 'SIGTERM');
    expect(await ended(group)).toBe(1);
  });

  for (const [how, stop, goOn] of [
    ['Ctrl-Z', 'kill -TSTP -$run', 'kill -CONT -$run'],
    ['signals to it alone', 'kill -TSTP $run', 'kill -CONT $run'],
    ['a command that stops itself', 'touch stop', 'kill -CONT -$run'],
  ] as const)
    it(`stops and continues with the command, as a shell expects: ${how}`, {
      tags: how === 'Ctrl-Z' ? [] : 'release',
    }, async () => {
      const sandbox = createSandbox();
      // Its own group in the session of a shell, as Ctrl-Z finds it: a group without a shell is not stopped. Not "wait -f": it
      // never returns for a job that ended just before.
      const script = `set -m; "$@" & run=$!
      state() { sed -n 's/^State:.//p' /proc/$1/status; }
      catches() { (( 0x$(sed -n 's/^SigCgt:.//p' /proc/$1/status) >> 19 & 1 )); }
      pause() { kill -0 $run || exit 9; sleep 0.02; }
      until [ -s child ] && catches $run; do pause; done
      ${stop}
      until [ "$(state $run)" = 'T (stopped)' ] && [ "$(state $(cat child))" = 'T (stopped)' ]; do pause; done
      touch stopped
      ${goOn}
      while kill -0 $run; do sleep 0.02; done
      wait $run`;
      // It starts no child: a shell is not stopped if its child was stopped before it began.
      const command = 'echo $$ > child; until [ -f stopped ]; do [ -f stop ] && kill -STOP $$; done; exit 5';
      const shell = spawn('bash', ['-c', script, 'bash', process.execPath, ...unrecorded, ...sh(command)], {
        env: { ...sandbox.env, PATH: process.env.PATH },
        cwd: sandbox.cwd,
        stdio: 'ignore',
      });
      cleanUpAfterTest(() => shell.kill('SIGKILL'));
      expect(await new Promise((resolve) => shell.once('exit', resolve))).toBe(5);
    });

  it('ends like the command when nobody reads its output any more', async () => {
    const sandbox = createSandbox();
    const child = spawn(process.execPath, [...unrecorded, ...sh('while echo y; do :; done')], {
      env: sandbox.env,
      cwd: sandbox.cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(128 + 13);
    const toFull = [
      '-c',
      '"$0" "$1" run --json -- sh -c "exit 5" > /dev/full',
      process.execPath,
      programs.cli,
    ];
    const full = spawn('sh', toFull, { env: sandbox.env, cwd: sandbox.cwd, stdio: 'ignore' });
    expect(await new Promise((resolve) => full.once('exit', resolve))).toBe(5);
  });

  it('refuses words that it does not understand before anything runs', async () => {
    const sandbox = createSandbox();
    const mark = path.join(sandbox.cwd, 'ran');
    for (const words of [['--off', 'x'], ['--of'], ['--of', 'a', '--of', 'b']]) {
      const { exitCode, stderr } = await sandbox.run(['run', ...words, '--', 'sh', '-c', `: > ${mark}`]);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Error:') });
    }
    const empty = await sandbox.run(['run', '--of', '', '--', 'true']);
    expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--of has no value') });
    const bare = await sandbox.run(['run', 'npm', 'test']);
    expect(bare.stderr).toContain('envsnap run -- npm test');
    expect(readdirSync(sandbox.cwd)).toEqual([]);
  });

  it('has the flags that help shows', () => {
    const shown = Object.keys({ ...Run.flags, json: true }).sort();
    expect(Object.keys(runFlags).sort()).toEqual(shown);
    expect(readRunWords(['--of=a', '--junit', 'x', '--junit', 'y', '-q', '--', 'c', '--', 'd'])).toEqual({
      flags: { of: 'a', junit: ['x', 'y'], quiet: true },
      command: ['c', '--', 'd'],
    });
  });
});

describe('what a run leaves behind', () => {
  const failing = (finished: Finished) => finished.stderr.trimEnd().split('\n');

  it('names the cause against the last run that passed, and the next command', async () => {
    const sandbox = createSandbox();
    const script = 'test "$TZ" != Asia/Kolkata || { echo "wrong date" >&2; exit 1; }';
    expect(await sandbox.run(['run', '--of', 'dates', ...sh(script)])).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    const failed = await sandbox.run(['run', '--of', 'dates', ...sh(script)], {
      env: { TZ: 'Asia/Kolkata' },
    });
    expect(failed.exitCode).toBe(1);
    const [own, head, first, ...rest] = failing(failed);
    expect(own).toBe('wrong date');
    expect(head).toMatch(
      /^envsnap: dates failed \(exit code 1, [^)]+\)\. Likeliest causes; A is the last run/,
    );
    expect(first).toContain('TZ is set in B, not in A');
    expect(rest.at(-1)).toBe(
      `  Next: envsnap bisect last-passed:dates -- sh -c '${script.replaceAll("'", "'\\''")}'`,
    );
  });

  it('goes on with the virtual environment that the last run had, not with a bisection', async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'requirements.txt'), '');
    mkdirSync(path.join(sandbox.cwd, '.git'));
    const own = path.join(sandbox.cwd, '.venv');
    const bin = path.join(own, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(own, 'pyvenv.cfg'), 'version = 3.12.4');
    writeFileSync(path.join(bin, 'zorp'), '#!/bin/sh', { mode: 0o755 });
    const usual = { PATH: `${sandbox.env.PATH}:/bin` };
    const active = { VIRTUAL_ENV: own, PATH: `${bin}:${usual.PATH}` };
    const command = ['run', ...sh('command -v zorp >&2')];
    expect(await sandbox.run(command, { env: active })).toMatchObject({ exitCode: 0 });
    const failed = await sandbox.run(command, { env: usual });
    expect(failed.stderr).toContain('1. the virtual environment .venv is active in A, not in B');
    expect(failing(failed).at(-1)).toBe('  Next: . .venv/bin/activate');
  });

  it('says how to explain the failure later if the recording takes too long', () => {
    const started = `import(${JSON.stringify(runCommandFile)}).then(({ runCommand }) =>
      runCommand({ flags: {}, command: ['false'] }, [process.execPath, '-e', 'setTimeout(() => {}, 2_000)'], 1))`;
    const { env } = createSandbox();
    const { stderr } = spawnSync(process.execPath, ['-e', started], { encoding: 'utf8', env });
    expect(stderr).toContain('\n  Later, this explains it: envsnap compare last-passed last-failed\n');
  });

  it('is compared even if it cannot be stored, and says so even if it passed', {
    tags: 'release',
  }, async () => {
    const server = await startServerProcess();
    const owner = createSandbox();
    await createProject(owner, server.url);
    const { document: key } = await owner.json(['key', 'create', '--role', 'viewer']);
    const env = { CI: 'true' };
    await owner.run(['run', '--of', 'job', ...sh('exit 0')], { env });
    const viewer = createSandbox();
    const init = ['init', '--base-url', server.url, '--profile', 'two', '--api-key-stdin'];
    await viewer.run(init, { stdin: key.apiKey });
    await viewer.run([...init.slice(0, 3), '--profile', 'one', '--api-key-stdin'], { stdin: key.apiKey });
    const run = (script: string, flags: readonly string[] = []) =>
      viewer.run(['run', '--of', 'job', '--profile', 'two', ...flags, ...sh(script)], {
        env: { ...env, APP_MODE: 'strict' },
      });
    const refused = 'the run was not recorded: Forbidden';
    const passed = await run('exit 0');
    expect(passed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(refused) });
    const failed = await run('exit 3');
    expect(failed.stderr).toContain('APP_MODE is set');
    expect(failed.stderr).toContain(`Error: ${refused}`);
    expect(failed.stderr).toContain('  Next: envsnap bisect last-passed:job --profile two -- sh -c ');
    const document = JSON.parse((await run('exit 3', ['--json'])).stdout);
    expect(document).toMatchObject({ id: null, problems: [expect.stringContaining(refused)] });
    expect(document.comparison.causes[0].keys).toEqual(['APP_MODE']);
  });

  it('advises no flag that run lacks, and no experiment if no difference could be the cause', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const run = (MODE: string, script: string) =>
      sandbox.run(['run', '--of', 'modes', ...sh(script)], { env: { APP_MODE: MODE, APP_TOKEN_KIND: MODE } });
    await run('plain', 'exit 0');
    const failed = await run('strict', 'exit 1');
    expect(failed.stderr).toContain('set APP_MODE=plain in B');
    expect(failed.stderr).not.toContain('--show-values');
    writeFileSync(path.join(sandbox.cwd, '.envsnap.yaml'), 'accepted: [{key: "env:*", reason: known}]');
    const accepted = await run('strict', 'exit 1');
    expect(accepted.stderr).toContain('Nothing that could be the cause differs');
    expect(accepted.stderr).toContain('  Next: envsnap why --outcome-of modes\n');
    writeFileSync(path.join(sandbox.cwd, '.envsnap.yaml'), 'accept: []');
    const unread = await run('strict', 'exit 1');
    expect(unread.stderr).toContain('Note: the policy was not applied: .envsnap.yaml:1');
    expect(unread.stderr).toContain('set APP_MODE=plain in B');
  });

  it('is recorded when the run ends in CI, with no message about a run that passed, and a reason if one was not recorded', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const env = { CI: 'true' };
    const passed = await sandbox.run(['run', ...sh('echo out')], { env });
    expect(passed).toMatchObject({ exitCode: 0, stdout: 'out\n', stderr: '' });
    // Nothing continues after the end, because a runner would kill it.
    expect(filesOfRuns(sandbox)).toHaveLength(1);
    const failed = await sandbox.run(['run', ...sh('exit 3')], { env });
    expect(failed).toMatchObject({ exitCode: 3, stdout: '' });
    expect(failed.stderr).toMatch(/^envsnap: sh -c exit 3 failed \(exit code 3, /);
    expect(await sandbox.run(['run', '-q', ...sh('exit 3')], { env })).toMatchObject({
      stdout: '',
      stderr: '',
    });
    const refused = {
      ...env,
      ENVSNAP_BASE_URL: 'http://127.0.0.1:9',
      ENVSNAP_API_KEY: `mk_${'a'.repeat(64)}`,
    };
    for (const exitCode of [0, 3]) {
      const unrecorded = await sandbox.run(['run', ...sh(`exit ${exitCode}`)], { env: refused });
      expect(unrecorded).toMatchObject({ exitCode, stdout: '' });
      expect(unrecorded.stderr).toContain('the run was not recorded: ');
    }
    const fork = await sandbox.run(['run', ...sh('exit 0')], {
      env: { ...env, ENVSNAP_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect(fork).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('has the few variables that cron leaves: they are what the command had', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const { HOME, PATH } = sandbox.env;
    const words = ['-i', `HOME=${HOME}`, `PATH=${PATH}`, process.execPath, programs.cli, 'run', '--json'];
    const cron = spawn('env', [...words, ...sh('exit 0')], { cwd: sandbox.cwd, stdio: 'ignore' });
    await new Promise((resolve) => cron.once('close', resolve));
    const { document } = await sandbox.json(['compare', 'last-passed', 'local']);
    expect(document.notes.map(({ code }: { code: string }) => code)).not.toContain('reduced_environment');
    expect(document.diff.paths).toMatchObject([{ key: 'PATH' }]);
  });

  it('is kept for each of many runs in quick succession', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    for (let run = 0; run < 6; run += 1) await sandbox.run(['run', ...sh('exit 0')]);
    const { stdout } = await sandbox.run(['history', 'metadata.outcome.result', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ total: 6 });
  });

  it('is not kept if somebody installs packages while a passing run is still being recorded', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'package.json'), '{}');
    await sandbox.run(['run', ...sh('exit 0')]);
    // A slow tool that is started for its version after the command has ended.
    const tools = path.join(sandbox.home, 'tools');
    mkdirSync(tools);
    const npm = `#!/bin/sh
      until ls "$HOME"/.local/state/envsnap/.pending/*; do sleep 0.1; done; sleep 0.1
      mkdir -p '${sandbox.cwd}/node_modules'; echo 10.9.0`;
    writeFileSync(path.join(tools, 'npm'), npm, { mode: 0o755 });
    await sandbox.run(['run', ...sh('exit 0')], { env: { PATH: `${tools}:${sandbox.env.PATH}` } });
    const { stdout } = await sandbox.run(['history', 'metadata.outcome.result', '--json']);
    expect(readdirSync(sandbox.cwd)).toContain('node_modules');
    expect(JSON.parse(stdout)).toMatchObject({ total: 1 });
  });

  it('does not blame a file that the command itself changed, or somebody after it', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const lock = (version: string) =>
      JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/zod': { version } } });
    writeFileSync(path.join(sandbox.cwd, 'package.json'), '{}');
    writeFileSync(path.join(sandbox.cwd, 'package-lock.json'), lock('4.0.0'));
    writeFileSync(path.join(sandbox.cwd, 'new.json'), lock('5.0.0'));
    writeFileSync(path.join(sandbox.cwd, '.env'), 'APP_MODE=plain\n');
    writeFileSync(path.join(sandbox.cwd, '.ruby-version'), '3.1.0\n');
    writeFileSync(path.join(sandbox.cwd, 'go.mod'), 'module x\ngo 1.22\ntoolchain go1.22.4\n');
    writeFileSync(path.join(sandbox.cwd, 'engines.json'), '{"engines":{"node":">=99"}}');
    await runJson(sandbox, ['--of', 'files'], 'exit 0');
    const changes = `cat new.json > package-lock.json; echo APP_MODE=strict > .env; echo 3.2.0 > .ruby-version
      cat engines.json > package.json; printf 'module x\\ngo 1.99\\ntoolchain go1.99.4\\n' > go.mod; exit 1`;
    const { document } = await runJson(sandbox, ['--of', 'files'], changes);
    const blamed = /zod|APP_MODE|ruby-version|engines|go\.mod/;
    expect(JSON.stringify(document.comparison.causes)).not.toMatch(blamed);
    const { message } = document.comparison.notes.find(({ code }: { code: string }) => code === 'unknown');
    expect(message.split('go.mod')).toHaveLength(2);
    // It belongs to the next run.
    const next = await runJson(sandbox, ['--of', 'files'], 'exit 1');
    const causes = JSON.stringify(next.document.comparison.causes);
    for (const word of ['zod 4.0.0 → 5.0.0', '.env:APP_MODE', '.ruby-version', 'package.json engines'])
      expect(causes).toContain(word);
  });

  it('is the default baseline, shows the user’s own values, and contains no secret', async () => {
    const sandbox = createSandbox();
    const env = (token: string) => ({ API_TOKEN: `canary-value-${token}-81723` });
    await sandbox.run(['run', '--of', 'modes', ...sh('exit 0')], { env: env('one') });
    const strict = { APP_MODE: 'strict', ...env('two') };
    await sandbox.run(['run', '-q', '--of', 'modes', ...sh('exit 1')], { env: strict });
    // Another command that passes is not a baseline for the failed one.
    await sandbox.run(['run', '-q', '--', 'true'], { env: { APP_MODE: 'other' } });
    const { document } = await sandbox.json(['compare'], { env: { ...strict, ...env('one') } });
    expect(document.a.label).toBe('last-passed');
    expect(document.causes[0]).toMatchObject({ section: 'env', keys: ['APP_MODE'] });
    const elsewhere = await sandbox.run(['compare'], { env: env('one') });
    expect(elsewhere.exitCode).toBe(0);
    expect(elsewhere.stderr).toContain('envsnap compare last-passed last-failed');
    const pair = await sandbox.json(['compare', 'last-passed', 'last-failed']);
    expect(pair.document.causes.map(({ keys }: { keys: string[] }) => keys)).toContainEqual(['APP_MODE']);
    const status = Object.fromEntries(
      pair.document.diff.envVars.map((each: { key: string; status: string }) => [each.key, each.status]),
    );
    // Secrets are stored as fingerprints under a separate key, in files that nobody else can read.
    expect(status.API_TOKEN).toBe('changed');
    expect(JSON.stringify(pair.document)).not.toContain('canary');
    const store = storeOf(sandbox);
    expect(statSync(store).mode & 0o777).toBe(0o700);
    for (const name of [
      'fingerprint-key',
      ...readdirSync(path.join(store, 'runs')).map((file) => `runs/${file}`),
    ])
      expect(statSync(path.join(store, name)).mode & 0o777).toBe(0o600);
  });

  it('is skipped once it is damaged', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await sandbox.run(['run', '--json', ...sh('exit 0')]);
    await sandbox.run(['run', '-q', '--of', 'lint', ...sh('exit 1')]);
    const { document: page } = await sandbox.json(['snapshot', 'list', '--limit', '1']);
    expect(page).toMatchObject({ total: 2, next: page.snapshots[0].id });
    const { document: last } = await sandbox.json(['snapshot', 'list', '--limit', '1', '--offset', '1']);
    expect(last.next).toBe(null);
    const { document: kept } = await sandbox.json(['snapshot', 'list', '--outcome-of', 'lint']);
    expect(kept).toMatchObject({ total: 1, snapshots: [{ metadata: { outcome: { result: 'failed' } } }] });
    const store = storeOf(sandbox);
    writeFileSync(path.join(store, 'fingerprint-key'), '');
    // One is truncated, the other contains other bytes.
    for (const [place, file] of filesOfRuns(sandbox).entries())
      writeFileSync(file, place === 0 ? '' : Buffer.alloc(statSync(file).size));
    expect((await sandbox.json(['snapshot', 'list'])).document.total).toBe(0);
    const next = await runJson(sandbox, [], 'exit 0');
    const { document, exitCode } = await sandbox.json(['compare', 'last-passed:sh -c exit 0', 'local']);
    expect(document.a.id).toBe(next.document.id);
    expect(exitCode).toBe(0);
    expect(statSync(path.join(store, 'fingerprint-key')).size).toBe(64);
    expect((await sandbox.run(['snapshot', 'list', '--from', 'noon'])).exitCode).toBe(2);
  });

  it('is skipped while it cannot be read, and is kept', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await sandbox.run(['run', '--json', ...sh('exit 0')]);
    const [file = ''] = filesOfRuns(sandbox);
    rmSync(file);
    // Reading it fails for root too.
    mkdirSync(file);
    expect((await sandbox.json(['snapshot', 'list'])).document.total).toBe(0);
    expect(statSync(file).isDirectory()).toBe(true);
  });

  it('is shown, as a snapshot in a file is', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await sandbox.run(['capture', '--output', 'here.json', '--machine-name', 'anna']);
    const shown = await sandbox.run(['snapshot', 'show', 'here.json']);
    expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^machine +anna$/m) });
    expect(shown.stdout).not.toMatch(/undefined|^id /m);
    await sandbox.run(['run', '--json', ...sh('exit 0')]);
    expect((await sandbox.run(['snapshot', 'show', 'last-passed'])).stdout).toContain(
      'passed (sh -c exit 0)',
    );
  });

  it('says so if it cannot be stored', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const env = { XDG_STATE_HOME: path.join(sandbox.cwd, 'file') };
    writeFileSync(env.XDG_STATE_HOME, '');
    const { stdout, exitCode } = await sandbox.run(['run', '--json', ...sh('exit 3')], { env });
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).error.message).toContain('a part of the path is not a folder');
  });

  it('counts attempts at one commit, and says how long it took and which tests failed', async () => {
    const sandbox = createSandbox();
    const report = `<testsuites><testsuite name="s">
      <testcase classname="A" name="adds"/><testcase classname="A" name="twin"/><testcase classname="B" name="twin"><failure message="no"/></testcase>
      <testcase classname="A" name="slow"><flakyFailure message="once"/></testcase><testcase classname="A" name="left"><skipped/></testcase>
    </testsuite></testsuites>`;
    writeFileSync(path.join(sandbox.cwd, 'old.xml'), report.replace('adds', 'stale'));
    writeFileSync(path.join(sandbox.cwd, 'made.xml'), report);
    const past = new Date(Date.now() - 60_000);
    for (const name of ['old.xml', 'made.xml']) utimesSync(path.join(sandbox.cwd, name), past, past);
    const script = 'cat made.xml > new.xml; exit 1';
    const { document, exitCode } = await runJson(sandbox, ['--junit', '*.xml'], script);
    expect(exitCode).toBe(1);
    expect(document.outcome).toMatchObject(junitOutcome);
    expect(document.outcome.durationMs).toBeGreaterThan(0);
  });

  it('answers why one test fails among others, and history and matrix, without a server', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    mkdirSync(path.join(sandbox.cwd, 'reports'));
    const ctrf = (tests: readonly { name: string; status: string }[]) =>
      JSON.stringify({ results: { tests } });
    for (let run = 0; run < 12; run += 1) {
      const breaks = run % 2 === 0;
      const tests = [
        { name: 'dates', status: breaks ? 'failed' : 'passed' },
        { name: 'other', status: run % 3 === 0 ? 'failed' : 'passed' },
      ];
      const file = path.join(sandbox.cwd, 'report.json');
      writeFileSync(file, ctrf(tests));
      const env = { APP_ZONE: breaks ? 'east' : 'west', NOISE: String(run % 5) };
      const script = 'cat report.json > out.json; exit 1';
      await sandbox.run(['run', '-q', '--of', 'daily', '--ctrf', 'out.json', ...sh(script)], { env });
    }
    const { document, exitCode } = await sandbox.json(['why', '--test', 'dates']);
    expect(document.runs).toEqual({ passed: 6, failed: 6 });
    expect(document.findings[0].keys[0]).toBe('env:APP_ZONE');
    expect(exitCode).toBe(0);
    const history = await sandbox.json(['history', 'env:APP_ZONE']);
    expect(history.document.series[0].changes).toHaveLength(12);
    expect(history.document.series[0].changes[0].value).toMatch(/^(?:east|west)$/);
    const unknown = await sandbox.run(['why', '--test', 'no such test']);
    expect(unknown).toMatchObject({ exitCode: 4, stdout: '' });
    expect(unknown.stderr).toContain('no test called "no such test" ran in any of 12 runs');
    const unnamed = await sandbox.run(['why', '--outcome-of', 'nightly']);
    expect(unnamed).toMatchObject({ exitCode: 4, stdout: '' });
    expect(unnamed.stderr).toContain('no run of nightly is recorded here\nThere are runs of daily.');
    for (const [asked, of] of [
      [[], ''],
      [['--outcome-of', 'daily'], ' of daily'],
    ] as const) {
      const elsewhere = await sandbox.run(['why', '--machine', 'no such machine', ...asked]);
      expect(elsewhere).toMatchObject({ exitCode: 4, stdout: '' });
      expect(elsewhere.stderr).toContain(
        `no run${of} of machine "no such machine" is recorded here\nMachines: `,
      );
    }
    const matrix = await sandbox.json(['matrix', '--key', 'env:APP_ZONE']);
    expect(matrix.document.machines).toHaveLength(1);
    expect(matrix.document.rows).toContainEqual(
      expect.objectContaining({ key: 'env:APP_ZONE', values: ['west'] }),
    );
    expect(matrix.document.rows.map(({ key }: { key: string }) => key)).not.toContain('metadata.outcome');
  });
});

describe('a run without one to compare with', () => {
  const project = (sandbox: Sandbox, files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(sandbox.cwd, name)), { recursive: true });
      writeFileSync(path.join(sandbox.cwd, name), text);
    }
  };

  it.each(firstFailures.map((each, place) => ({ ...each, isWhole: place === 0 })))(
    'says $says, or how to get a baseline',
    async ({ files, env, stderr: said, first, not, isWhole }) => {
      const sandbox = createSandbox();
      project(sandbox, files);
      const words = ['sh', '-c', `cat ${path.join(sandbox.home, 'said')} >&2; exit 1`];
      writeFileSync(path.join(sandbox.home, 'said'), said);
      // The first is a whole run. The others are only recorded, which takes a tenth of the time.
      const ran = isWhole
        ? (await sandbox.run(['run', '--', ...words], { env })).stderr
        : await recorded(sandbox, words, said, env);
      for (const line of first) expect(ran).toContain(line);
      expect(ran).not.toContain(not);
      expect(ran).toMatch(/ {2}If it still fails: envsnap capture --output /);
    },
  );

  /** The message about a command that failed, as `run` asks for it. */
  async function recorded(sandbox: Sandbox, command: string[], stderr: string, env: Record<string, string>) {
    // Files that change after the start count as unknown, and these have just been written.
    const request = { flags: {}, command, startedAt: Date.now() + 1000 };
    const end = { exitCode: 1, signal: null, durationMs: 100, answers: true, stdout: '', stderr };
    const stdin = `${JSON.stringify(request)}\n${JSON.stringify(end)}\n`;
    return (await sandbox.run(['record-run'], { env, stdin })).stdout;
  }

  it('says if nothing is missing, and keeps secrets out of the name and the stored command', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    project(sandbox, { 'a.txt': '' });
    const words = ['--', 'sh', '-c', 'exit 1', 'deploy', '--password', 'canary-81723-value'];
    const { stderr } = await sandbox.run(['run', ...words]);
    expect(stderr).toMatch(/^envsnap: sh -c exit 1 deploy --password \[redacted\] failed /);
    expect(stderr).toContain('This machine has what the project declares and locks.');
    const { stdout } = await sandbox.run(['snapshot', 'list', '--json']);
    expect(stdout).toContain('deploy --password [redacted]');
    expect(stdout).not.toContain('canary');
    expect(stdout).not.toContain('"command"');
    await sandbox.run(['run', ...sh('exit 1')]);
    const why = await sandbox.run(['why', '--outcome-of', 'sh -c exit 1']);
    expect(why.stdout).toContain("To record one: envsnap run -- sh -c 'exit 1'\n");
    expect(runNameOf(['node', '-e', 'x '.repeat(200)])).toHaveLength(100);
    expect(runNameOf(['curl', 'https://anna:secret-81@host/x', 'behind'])).toBe('curl [redacted]');
  });

  it('knows a command that was not found, and compares nothing', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    project(sandbox, {
      'package.json': '{"scripts":{"lint":"eslint ."},"devDependencies":{"checkstyle":"1.0.0"}}',
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: {
          'node_modules/checkstyle': { version: '1.0.0' },
          'node_modules/prettify': { version: '2.0.0' },
        },
      }),
    });
    mkdirSync(path.join(sandbox.cwd, 'node_modules/.bin'), { recursive: true });
    writeFileSync(path.join(sandbox.cwd, 'node_modules/.bin/prettify'), '', { mode: 0o755 });
    const run = async (...command: string[]) => (await sandbox.run(['run', '--', ...command])).stderr;
    const first = (name: string) => `envsnap: ${name}: command not found\n`;
    expect(await run('lint')).toBe(
      `${first('lint')}  package.json has a script lint.\n  Next: npm run lint\n`,
    );
    expect(await run('checkstyle')).toBe(
      `${first('checkstyle')}  package-lock.json has it, but it is not installed.\n  Next: npm ci\n`,
    );
    expect(await run('prettify', '--check')).toBe(
      `${first('prettify')}  It is in node_modules/.bin, which is not on PATH.\n  Next: npx prettify --check\n`,
    );
    expect(await run('pnmp', 'test')).toBe(`${first('pnmp')}  Did you mean pnpm?\n`);
    const bare = await sandbox.run(['run', '--', 'npm', 'test'], { env: { PATH: sandbox.cwd } });
    expect(bare.stderr).toBe(`${first('npm')}  It comes with node, which was not found either.\n`);
    expect((await sandbox.json(['snapshot', 'list'])).document.total).toBe(0);
    const mistyped = await findMissingScript(['npm', 'run', 'lnit', '--', '--fix'], sandbox.cwd);
    expect(mistyped).toMatchObject({
      known: [expect.any(String), 'Did you mean lint?'],
      next: 'npm run lint -- --fix',
    });
    const inside = await run('sh', '-c', 'checkstyle src');
    expect(inside).toMatch(
      /envsnap: sh -c checkstyle src failed \(exit code 127, .*\): checkstyle was not found\.\n/,
    );
    expect(inside).toContain('  Next: npm ci\n');
    expect(await run('sh', '-c', 'tre .')).toContain('  tre is not installed here, or its folder is not on');
    writeFileSync(path.join(sandbox.cwd, 'build.sh'), '#!/bin/sh\r\nls\r\n', { mode: 0o755 });
    const named =
      'envsnap: ./build.sh: its first line names /bin/sh followed by a carriage return (a Windows line ending)';
    expect(await run('./build.sh')).toContain(named);
    const { stdout } = await sandbox.run(['run', '--json', '--', 'lint']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: null,
      exitCode: 127,
      comparison: null,
      notFound: { name: 'lint' },
    });
  });
});

describe('what a run reads automatically after a failure', () => {
  it('is the report that a runner leaves, and the failures in the cache of pytest', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const report =
      '<testsuite><testcase name="dates"><failure message="SHOP_ZONE is wrong"/></testcase></testsuite>';
    writeFileSync(path.join(sandbox.cwd, 'made.xml'), report);
    const write =
      'mkdir -p target/surefire-reports reports && cat made.xml > target/surefire-reports/TEST-a.xml';
    const run = (script: string, zone: string) =>
      sandbox.run(['run', '--of', 'mvn', ...sh(script)], { env: { SHOP_ZONE: zone } });
    await run('exit 0', 'east');
    const { stderr } = await run(`${write}; echo '<coverage/>' > reports/coverage.xml; exit 1`, 'west');
    expect(stderr).toMatch(/^envsnap: mvn failed \(.*\), 1 failed test: dates\. Likeliest causes/);
    expect(stderr).toMatch(/ {2}1\. SHOP_ZONE .* The output says: SHOP_ZONE is wrong\n/);
    expect(stderr).not.toContain('Note:');
    // An older report belongs to another run.
    expect((await run('exit 1', 'west')).stderr).not.toContain('failed test');
    const cache = '.pytest_cache/v/cache';
    const pytest = `mkdir -p ${cache}; echo '{"test_a.py::test_dates": true, "test_b.py::test_old": true, "test_b.py": true}' > ${cache}/lastfailed; echo '[]' > ${cache}/nodeids; exit 1`;
    expect((await run(pytest, 'west')).stderr).toContain(
      ', 2 failed tests: test_a.py::test_dates, test_b.py. ',
    );
  });

  it.skipIf(spawnSync('tmux', ['-V']).error)(
    'is the pane of tmux that the command wrote to',
    { tags: 'release' },
    async () => {
      const sandbox = createSandbox();
      const tmux = (...args: string[]) =>
        spawnSync('tmux', ['-S', path.join(sandbox.home, 'tmux'), ...args], {
          cwd: sandbox.cwd,
          env: { ...sandbox.env, PATH: process.env.PATH, TERM: 'xterm' },
          encoding: 'utf8',
        }).stdout;
      cleanUpAfterTest(() => tmux('kill-server'));
      writeFileSync(path.join(sandbox.cwd, '.env.example'), 'SHOP_DATABASE=\n');
      // 60 lines scroll out of the pane, and what was there before belongs to another command.
      const script = 'test -t 1 && seq 60; echo "Error: SHOP_DATABASE is required"; exit 1';
      writeFileSync(path.join(sandbox.cwd, 'fails.sh'), script);
      const run = `${process.execPath} ${programs.cli} run -- sh fails.sh`;
      tmux(...words`-f /dev/null new-session -d -x 100 -y 30`, `echo "Error: earlier"; ${run}; sleep 60`);
      await expect.poll(() => tmux('capture-pane', '-p', '-S', '-'), { timeout: 30_000 }).toContain('Next:');
      const shown = tmux('capture-pane', '-p', '-J', '-S', '-');
      expect(shown).toContain('The output says: Error: SHOP_DATABASE is required');
      expect(shown).not.toContain('The output says: Error: earlier');
      expect(shown).not.toContain('was not read');
    },
  );
});

/** Runs with `--json`, which must precede the command. */
async function runJson(sandbox: Sandbox, flags: readonly string[], script: string) {
  const finished = await sandbox.run(['run', '--json', ...flags, ...sh(script)]);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  return { ...finished, document: JSON.parse(finished.stdout) as any };
}

describe('a failure that explains itself', () => {
  it('is explained by this machine although nothing differs, on the screen and in --json', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await sandbox.run(['run', ...sh('true')]);
    const script = 'echo "connect ECONNREFUSED 127.0.0.1:1" >&2; exit 1';
    const sentence = 'Nothing listens on port 1 of this machine: start the program that should listen there.';
    const { stderr } = await sandbox.run(['run', '--of', 'sh', ...sh(script)]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(sentence);
    writeFileSync(path.join(sandbox.cwd, 'log.txt'), 'connect ECONNREFUSED 127.0.0.1:1\n');
    const own = await sandbox.run(['compare', 'last-failed:sh', 'local', '--failure', 'log.txt', '--json']);
    expect(JSON.parse(own.stdout).notes[0]).toEqual({ code: 'failure_explained', message: sentence });
    const issue = await sandbox.run(['issue', '--failure', 'log.txt']);
    expect(issue.stdout).toContain(sentence);
  });
});
