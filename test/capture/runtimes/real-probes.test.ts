// Probes on the real machine: what they leave behind, and the cost of tools that misbehave.

import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import type { CaptureOptions } from '../../../packages/capture/src/capture-types.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { writeProgram } from '../../support/write-program.ts';
import { plainOptions } from '../plain-options.ts';

let root: string;
let home: string;
let folder: string;
let bin: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'envsnap-probes-')));
  [home, folder, bin] = ['home', 'folder', 'bin'].map((name) => join(root, name)) as [string, string, string];
  await Promise.all([home, folder, bin].map((path) => mkdir(path)));
});
afterAll(() => rm(root, { recursive: true }));

function capture(env: Record<string, string | undefined>, options: Partial<CaptureOptions> = {}) {
  // A file that was just written is not cached: it may change again within the same tick of the clock.
  const now = () => Date.now() + 60_000;
  const system = { ...createSystem({ env: { HOME: home, ...env }, homeDir: home }), now };
  return captureEnvironment(system, { folder, ...plainOptions, ...options });
}

async function script(name: string, body: string, interpreter = '/bin/sh'): Promise<string> {
  const file = join(bin, name);
  writeProgram(file, `#!${interpreter}\n${body}\n`);
  return file;
}

/** Every entry below a folder, with the attributes that a change would alter. */
async function tree(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true });
  const lines = await Promise.all(
    ['.', ...names].map(async (name) => {
      const { mtimeMs, size, mode, ctimeMs } = await lstat(join(path, name));
      return [name, mtimeMs, ctimeMs, size, mode].join(' ');
    }),
  );
  return lines.sort();
}

describe.skipIf(process.platform === 'win32')('probes of the tools on this machine', () => {
  test('write nothing into the home folder, the captured folder or the repository', {
    tags: 'release',
  }, async () => {
    await writeFile(join(folder, 'package.json'), '{"name":"x","packageManager":"pnpm@9.0.0"}');
    await writeFile(join(folder, 'go.mod'), 'module x\n\ngo 1.99\n\ntoolchain go1.99.1\n');
    await writeFile(join(folder, 'rust-toolchain.toml'), '[toolchain]\nchannel = "1.2.3"\n');
    await mkdir(join(folder, '.git', 'refs', 'heads'), { recursive: true });
    await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    // Watched for changes of content and of times, the index of git among them.
    const before = [await tree(home), await tree(folder)];
    const { snapshot } = await capture({
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: undefined,
      XDG_CONFIG_HOME: undefined,
    });
    expect([await tree(home), await tree(folder)]).toEqual(before);
    expect(Object.keys(snapshot.runtimeVersions).length).toBeGreaterThan(0);
    await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true })));
  });

  test('run outside the captured folder, quiet, offline and without a terminal', async () => {
    await script('jq', `{ pwd; env; cat; [ -t 0 ] && echo tty; } > ${root}/seen; echo jq-1.7.1`);
    const { snapshot } = await capture({
      PATH: `${bin}:/usr/bin:/bin`,
      LANG: 'de_DE.UTF-8',
      https_proxy: 'http://proxy.example',
    });
    expect(snapshot.runtimeVersions.jq).toBe('1.7.1');
    const [where, ...variables] = (await readFile(join(root, 'seen'), 'utf8')).trim().split('\n');
    expect(where?.startsWith(folder)).toBe(false);
    expect(variables).toEqual(
      expect.arrayContaining([
        'LC_ALL=C',
        'https_proxy=http://127.0.0.1:9',
        'GOTOOLCHAIN=local',
        'HOMEBREW_NO_AUTO_UPDATE=1',
      ]),
    );
    expect(variables).not.toContain('tty');
  });
});

