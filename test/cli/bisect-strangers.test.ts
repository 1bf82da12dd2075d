// Whose values bisect applies: a stranger's snapshot runs no code here; this account's own runs are tried unchanged.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeVariables } from '@envsnap/shared/catalogue/variables/code-variables';
import { describe, expect, it } from 'vitest';
import { isPlainValue } from '../../packages/cli/src/actions/bisect/value-trust.ts';
import { createSandbox, type Sandbox, startServerProcess } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';
import { words } from '../support/words.ts';

const { theirFacts, plainValues, hostile } = readTestData<{
  theirFacts: Record<string, boolean | number | string | string[]>;
  plainValues: string[];
  hostile: string[];
}>(import.meta);

interface Snapshot {
  machineName: string;
  envVars: Record<string, string>;
  metadata: { facts: Record<string, unknown>; timezone?: string };
}

/** Writes what a stranger may have sent: the sandbox's own environment with something changed. */
async function receive(sandbox: Sandbox, change: (snapshot: Snapshot) => void): Promise<void> {
  const file = path.join(sandbox.cwd, 'theirs.json');
  await sandbox.run(['capture', '--output', 'theirs.json']);
  const snapshot = JSON.parse(readFileSync(file, 'utf8')) as Snapshot;
  change(snapshot);
  writeFileSync(file, JSON.stringify(snapshot));
}

/** Runs bisect with `--json`; the flags precede the command. */
async function bisect(sandbox: Sandbox, args: readonly string[], env: Record<string, string> = {}) {
  const { stdout } = await sandbox.run(['bisect', '--json', ...args], { env });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  const document = JSON.parse(stdout) as any;
  const keysOf = (list: readonly { key: string }[] = []) => list.map(({ key }) => key);
  return { document, planned: keysOf(document.planned), notTried: keysOf(document.notTried) };
}

/** A way to run code by the value of a variable alone: a mark in `$MARKS` shows that it ran. */
interface Attack {
  readonly program: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Starts the program, as a careless user would. */
  readonly command: string;
}

function attacksIn(folder: string): Attack[] {
  const mark = (name: string) => path.join(folder, 'marks', name);
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o755 });
    return path.join(folder, name);
  };
  const shell = (name: string) => file(`${name}.sh`, `#!/bin/sh\n: > ${mark(name)}\n`);
  file('Makefile', 'all:\n\t@echo $(APP_FLAGS) > /dev/null\n');
  file('sitecustomize.py', `open(${JSON.stringify(mark('python3'))}, 'w')\n`);
  file('Evil.pm', `package Evil; open(my $f, '>', '${mark('perl')}'); 1;\n`);
  file('one.t', 'print "1..1\\nok 1\\n";\n');
  file('options.java', `-XX:OnOutOfMemoryError=true\n-XX:OnError=true\n`);
  return [
    { program: 'bash', variables: { BASH_ENV: shell('bash') }, command: 'bash -c true' },
    {
      program: 'bash-arithmetic',
      variables: { APP_WIDTH: `a[$(: > ${mark('bash-arithmetic')})]` },
      command: `bash -c '[[ "$APP_WIDTH" -gt 80 ]]'`,
    },
    { program: 'make', variables: { APP_FLAGS: `$(shell : > ${mark('make')})` }, command: 'make -s' },
    { program: 'prove', variables: { HARNESS_PERL: shell('prove') }, command: 'prove one.t' },
    { program: 'perl', variables: { PERL5OPT: '-MEvil', PERL5LIB: folder }, command: "perl -e '1'" },
    { program: 'python3', variables: { PYTHONPATH: folder }, command: "python3 -c ''" },
    {
      program: 'node',
      variables: {
        NODE_OPTIONS: `--require=${file('evil.cjs', `require('fs').writeFileSync(${JSON.stringify(mark('node'))}, '')`)}`,
      },
      command: "node -e ''",
    },
    {
      program: 'git',
      variables: { GIT_EXTERNAL_DIFF: shell('git') },
      command: 'git diff --no-index one.t Makefile',
    },
    { program: 'gcloud', variables: { CLOUDSDK_PYTHON: shell('gcloud') }, command: 'gcloud --version' },
    {
      program: 'java',
      variables: { JAVA_TOOL_OPTIONS: `-Xlog:disable -Xlog:all=info:file=${mark('java')}` },
      command: 'java -version',
    },
    {
      program: 'loader',
      variables: { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: mark('loader') },
      command: '/bin/ls > /dev/null',
    },
  ];
}

