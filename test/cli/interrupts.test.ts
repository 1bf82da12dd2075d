// Ctrl-C and SIGTERM end the program, whatever its threads do, and end what it has started.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../support/programs.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function endWhileBusy(signal: 'SIGINT' | 'SIGTERM', args: readonly string[]): Promise<void> {
  const sandbox = createSandbox();
  const busy = path.join(sandbox.home, 'busy');
  const preload = path.join(sandbox.home, 'preload.mjs');
  writeFileSync(
    preload,
    `import { writeFileSync } from 'node:fs';
     import { isMainThread } from 'node:worker_threads';
     if (!isMainThread) {
       writeFileSync(${JSON.stringify(busy)}, '');
       for (;;);
     }`,
  );
  const running = sandbox.start([...args], { nodeArgs: ['--import', preload] });
  await expect.poll(() => existsSync(busy)).toBe(true);
  running.child.kill(signal);
  const ended = await running.finished;
  expect(ended.signal ?? ended.exitCode).toBe(signal);
}

describe('an interrupted command', () => {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const commands: readonly (readonly string[])[] = [
    ['capture', '--dry-run'],
    ...(process.platform === 'linux' ? [['capture', `pid:${process.pid}`, '--dry-run']] : []),
    ['check'],
    ['doctor'],
  ];
  const title = 'ends by %s although a file keeps the thread that reads it busy for ever: %j';
  const all = commands.flatMap((args) => signals.map((signal) => [signal, args] as const));
  it.each([['SIGINT', ['capture', '--dry-run']]] as const)(title, endWhileBusy);
  it.each(all)(title, { tags: 'release' }, endWhileBusy);

  for (const [signal, args] of [
    ['SIGINT', ['compare', 'a.json', 'b.json']],
    ['SIGTERM', ['why', '--passed', 'a.json', '--failed', 'b.json']],
    ['SIGINT', ['snapshot', 'export', 'a.json', '--format', 'shell']],
    ['SIGINT', ['bisect', 'a.json', 'b.json', '--', 'true']],
  ] as const)
    it(`ends by ${signal} on a terminal although ${args[0]} keeps the main thread busy forever`, {
      tags: args[0] === 'compare' ? [] : 'release',
    }, async () => {
      const sandbox = createSandbox();
      const busy = path.join(sandbox.home, 'busy');
      const preload = path.join(sandbox.home, 'preload.mjs');
      writeFileSync(
        preload,
        `import { writeFileSync } from 'node:fs';
       import { isMainThread } from 'node:worker_threads';
       // On a terminal, which shows progress.
       if (isMainThread) Object.assign(process.stderr, { isTTY: true, getWindowSize: () => [80, 24] });
       const { parse } = JSON;
       JSON.parse = (text, ...rest) => {
         if (!String(text).includes('a-machine')) return parse(text, ...rest);
         writeFileSync(${JSON.stringify(busy)}, '');
         for (;;);
       };`,
      );
      for (const file of ['a.json', 'b.json'])
        writeFileSync(path.join(sandbox.cwd, file), JSON.stringify({ machineName: 'a-machine' }));
      const running = sandbox.start([...args], { nodeArgs: ['--import', preload] });
      await expect.poll(() => existsSync(busy)).toBe(true);
      running.child.kill(signal);
      const ended = await running.finished;
      expect(ended.signal ?? ended.exitCode).toBe(signal);
    });

  it('ends with a document, and leaves no program that it has started', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const bin = path.join(sandbox.home, 'bin');
    mkdirSync(bin);
    const file = path.join(sandbox.home, 'pid');
    writeFileSync(
      path.join(bin, 'jq'),
      `#!/bin/sh\necho $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 300\n`,
      { mode: 0o755 },
    );
    const env = { PATH: `${bin}:${sandbox.env.PATH}` };
    const running = sandbox.start(['capture', '--dry-run', '--json'], { env });
    await expect.poll(() => existsSync(file)).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    running.child.kill('SIGINT');
    const { exitCode, signal, stdout } = await running.finished;
    // A busy machine may take longer to end the thread than the program waits for it.
    expect([130, 'SIGINT']).toContain(exitCode ?? signal);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'interrupted' });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
