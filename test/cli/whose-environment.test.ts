// pid:N, shell:…, unit: and container: as sides of a comparison and as targets of a capture, run as processes.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { createSandbox, programs, type Sandbox } from '../support/programs.ts';

/** Starts a process that waits; resolves with its id once it has begun. */
async function waiting(sandbox: Sandbox, script: string, env: Record<string, string>, cwd = sandbox.cwd) {
  const child = spawn('sh', ['-c', `${script}; echo ready; exec sleep 60`], {
    cwd,
    env: { ...sandbox.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAfterTest(() => child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid as number;
}

function stateOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

describe('another process', () => {
  it('is captured with its variables, folder, limits and mask', async () => {
    const sandbox = createSandbox();
    const folder = path.join(sandbox.cwd, 'elsewhere');
    mkdirSync(folder);
    writeFileSync(path.join(folder, '.nvmrc'), '20.1.0\n');
    const pid = await waiting(sandbox, 'ulimit -n 123; umask 027', { APP_MODE: 'agent' }, folder);
    await sandbox.run(['capture', `pid:${pid}`, '--output', 'agent.json']);
    const { envVars, metadata } = JSON.parse(readFileSync(path.join(sandbox.cwd, 'agent.json'), 'utf8'));
    expect(envVars.APP_MODE).toBe('agent');
    expect(metadata.facts['process.umask']).toBe('0027');
    expect(metadata.facts['limits.openFiles']).toBe(123);
    expect(metadata.toolchain).toHaveProperty('node');
  });

  it('says in a sentence what it lacks compared with this one: a version manager, the SSH agent, variables', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const folder = path.join(sandbox.home, '.nvm/versions/node/v1.2.3/bin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'node'), '#!/bin/sh\necho v1.2.3\n', { mode: 0o755 });
    const pid = await waiting(sandbox, ':', {});
    const env = { PATH: `${folder}:${sandbox.env.PATH}`, SSH_AUTH_SOCK: '/run/agent', SHOP_KEY: 'x' };
    const { document } = await sandbox.json(['compare', 'local', `pid:${pid}`, '--dir', '.'], { env });
    expect(document.notes).toContainEqual({
      code: 'lacking',
      message: `pid:${pid}: no nvm, so node ${process.versions.node} of the system; no SSH_AUTH_SOCK; no SHOP_KEY.`,
    });
    const files = await sandbox.json(['compare', 'local', 'local', '--dir', '.'], { env });
    expect(files.document.notes.map(({ code }: { code: string }) => code)).not.toContain('lacking');
  });

  it('says what it has that this machine lacks, and nothing else', async () => {
    const sandbox = createSandbox();
    const pid = await waiting(sandbox, ':', { APP_MODE: 'agent' });
    const { document } = await sandbox.json(['compare', 'local', `pid:${pid}`, '--dir', '.']);
    expect(document.causes.map(({ keys }: { keys: string[] }) => keys)).toEqual([['APP_MODE']]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'of another user starts nothing that its variables lead to',
    { tags: 'release' },
    async () => {
      const sandbox = createSandbox();
      const [tools, marker] = [path.join(sandbox.home, 'tools'), path.join(sandbox.home, 'was-started')];
      mkdirSync(tools);
      writeFileSync(path.join(tools, 'node'), `#!/bin/sh\n: >${marker}; echo v1.2.3\n`, { mode: 0o755 });
      const env = { ...sandbox.env, PATH: `${tools}:${sandbox.env.PATH}` };
      const capture = async (uid: number) => {
        const child = spawn('/bin/sleep', ['60'], { cwd: '/', env, uid, stdio: 'ignore' });
        cleanUpAfterTest(() => child.kill('SIGKILL'));
        const { exitCode } = await sandbox.run(['capture', `pid:${child.pid}`, '--dir', '.', '--dry-run']);
        return [exitCode, existsSync(marker)];
      };
      expect(await capture(65_534)).toEqual([0, false]);
      expect(await capture(0)).toEqual([0, true]);
    },
  );

  it('whose folder was deleted is captured from another', async () => {
    const sandbox = createSandbox();
    const folder = path.join(sandbox.cwd, 'gone');
    mkdirSync(folder);
    const pid = await waiting(sandbox, ':', { APP_MODE: 'agent' }, folder);
    rmSync(folder, { recursive: true });
    const refused = await sandbox.run(['capture', `pid:${pid}`, '--dry-run']);
    expect(refused).toMatchObject({ exitCode: 4, stdout: '' });
    expect(refused.stderr).toContain(`the folder of process ${pid} was deleted`);
    const { document } = await sandbox.json(['capture', `pid:${pid}`, '--dir', '.', '--dry-run']);
    expect(document.envVars.APP_MODE).toBe('agent');
  });

  it('that overwrote its variables is an error, not a process without variables', async () => {
    const sandbox = createSandbox();
    const titled = '$| = 1; $0 = "x" x 100_000; print "ready"; sleep 60';
    const child = spawn('/usr/bin/perl', ['-e', titled], {
      env: sandbox.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanUpAfterTest(() => child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const finished = await sandbox.run(['capture', `pid:${child.pid}`, '--dir', '.', '--dry-run']);
    expect(finished.exitCode).toBe(7);
    expect(finished.stderr).toContain(`process ${child.pid} has overwritten its variables`);
  });

  it('that has ended, or is a kernel thread, is reported as such', async () => {
    const sandbox = createSandbox();
    // The program that replaces the shell waits for none of its children.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanUpAfterTest(() => parent.kill('SIGKILL'));
    const ended = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const isSleep = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n';
    await vi.waitUntil(isSleep, { timeout: 60_000 });
    process.kill(ended, 'SIGKILL');
    const isZombie = () => readFileSync(`/proc/${ended}/stat`, 'utf8').includes(') Z ');
    await vi.waitUntil(isZombie, { timeout: 60_000 });
    const kernel = readdirSync('/proc').find((pid) => stateOf(pid).match(/^PPid:\t2$/m));
    for (const [pid, reason] of [
      [ended, 'has ended'],
      ...(kernel === undefined ? [] : [[kernel, 'is a thread of the kernel'] as const]),
    ] as const) {
      const { exitCode, document } = await sandbox.json(['capture', `pid:${pid}`, '--dry-run']);
      expect([exitCode, document.error.message]).toEqual([
        4,
        expect.stringContaining(`process ${pid} ${reason}`),
      ]);
    }
  });

  it('that ended since it was looked up is refused by the thread of the capture, too', async () => {
    const thread = new Worker(path.join(path.dirname(programs.cli), 'capture-thread.js'));
    const answer = new Promise((resolve) => thread.once('message', resolve));
    thread.postMessage({ request: { dir: '.' }, view: { kind: 'process', pid: 2 ** 30 }, reports: false });
    expect(await answer).toMatchObject({ kind: 'refused', code: 'process_not_found' });
    await thread.terminate();
  });

  it('that does not exist, or an invalid name, is an error with its own exit code', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const outcome = async (reference: string) => {
      const { exitCode, document } = await sandbox.json(['capture', reference, '--dry-run']);
      return [exitCode, document.error.code];
    };
    expect(await outcome('pid:2147483646')).toEqual([4, 'process_not_found']);
    expect(await outcome('unit:no-such-unit')).toEqual([4, 'process_not_found']);
    expect(await outcome(`container:${'0'.repeat(12)}`)).toEqual([4, 'process_not_found']);
    expect(await outcome('container:x')).toEqual([2, 'invalid_reference']);
    expect(await outcome('shell:other')).toEqual([2, 'invalid_reference']);
    expect(await outcome('nobody')).toEqual([2, 'invalid_reference']);
  });
});

describe('the shell of the account', () => {
  it('starts with nothing from the caller in its environment', async () => {
    const sandbox = createSandbox();
    const env = { CALLER_ONLY: '1' };
    const { document } = await sandbox.json(['capture', 'shell:login', '--dry-run'], { env });
    expect(document.envVars).not.toHaveProperty('CALLER_ONLY');
    expect(document.envVars.PATH).toContain('/bin');
    expect(document.metadata.capture.envValues).toBe('safe');
  });
});
