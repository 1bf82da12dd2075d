// What Tab offers: the command behind the completion scripts, and bash with the script loaded.

import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, createSandbox, type Sandbox, startServerProcess } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';

const { terminal } = readTestData<{ terminal: string }>(import.meta);

async function offered(sandbox: Sandbox, ...words: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await sandbox.run(['complete', '--', ...words]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] as string);
}

describe('complete', () => {
  it('offers commands and topics with what they do, but not itself', async () => {
    const { stdout } = await createSandbox().run(['complete', '--', '']);
    expect(stdout).toMatch(/^snapshot\t\S/m);
    expect(stdout).toMatch(/^compare\t\S/m);
    expect(stdout).not.toMatch(/^complete\b/m);
    expect(await offered(createSandbox(), 'snapshot', '')).toEqual(['delete', 'export', 'list', 'show']);
  });

  it('offers the values of the flag of that very command', async () => {
    const sandbox = createSandbox();
    expect(await offered(sandbox, 'compare', '--format', 'j')).toEqual(['json', 'junit']);
    expect(await offered(sandbox, 'compare', '--format=j')).toEqual(['--format=json', '--format=junit']);
    expect(await offered(sandbox, 'snapshot', 'export', '--format', 'j')).toEqual(['json']);
    expect(await offered(sandbox, 'key', 'create', '--role', '')).toEqual(['admin', 'member', 'viewer']);
    expect(await offered(sandbox, 'team', 'role', 'x', '')).toEqual(['admin', 'member', 'viewer']);
  });

  it('completes rules of --fail-on one after the other, sections first and then levels', async () => {
    const sandbox = createSandbox();
    expect(await offered(sandbox, 'compare', '--fail-on', 'run')).toEqual(['runtimes']);
    expect(await offered(sandbox, 'compare', '--fail-on', 'os,runtimes:mi')).toEqual(['os,runtimes:minor']);
  });

  it('offers sections for a difference, and no files if none fit', async () => {
    const sandbox = createSandbox();
    expect(await offered(sandbox, 'bisect', '--only', 'e')).toEqual(['env:']);
    expect(await offered(sandbox, 'accept', 'run')).toEqual(['runtimes:']);
    expect(await offered(sandbox, 'snapshot', 'list', '--os', '')).toEqual(['darwin', 'linux', 'win32']);
    expect(await offered(sandbox, 'snapshot', 'list', '--from', '')).toEqual([]);
    expect(await offered(sandbox, 'compare', '--policy', '')).toEqual([':paths']);
  });

  it('offers profiles, machines and snapshots of the project', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await createProject(sandbox, (await startServerProcess()).url, { profile: 'work' });
    await sandbox.run(['capture', '--no-env', '--machine-name', 'build-7']);
    const { document } = await sandbox.json(['snapshot', 'list']);
    const id = document.snapshots[0].id.slice(0, 8);
    expect(await offered(sandbox, 'profile', 'use', 'w')).toEqual(['work']);
    expect(await offered(sandbox, 'whoami', '--profile=')).toEqual(['--profile=work']);
    // The server has 1.5 seconds to respond: on a busy machine, it may take a second try.
    const offers = (...words: string[]) => expect.poll(() => offered(sandbox, ...words));
    await offers('snapshot', 'list', '--machine', '').toEqual(['build-7']);
    await offers('snapshot', 'show', '').toEqual([id]);
    await offers('compare', 'lat').toEqual(['latest', 'latest:build-7', ':paths']);
    await offers('compare', 'latest', '').toContain(id);
    const [key] = (await sandbox.json(['key', 'list'])).document.keys;
    await offers('key', 'revoke', '').toEqual([key.id.slice(0, 8)]);
    const [member] = (await sandbox.json(['team', 'list'])).document.members;
    await offers('team', 'remove', '').toEqual([member.id.slice(0, 8)]);
    await offers('webhook', 'show', '').toEqual([]);
  });

  it('offers files where a file is expected, and nothing for free text', async () => {
    const sandbox = createSandbox();
    expect(await offered(sandbox, 'file', 'upload', '')).toEqual([':paths']);
    expect(await offered(sandbox, 'project', 'create', '')).toEqual([]);
  });
});

