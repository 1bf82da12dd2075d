// The program as a whole: version, help, usage errors, streams, signals.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { snapshotId, testKey } from '../sdk/support.ts';
import { createSandbox } from '../support/programs.ts';
import { startScriptedServer } from '../support/scripted-server.ts';

const packageFolder = path.resolve(import.meta.dirname, '../../packages/cli');
const runFile = JSON.stringify(path.join(packageFolder, 'bin/run.js'));

describe('envsnap', () => {
  it('prints one line with its version', async () => {
    const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'));
    for (const flag of ['--version', '-v']) {
      const { exitCode, stdout, stderr } = await createSandbox().run([flag]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^envsnap/${version} \\S+ node-v\\d+\\.\\d+\\.\\d+\n$`));
    }
  });

  it('shows help on standard output for no command, --help, -h, help, a topic and a command', async () => {
    const sandbox = createSandbox();
    for (const args of [[], ['--help'], ['-h'], ['help']]) {
      const { exitCode, stdout, stderr } = await sandbox.run(args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain('whoami');
    }
    for (const args of [['snapshot'], ['snapshot', '--help'], ['help', 'snapshot']]) {
      const { exitCode, stdout } = await sandbox.run(args);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('snapshot list');
    }
  });

  it.each([['--help'], ['run', '--help'], ['accept', '--help']])(
    'fits 60 columns: %s %s',
    async (...args) => {
      // The width is read once in a process, so this starts one.
      const options = { env: { OCLIF_COLUMNS: '60', NODE_NO_WARNINGS: '1' } };
      const { stdout } = await createSandbox().run(args, options);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    },
  );

  it('continues if the folders for caches, state and settings cannot be created, as below /proc', async () => {
    const sandbox = createSandbox();
    const nowhere = '/proc/nowhere/deep';
    const env = { XDG_CACHE_HOME: nowhere, XDG_STATE_HOME: nowhere, XDG_CONFIG_HOME: nowhere };
    expect((await sandbox.run(['profile', 'list'], { env })).exitCode).toBe(0);
    const ran = await sandbox.run(['run', '--', process.execPath, '-e', 'process.exitCode = 3'], { env });
    expect(ran.exitCode).toBe(3);
    expect((await sandbox.run(['capture', '--dry-run', '--json'], { env })).exitCode).toBe(0);
  });

  it('shows only the required words in the first line of usage', async () => {
    const sandbox = createSandbox();
    const usage = async (...words: string[]) =>
      (await sandbox.run([...words, '--help'])).stdout
        .split('\n')
        .find((line) => line.startsWith('  $ envsnap'));
    expect(await usage('compare')).toBe('  $ envsnap compare [A] [B] [FLAGS]');
    expect(await usage('accept')).toBe('  $ envsnap accept KEY --reason TEXT [FLAGS]');
    expect(await usage('matrix')).toBe('  $ envsnap matrix [MACHINE...] [FLAGS]');
    expect(await usage('bisect')).toBe('  $ envsnap bisect A [B] [FLAGS] -- COMMAND…');
  });

  it('names the nearest command for one that does not exist, and exits 2', async () => {
    const { exitCode, stdout, stderr } = await createSandbox().run(['snapshot', 'lst']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('envsnap snapshot list');
  });

  it('exits 2 for wrong flags and arguments, and says which', async () => {
    const sandbox = createSandbox();
    const cases: [string[], RegExp][] = [
      [['profile', 'list', '--jsn'], /unknown flag: --jsn\n.*--json/],
      [['profile', 'use'], /missing argument: name \(\S.*[^.]\)\n/],
      [['team', 'role'], /missing arguments: member \(.*\), role \(.*\)\n/],
      [
        ['snapshot', 'show'],
        /missing argument: id \([^)]* last-passed, last-failed, or a file that capture --output wrote\)\n/,
      ],
      [['profile', 'use', 'a', 'b'], /unexpected argument: b/],
      [['snapshot', 'list', '--limit', 'many'], /limit.*many|many/],
      [['key', 'create', '--role', 'owner'], /--role=owner/],
      [['--profile', 'x', 'whoami'], /command must come before/],
      [['--json'], /command must come before/],
    ];
    for (const [args, message] of cases) {
      const finished = await sandbox.run(args);
      expect(finished.exitCode, args.join(' ')).toBe(2);
      expect(finished.stdout + finished.stderr).toMatch(message);
    }
  });

  it('reports usage errors as one JSON document on standard output when --json is given', async () => {
    const sandbox = createSandbox();
    for (const args of [['nothing'], ['snapshot'], ['profile', 'use'], ['profile', 'list', '--what']]) {
      const env = args[0] === 'nothing' ? { NODE_ENV: 'development' } : {};
      const { exitCode, stderr, document } = await sandbox.json(args, { env });
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
      expect(document).toEqual({
        error: expect.objectContaining({ code: 'usage', exitCode: 2, message: expect.any(String) }),
      });
    }
  });

  it('takes --json after -- for an argument and not for a flag', async () => {
    const { exitCode, stdout } = await createSandbox().run(['profile', 'use', '--', '--json']);
    expect(exitCode).toBe(4);
    expect(stdout).toBe('');
  });

  it('takes --json before the command, and a -- that a package runner puts there', async () => {
    const sandbox = createSandbox();
    for (const args of [
      ['--json', 'profile', 'use', 'x'],
      ['--', 'profile', 'use', 'x', '--json'],
      ['--json', 'profile', 'use', '--', 'x'],
    ]) {
      const { exitCode, stdout } = await sandbox.run(args);
      expect(exitCode).toBe(4);
      expect(JSON.parse(stdout).error.code).toBe('profile_not_found');
    }
  });

  it.runIf(existsSync('/dev/full'))(
    'exits 7 with one line when standard output cannot be written',
    async () => {
      const sandbox = createSandbox();
      for (const args of [['--help'], ['profile', 'list', '--json']]) {
        const line = `${JSON.stringify(process.execPath)} ${runFile} ${args.join(' ')} > /dev/full`;
        const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { env: sandbox.env, encoding: 'utf8' });
        expect(status, args.join(' ')).toBe(7);
        expect(stderr.split('\n').length, stderr).toBeLessThanOrEqual(2);
      }
    },
  );

  it('looks for no plugins in the data folder of the user', async () => {
    const sandbox = createSandbox();
    const folder = path.join(sandbox.home, '.local/share/envsnap');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), 'no JSON at all');
    const { exitCode, stderr } = await sandbox.run(['profile', 'list'], {
      env: { XDG_DATA_HOME: undefined },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('refuses an old Node.js with one line and exit code 2', async () => {
    const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"22.11.0"})';
    const { exitCode, stdout, stderr } = await createSandbox().run(['profile', 'list'], {
      nodeArgs: ['--import', pretend],
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe('envsnap needs Node.js 22.12 or newer; this is 22.11.0\n');
  });

  it('ends quietly when the reader of its output goes away', async () => {
    const running = createSandbox().start(['autocomplete', 'bash']);
    running.child.stdout?.destroy();
    const { exitCode, stderr } = await running.finished;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('ends with 130 when it is interrupted, with a JSON document for --json', async () => {
    await using server = await startScriptedServer('hang');
    const env = { ENVSNAP_BASE_URL: server.baseUrl, ENVSNAP_API_KEY: testKey };
    const running = createSandbox().start(['whoami', '--json'], { env });
    await expect.poll(() => server.seen.length).toBe(1);
    running.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await running.finished;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
    expect(JSON.parse(stdout).error.code).toBe('interrupted');
  });

  it('leaves no half-written file when a download is interrupted', async () => {
    await using server = await startScriptedServer((_request, response) => {
      response.writeHead(200, {
        'content-length': '1000000',
        'content-disposition': 'attachment; filename="big.bin"',
        etag: `"${'0'.repeat(64)}"`,
      });
      response.write(Buffer.alloc(100_000));
    });
    const sandbox = createSandbox();
    const env = { ENVSNAP_BASE_URL: server.baseUrl, ENVSNAP_API_KEY: testKey };
    const running = sandbox.start(['file', 'download', snapshotId], { env });
    await expect.poll(() => readdirSync(sandbox.cwd).length).toBe(1);
    running.child.kill('SIGINT');
    expect(await running.finished).toMatchObject({ exitCode: 130, stdout: '', stderr: '' });
    expect(readdirSync(sandbox.cwd)).toEqual([]);
  });

  it('writes colours only if FORCE_COLOR asks for them, never into a pipe', async () => {
    const sandbox = createSandbox();
    const plain = await sandbox.run(['profile', 'use', 'none']);
    const forced = await sandbox.run(['profile', 'use', 'none'], { env: { FORCE_COLOR: '1' } });
    const refused = await sandbox.run(['profile', 'use', 'none'], { env: { NO_COLOR: '1' } });
    expect(plain.stderr).not.toContain('\u001b');
    expect(refused.stderr).toBe(plain.stderr);
    expect(forced.stderr).toContain('\u001b[');
  });
});

describe('the bundle', () => {
  interface BundleFile {
    imports: { path: string; kind: string; external?: boolean }[];
    inputs: Record<string, unknown>;
  }

  function bundleOutputs(): Record<string, BundleFile> {
    const metafile = readFileSync(path.join(packageFolder, 'dist/metafile.json'), 'utf8');
    return (JSON.parse(metafile) as { outputs: Record<string, BundleFile> }).outputs;
  }

  /** Files that a command's entry imports before it runs, not counting what it loads on demand. */
  function loadedBy(entry: string): string[] {
    const outputs = bundleOutputs();
    const waiting = Object.keys(outputs).filter((name) => name.endsWith(`/${entry}`));
    expect(waiting).toHaveLength(1);
    const seen = new Set<string>();
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      for (const imported of outputs[name]?.imports ?? [])
        if (imported.kind === 'import-statement' && !imported.external) waiting.push(imported.path);
    }
    return [...seen].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
  }

  const heavy = /node_modules\/(ky|zod|systeminformation|@inquirer\/[^/]+)\/|packages\/sdk\/|\/sdk\/src\//;

  it('loads neither SDK, HTTP client, zod, systeminformation nor prompts before a command needs them', async () => {
    createSandbox();
    const commands = ['autocomplete', 'capture', 'check', 'compare', 'complete', 'history', 'init', 'matrix'];
    for (const entry of [
      'main.js',
      'service-commands/table.js',
      'commands/snapshot/list.js',
      ...commands.map((name) => `commands/${name}.js`),
    ])
      expect(
        loadedBy(entry).filter((input) => heavy.test(input)),
        entry,
      ).toEqual([]);
  });

  it('loads no part of the comparison for a capture', () => {
    createSandbox();
    expect(loadedBy('commands/capture.js').filter((input) => /compare\/src\//.test(input))).toEqual([]);
  });

  it('loads no comparison to show what is stored', () => {
    createSandbox();
    for (const entry of ['snapshot/list.js', 'snapshot/show.js', 'matrix.js', 'history.js']) {
      // The texts of a repair are not counted.
      const comparing = /compare\/src\/(?!causes\/repair\.ts)(causes|policy|relevance|report)\//;
      expect(
        loadedBy(`commands/${entry}`).filter((input) => comparing.test(input)),
        entry,
      ).toEqual([]);
    }
  });

  it('includes zod without its locales', () => {
    createSandbox();
    const inputs = Object.values(bundleOutputs()).flatMap(({ inputs: each }) => Object.keys(each));
    expect(inputs.filter((input) => /zod\/v4\/classic\//.test(input))).not.toEqual([]);
    expect(inputs.filter((input) => /zod\/v4\/locales\/(?!en\.|index\.)/.test(input))).toEqual([]);
  });
});
