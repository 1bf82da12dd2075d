// Running programs on the real machine: limits of time and output, and nothing left behind.

import { mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { writeProgram } from '../../support/write-program.ts';

const system = createSystem();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'envsnap-execute-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function script(name: string, body: string): Promise<string> {
  const file = join(folder, name);
  writeProgram(file, `#!/bin/sh\n${body}\n`);
  return file;
}

/** Resolves once the process has ended; the test's time limit rejects if it never ends. */
async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      if (/\) Z /.test(state)) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe.skipIf(process.platform === 'win32')('running a program', () => {
  test('returns what it wrote and its exit code', async () => {
    const file = await script('plain', 'echo out; echo err >&2; exit 3');
    const result = await system.execute(file, []);
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  test('passes arguments as they are, without a shell', async () => {
    const file = await script('args', 'printf "%s\\n" "$@"');
    const result = await system.execute(file, ['$HOME', '; rm -rf x', '`id`', 'a b']);
    expect(result.stdout).toBe('$HOME\n; rm -rf x\n`id`\na b\n');
  });

  test('kills a program that hangs, together with the children it started', async () => {
    const file = await script('hang', `sleep 600 & echo $! > ${folder}/child; sleep 600`);
    const result = await system.execute(file, [], { timeoutMs: 400 });
    expect(result).toMatchObject({ outcome: 'timeout', exitCode: null });
    await untilGone(Number(await readFile(join(folder, 'child'), 'utf8')));
  });

  test.runIf(process.platform === 'linux')(
    'kills what left the process group of a program that hangs, or that ended and left its output open',
    async () => {
      const away = (file: string) => `setsid sh -c 'echo $$ > ${folder}/${file}; exec sleep 600' &`;
      const hanging = await script('hang-away', `${away('hang-child')}\nsleep 600`);
      expect((await system.execute(hanging, [], { timeoutMs: 600 })).outcome).toBe('timeout');
      await untilGone(Number(await readFile(join(folder, 'hang-child'), 'utf8')));
      const wait = `while ! [ -s ${folder}/ended-child ]; do :; done`;
      const ended = await script('ended-away', `${away('ended-child')}\n${wait}\necho 1.2.3`);
      expect(await system.execute(ended, [])).toMatchObject({ outcome: 'exited', stdout: '1.2.3\n' });
      await untilGone(Number(await readFile(join(folder, 'ended-child'), 'utf8')));
    },
  );

  test('kills a program that floods its output and keeps only what fits', async () => {
    const file = await script('flood', 'while :; do echo flooding flooding flooding; done');
    const result = await system.execute(file, [], { maxOutputBytes: 1000 });
    expect(result.outcome).toBe('overflow');
    expect(result.stdout).toHaveLength(1000);
  });

  test('gives a program that asks for input an empty standard input', async () => {
    const file = await script('ask', 'echo "Continue? "; read answer || echo "no answer"');
    const result = await system.execute(file, []);
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'Continue? \nno answer\n' });
  });

  test('reports a program ended by a signal without an exit code', async () => {
    const file = await script('crash', 'kill -SEGV $$');
    expect(await system.execute(file, [])).toMatchObject({ outcome: 'exited', exitCode: null });
  });

  test('does not wait for a background child that keeps the output open, and ends it', async () => {
    const file = await script('daemon', `sleep 600 & echo $! > ${folder}/daemon-child; echo 1.2.3`);
    const result = await system.execute(file, [], { timeoutMs: 20_000 });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: '1.2.3\n' });
    await untilGone(Number(await readFile(join(folder, 'daemon-child'), 'utf8')));
  });

  test('loses no output while this process itself is busy', async () => {
    const file = await script('version', 'echo 1.2.3');
    let busy = true;
    const slice = (): void => {
      const untilMs = performance.now() + 120;
      while (performance.now() < untilMs);
      if (busy) setImmediate(slice);
    };
    setImmediate(slice);
    try {
      const outputs: string[] = [];
      for (let round = 0; round < 2; round += 1) {
        const results = await Promise.all(Array.from({ length: 8 }, () => system.execute(file, [])));
        outputs.push(...results.map((result) => `${result.outcome} ${result.stdout}`));
      }
      expect(new Set(outputs)).toEqual(new Set(['exited 1.2.3\n']));
    } finally {
      busy = false;
    }
  });

  test.runIf(process.platform === 'linux')(
    'gives a program that works more time than one that sleeps',
    async () => {
      const working = await script(
        'working',
        'i=0; while [ "$(cut -d. -f1 /proc/uptime)" -lt "$1" ]; do i=$((i+1)); done; echo 1.2.3',
      );
      const uptime = Number((await readFile('/proc/uptime', 'utf8')).split('.')[0]);
      const result = await system.execute(working, [String(uptime + 2)], { timeoutMs: 1000 });
      expect(result).toMatchObject({ outcome: 'exited', stdout: '1.2.3\n' });
    },
  );

  test('ends a program that works forever', async () => {
    const file = await script('endless', 'while :; do :; done');
    expect(await system.execute(file, [], { timeoutMs: 200 })).toMatchObject({ outcome: 'timeout' });
  });

  test('reports a file that cannot be started', async () => {
    expect(await system.execute(join(folder, 'absent'), [])).toMatchObject({ outcome: 'failed-to-start' });
    await writeFile(join(folder, 'no-bit'), '#!/bin/sh\n', { mode: 0o644 });
    expect(await system.execute(join(folder, 'no-bit'), [])).toMatchObject({ outcome: 'failed-to-start' });
    await symlink('circle', join(folder, 'circle'));
    expect(await system.execute(join(folder, 'circle'), [])).toMatchObject({ outcome: 'failed-to-start' });
  });

  test('runs outside the project and adds or removes variables as asked', async () => {
    const file = await script('where', 'pwd; /usr/bin/env');
    const result = await system.execute(file, [], { env: { ADDED: 'yes', HOME: undefined } });
    const [where, ...variables] = result.stdout.trim().split('\n');
    expect(where).not.toContain(process.cwd());
    expect(variables).toContain('ADDED=yes');
    expect(variables.filter((line) => line.startsWith('HOME='))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('reading files', () => {
  test('refuses devices and folders instead of reading forever', async () => {
    await expect(system.readFile('/dev/zero')).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(system.readFile(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test('refuses a whole file that is too large, and allocates no more of a range than there is', async () => {
    const file = join(folder, 'large');
    await writeFile(file, 'x');
    expect(await system.readFile(file, { offset: 0, length: 1e12 })).toHaveLength(1);
    await truncate(file, 256 * 1024 * 1024 + 1);
    await expect(system.readFile(file)).rejects.toMatchObject({ code: 'EFBIG' });
    await expect(system.readTextFile(file)).rejects.toMatchObject({ code: 'EFBIG' });
    expect(await system.readFile(file, { length: 10 })).toHaveLength(10);
  });

  test('writes a file in one step and leaves no temporary file', async () => {
    const file = join(folder, 'deep', 'cache.json');
    await system.writeFileAtomically(file, 'one');
    await system.writeFileAtomically(file, 'two');
    expect(await system.readTextFile(file)).toBe('two');
    expect((await system.readDirectory(join(folder, 'deep'))).map((entry) => entry.name)).toEqual([
      'cache.json',
    ]);
  });
});