describe('the PowerShell script', () => {
  it('marks the start of a new word with a special word, because PowerShell drops empty ones', async () => {
    const sandbox = createSandbox();
    const { stdout: script } = await sandbox.run(['autocomplete', 'powershell']);
    const [, own = ''] = /\{ '(\S+)' \}\)\n/.exec(script) ?? [];
    const { stdout } = await sandbox.run(['complete', own, '--', 'compare', '--format']);
    expect(stdout.split('\n')).toContain('junit');
    expect(stdout).not.toContain('--format');
  });
});

describe('the bash script', () => {
  /** What a Tab offers at the end of a line. */
  async function tabIn(sandbox: Sandbox) {
    const { stdout: script } = await sandbox.run(['autocomplete', 'bash']);
    const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/run.js');
    const command = path.join(sandbox.home, 'envsnap');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(command, 0o755);
    return (line: string, words: string[]) => {
      const quoted = words.map((word) => `'${word}'`).join(' ');
      const typed = `COMP_LINE='${line}'; COMP_POINT=${line.length}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}`;
      const { stdout, stderr } = spawnSync(
        'bash',
        ['-c', `${script}\n${typed}\n_envsnap\nprintf '%s\\n' "\${COMPREPLY[@]}"`],
        { env: { ...sandbox.env, PATH: `${sandbox.home}:${process.env.PATH}` }, encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
  }

  it('inserts a name that others chose as a word, never as a command', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    await createProject(sandbox, (await startServerProcess()).url);
    const name = `$(touch x);'a b'`;
    await sandbox.run(['capture', '--no-env', '--machine-name', name]);
    const press = await tabIn(sandbox);
    const offer = () =>
      press('envsnap snapshot list --machine ', ['envsnap', 'snapshot', 'list', '--machine', '']);
    await expect.poll(() => offer().join('')).not.toBe('');
    const [word = ''] = offer();
    expect(spawnSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' }).stdout).toBe(name);
  });

  const inTerminal = it.skipIf(spawnSync('bash', ['-c', 'python3 -c "import pty"']).status !== 0);
  for (const [place, [name, paths, typed, word]] of (
    [
      ['my mac', ':paths', 'my', 'my mac'],
      ['my mac', ':paths', '"my', 'my mac'],
      ['latest:my mac', ':paths', 'latest:m', 'latest:my mac'],
      ['a$(id)', ':paths', 'a', 'a$(id)'],
      ['a$(id)', ':paths', '"a$', 'a$'],
      ['plain', ':paths', 'pl', 'plain'],
    ] as const
  ).entries())
    inTerminal(
      `leaves ${name} in the line of a terminal as one word, quoted once (${paths}, typed ${typed})`,
      { tags: place === 3 ? [] : 'release' },
      async () => {
        const sandbox = createSandbox();
        const { stdout: script } = await sandbox.run(['autocomplete', 'bash']);
        const files = {
          script: path.join(sandbox.home, 'script'),
          command: path.join(sandbox.home, 'envsnap'),
        };
        writeFileSync(files.script, `${script}PS1=; bind 'set enable-bracketed-paste off'\n`);
        writeFileSync(files.command, `#!/bin/sh\nprintf '%s\\tabout\\n%s\\n' '${name}' ${paths}\n`);
        chmodSync(files.command, 0o755);
        const closing = typed.startsWith('"') && word === typed.slice(1) ? '"' : '';
        const line = `envsnap compare ${typed}\t${closing}\x01echo; printf '[%s]' \x05; echo en''d\r`;
        const { stdout, stderr } = spawnSync('python3', ['-c', terminal, files.script, line], {
          cwd: sandbox.cwd,
          env: { ...sandbox.env, TERM: 'dumb', PATH: `${sandbox.home}:${process.env.PATH}` },
          encoding: 'utf8',
        });
        expect(stderr).toBe('');
        expect(stdout.split(/[\r\n]+/).at(-1)).toBe(`[envsnap][compare][${word}]`);
      },
    );

  it('completes through the breaks that bash makes at = and :', { tags: 'release' }, async () => {
    const press = await tabIn(createSandbox());
    expect(press('envsnap snapsh', ['envsnap', 'snapsh'])).toEqual(['snapshot']);
    expect(press('envsnap compare --format=j', ['envsnap', 'compare', '--format', '=', 'j'])).toEqual([
      'json',
      'junit',
    ]);
    expect(press('envsnap compare --format=', ['envsnap', 'compare', '--format', '='])).toContain('markdown');
    const parts = 'envsnap compare --fail-on runtimes : mi'.split(' ');
    expect(press('envsnap compare --fail-on runtimes:mi', parts)).toEqual(['minor']);
  });
});