describe.skipIf(process.platform === 'win32')('tools that misbehave', () => {
  test('cost a warning each, never the capture', { tags: 'release' }, async () => {
    await rm(bin, { recursive: true });
    await mkdir(bin);
    await script('make', `echo $$ > ${root}/hanging; /bin/sleep 600 & echo $! > ${root}/hanging-child; wait`);
    await script('cmake', 'while :; do echo "cmake cmake cmake cmake cmake"; done');
    await script('ninja', 'kill -SEGV $$');
    await script('bison', 'echo "bison 3.8.2"; exit 1');
    await script('flex', 'echo "flex 1.2.3 has no licence" >&2; exit 9');
    await script('autoconf', 'read answer; echo "answer: $answer"');
    await script('m4', 'exit 0', '/nowhere/interpreter');
    await script('jq', 'echo jq-1.7.1 >&2');
    const { snapshot, report } = await capture({ PATH: bin });
    expect(snapshot.runtimeVersions).toEqual({ bison: '3.8.2', jq: '1.7.1' });
    const warnings = Object.fromEntries(
      report.warnings.map(({ code, message }) => [message.split(' ')[0], code]),
    );
    expect(warnings).toEqual({
      autoconf: 'probe_unreadable',
      cmake: 'probe_overflow',
      flex: 'probe_failed',
      m4: 'probe_failed_to_start',
      make: 'probe_timeout',
      ninja: 'probe_failed',
    });
    for (const name of ['hanging', 'hanging-child']) {
      const pid = Number(await readFile(join(root, name), 'utf8'));
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone');
      expect(state).toMatch(/^gone$|\) [ZX] /);
    }
  });

  test('are not started at all from the captured folder or a relative entry of PATH', async () => {
    await rm(bin, { recursive: true });
    await mkdir(bin);
    await writeFile(join(folder, 'jq'), `#!/bin/sh\ntouch ${root}/started\necho jq-6.6.6\n`, { mode: 0o755 });
    const { snapshot } = await capture({ PATH: `.::${bin}:./bin` });
    expect(snapshot.runtimeVersions).toEqual({});
    expect(await readdir(root)).not.toContain('started');
  });

  test('start their interpreter directly if a script leaves the lookup to env', async () => {
    await script('sh-from-path', `echo "$0 $*" >> ${root}/interpreted; exec /bin/sh "$@"`);
    await symlink(join(bin, 'sh-from-path'), join(bin, 'bash'));
    await script('jq', 'echo jq-1.2.3', '/usr/bin/env bash');
    const { snapshot } = await capture({ PATH: bin });
    expect(snapshot.runtimeVersions.jq).toBe('1.2.3');
    expect(await readFile(join(root, 'interpreted'), 'utf8')).toContain(`${join(bin, 'jq')} --version`);
  });
});

describe.skipIf(process.platform === 'win32')('what was learned about executables', () => {
  /** A program that is not a script: the system's own `true` and `echo` copied under a tool's name. */
  async function program(name: string, source: string): Promise<string> {
    const file = join(bin, name);
    writeProgram(file, await readFile(await realpath(source)));
    return file;
  }
  const cacheFile = (): string => join(root, 'cache', 'tool-versions.json');
  const sourcesOf = async (name: string) =>
    (await capture({ PATH: bin }, { cacheDir: join(root, 'cache') })).report.tools.find(
      (tool) => tool.name === name,
    );

  test('is reused while the file is the same, and asked for again when anything differs', async () => {
    await rm(bin, { recursive: true });
    await mkdir(bin);
    const file = await program('git', '/usr/bin/git');
    expect(await sourcesOf('git')).toMatchObject({ source: 'process' });
    const known = await sourcesOf('git');
    expect(known).toMatchObject({ source: 'cache' });
    await utimes(file, new Date(), new Date());
    expect(await sourcesOf('git')).toMatchObject({ source: 'process', version: known?.version });
    expect(await sourcesOf('git')).toMatchObject({ source: 'cache' });
    await writeFile(file, '#!/bin/sh\necho git version 9.9.9\n');
    expect(await sourcesOf('git')).toMatchObject({ source: 'process', version: '9.9.9' });
  });

  test('is never cached for scripts of users, which may start anything', async () => {
    await script('jq', 'echo jq-1.0.0');
    await sourcesOf('jq');
    expect(await sourcesOf('jq')).toMatchObject({ source: 'process' });
  });

  const damages: readonly [string, (text: string) => string][] = [
    ['cut off', (text) => text.slice(0, -5)],
    ['of another program', (text) => `x${text}`],
    ['without entries', (text) => text.split('\n')[0] ?? ''],
    ['empty', () => ''],
    ['full of nonsense', (text) => text.replaceAll(/"\d+\.[\d.]+"/g, '"$(rm -rf /)"')],
  ];
  for (const [place, [what, damage]] of damages.entries())
    test(`is read again from a file that is ${what}`, { tags: place === 0 ? [] : 'release' }, () =>
      isReadAgain(damage),
    );

  async function isReadAgain(damage: (text: string) => string): Promise<void> {
    await rm(bin, { recursive: true });
    await mkdir(bin);
    await program('git', '/usr/bin/git');
    await sourcesOf('git');
    const text = await readFile(cacheFile(), 'utf8');
    expect(damage(text)).not.toBe(text);
    await writeFile(cacheFile(), damage(text));
    expect(await sourcesOf('git')).toMatchObject({ source: 'process' });
    expect(await sourcesOf('git')).toMatchObject({ source: 'cache' });
  }

  test('survives captures at the same time, and a folder that cannot be written', {
    tags: 'release',
  }, async () => {
    await rm(join(root, 'cache'), { recursive: true });
    await Promise.all(Array.from({ length: 5 }, () => sourcesOf('git')));
    expect(await sourcesOf('git')).toMatchObject({ source: 'cache' });
    expect((await readdir(join(root, 'cache'), { recursive: true })).sort()).toEqual([
      'readings',
      expect.stringMatching(/^readings\/[0-9a-f]{2}\.json$/),
      'tool-versions.json',
    ]);
    const blocked = await capture({ PATH: bin }, { cacheDir: '/proc/nowhere' });
    expect(blocked.snapshot.runtimeVersions.git).toBeDefined();
  });
});