function isHere(program: string): boolean {
  const name = program.split('-')[0] as string;
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, name)) || name === 'loader');
}

describe('the snapshot of a stranger', () => {
  it('runs no code through any program that the command starts', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const marks = path.join(sandbox.cwd, 'marks');
    mkdirSync(marks);
    const attacks = attacksIn(sandbox.cwd).filter(({ program }) => isHere(program));
    await receive(sandbox, ({ envVars }) => {
      for (const { variables } of attacks) Object.assign(envVars, variables);
      envVars.NODE_ENV = 'theirs';
    });
    const script = `${attacks.map(({ command }) => `{ ${command}; } >/dev/null 2>&1`).join('\n')}\ntest "$NODE_ENV" != theirs`;
    const env = { PATH: process.env.PATH ?? '' };
    const tried = ['theirs.json', '--runs', '1'];
    const { document, notTried } = await bisect(sandbox, [...tried, '--', 'sh', '-c', script], env);
    expect(document).toMatchObject({ verdict: 'proven', cause: [{ key: 'env:NODE_ENV' }] });
    expect(readdirSync(marks)).toEqual([]);
    const names = attacks.flatMap(({ variables }) => Object.keys(variables));
    for (const name of names)
      expect(
        notTried.some((key) => key === `env:${name}` || key.startsWith(`env:${name} `)),
        name,
      ).toBe(true);
    // Each of them works if it is requested by name, so the marks prove something.
    const only = names.flatMap((name) => ['--only', `env:${name}`]);
    await bisect(sandbox, [...tried, ...only, '--', 'sh', '-c', `${script}; true`], env);
    const made = new Set(readdirSync(marks).map((name) => name.replace(/\.\d+$/, '')));
    const working = attacks.map(({ program }) => program).filter((program) => made.has(program));
    expect(working).toEqual(expect.arrayContaining(['bash', 'bash-arithmetic', 'node', 'git']));
  });

  it('gives a command no variable but those that can only be read', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const loaders = codeVariables.flatMap((row) => row.names).map((name) => name.replaceAll('*', 'X'));
    await receive(sandbox, ({ envVars }) => {
      for (const name of [...loaders, 'HTTPS_PROXY', 'SSL_CERT_FILE', 'APP_MODE', '.env:APP_MODE'])
        envVars[name] = 'theirs';
      Object.assign(envVars, { TZ: 'Asia/Kolkata', LANG: 'C.UTF-8', CI: 'true', FORCE_COLOR: '1' });
    });
    const env = { ONLY_HERE: '1', npm_config_ignore_scripts: 'true' };
    const script = 'env; test "$TZ" != Asia/Kolkata';
    const { document } = await bisect(sandbox, ['theirs.json', '--runs', '1', '--', 'sh', '-c', script], env);
    expect(document).toMatchObject({ verdict: 'proven', cause: [{ key: 'env:TZ' }] });
    const output = readdirSync(document.outputFolder)
      .map((run) => readFileSync(path.join(document.outputFolder, run, 'stdout.txt'), 'utf8'))
      .join('');
    expect(output).toContain('TZ=Asia/Kolkata');
    expect(output).not.toContain('=theirs');
    // Nor is a variable removed that they do not have.
    const count = output.match(/^PATH=/gm)?.length;
    expect(output.match(/^ONLY_HERE=1$/gm)).toHaveLength(count ?? 0);
    expect(output.match(/^npm_config_ignore_scripts=true$/gm)).toHaveLength(count ?? 0);
    expect(document.notTried).toContainEqual({
      key: 'env:APP_MODE',
      reason: 'someone else recorded its value: --trust tries all values, --only env:NAME tries one variable',
    });
  });

  it('gives a command umask and limits, but no address, proxy or certificate check, as facts either', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await receive(sandbox, ({ metadata }) => {
      metadata.timezone = 'Asia/Kolkata';
      Object.assign(metadata.facts, theirFacts);
    });
    const plan = ['theirs.json', '--dry-run'];
    const { planned, document } = await bisect(sandbox, plan);
    expect(planned.sort()).toEqual(words`
      facts.git.core.autocrlf facts.limits.openFiles facts.process.umask facts.terminal.color
      system.timezone`);
    expect(document.notTried).toContainEqual({
      key: 'facts.git.http.sslVerify',
      reason: expect.stringContaining('--trust'),
    });
    expect((await bisect(sandbox, [...plan, '--trust'])).planned).toEqual(
      expect.arrayContaining(['facts.git.http.sslVerify', 'facts.git.commit.gpgSign']),
    );
  });

  it('is applied completely with --trust, except for what loads code, and one variable with its whole name', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await receive(sandbox, ({ envVars }) => {
      Object.assign(envVars, { APP_MODE: 'x', APP_CACHE: 'y', NODE_OPTIONS: '--require=x' });
    });
    const plannedWith = async (...flags: string[]) =>
      (await bisect(sandbox, ['theirs.json', '--dry-run', ...flags])).planned.sort();
    expect(await plannedWith()).toEqual([]);
    expect(await plannedWith('--trust')).toEqual(['env:APP_CACHE', 'env:APP_MODE']);
    expect(await plannedWith('--only', 'env:APP_MODE')).toEqual(['env:APP_MODE']);
    expect(await plannedWith('--only', 'env:NODE_OPTIONS')).toEqual(['env:NODE_OPTIONS']);
    expect(await plannedWith('--only', 'env:*_*')).toEqual([]);
  });

  it('has no value applied that is more than a word, in any section', () => {
    for (const value of plainValues) expect(isPlainValue(value), value).toBe(true);
    for (const value of [...hostile, '/etc/x', '../x', 'a/../b', ':x', '-x', '~', 'x'.repeat(201), {}, null])
      expect(isPlainValue(value), String(value)).toBe(false);
  });

  it('is any snapshot from a server, whichever machine it names', { tags: 'release' }, async () => {
    const server = await startServerProcess();
    const sandbox = createSandbox();
    await sandbox.run(['init', '--base-url', server.url, '--project-name', 'shop']);
    const env = { APP_MODE: 'x', TZ: 'Asia/Kolkata' };
    await sandbox.run(['run', '--of', 'tests', '--', 'true'], { env });
    const { planned, notTried } = await bisect(sandbox, ['last-passed:tests', '--dry-run']);
    expect(planned).toEqual(['env:TZ']);
    expect(notTried).toContain('env:APP_MODE');
  });
});

describe('a run that this account recorded here', () => {
  it('is applied completely, except for what loads code, unless others can write to its folder', async () => {
    const sandbox = createSandbox();
    const env = { APP_MODE: 'x', PERL5OPT: '-MEvil' };
    await sandbox.run(['run', '--of', 'tests', '--', 'true'], { env });
    const own = await bisect(sandbox, ['last-passed:tests', '--dry-run']);
    expect(own.planned).toEqual(['env:APP_MODE']);
    expect(own.document.notTried).toContainEqual({
      key: 'env:PERL5OPT',
      reason: 'it can load code into Perl, so bisect tries it only if --only names it',
    });
    const state = path.join(sandbox.env.XDG_STATE_HOME ?? path.join(sandbox.home, '.local/state'), 'envsnap');
    const [store = ''] = readdirSync(state).filter((name) => !name.startsWith('.'));
    chmodSync(path.join(state, store), 0o777);
    expect((await bisect(sandbox, ['last-passed:tests', '--dry-run'])).planned).toEqual([]);
  });
});
