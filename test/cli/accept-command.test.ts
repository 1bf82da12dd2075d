// envsnap accept, as text and as a process.

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptInPolicy } from '../../packages/cli/src/actions/comparison/accept-in-policy.ts';
import { createSandbox } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';
import { words } from '../support/words.ts';

const { added, renewals, mistyped } = readTestData<{
  added: [string, string, string][];
  renewals: [string, string, string][];
  mistyped: [string, string][];
}>(import.meta);

const acceptance = { key: 'env:LOG_LEVEL', reason: 'each of us: as they like' };

describe('an acceptance in the text of a policy', () => {
  it.each(added)('%s', (_, before, after) => {
    expect(acceptInPolicy(before, acceptance, 'p')).toEqual({ source: after, replaced: false });
  });

  it('keeps the byte order mark and the line endings of Windows', () => {
    const before = '\uFEFFversion: 1\r\naccepted:\r\n  - key: os\r\n    reason: r\r\n';
    const added = '  - key: env:LOG_LEVEL\r\n    reason: "each of us: as they like"\r\n';
    const { source } = acceptInPolicy(before, acceptance, 'p');
    expect(source).toBe(before + added);
    const again = acceptInPolicy(source, { ...acceptance, reason: 'ours' }, 'p');
    expect(again).toEqual({
      source: `${before}  - key: env:LOG_LEVEL\r\n    reason: ours\r\n`,
      replaced: true,
    });
  });

  it('is refused if lines end with only carriage returns, and added if line feeds follow', () => {
    expect(() => acceptInPolicy('version: 1\r\r\n', acceptance, 'p')).toThrow('carriage returns');
    expect(acceptInPolicy('version: 1\r\n', acceptance, 'p').replaced).toBe(false);
  });

  it('replaces one with the same key, and keeps comments', () => {
    const before =
      '# top\naccepted:\n  - key: env:LOG_LEVEL\n    reason: old\n  - key: os # mac\n    reason: r\n';
    const { source, replaced } = acceptInPolicy(before, { ...acceptance, until: '2027-01-31' }, 'p');
    expect(replaced).toBe(true);
    expect(source).toBe(
      '# top\naccepted:\n  - key: env:LOG_LEVEL\n    reason: "each of us: as they like"\n    until: 2027-01-31\n  - key: os # mac\n    reason: r\n',
    );
  });

  it.each(renewals)('keeps %s when it is renewed', (_, before, after) => {
    const renewed = { ...acceptance, reason: 'new', until: '2027-03-31' };
    expect(acceptInPolicy(before, renewed, 'p')).toEqual({ source: after, replaced: true });
  });

  it('leaves values what they are, in its own entry and beside it', () => {
    const umask = { key: 'facts:process.umask', reason: 'new' };
    const before =
      'accepted:\n  - key: facts:process.umask\n    a: 0022\n    b: 1e3\n    reason: old\nexpect:\n  env:\n    N: 0077\n';
    expect(acceptInPolicy(before, umask, 'p').source).toBe(before.replace('old', 'new'));
    const inBrackets = 'accepted: [{ key: env:N, a: 0022, reason: r }]\n';
    expect(acceptInPolicy(inBrackets, umask, 'p').source).toBe(
      'accepted: [ { key: env:N, a: 0022, reason: r }, { key: facts:process.umask, reason: new } ]\n',
    );
    const empty = 'accepted:\nexpect:\n  env:\n    N: 0077\n';
    expect(acceptInPolicy(empty, umask, 'p').source).toContain('N: 0077\n');
  });

  it('renews every entry of the key', () => {
    const entry = (a: string, rest: string) => `  - key: env:LOG_LEVEL\n    a: ${a}\n    ${rest}\n`;
    const before = `accepted:\n${entry('x', 'reason: r\n    until: 2020-01-01')}${entry('debug', 'reason: "s"')}`;
    expect(acceptInPolicy(before, { ...acceptance, reason: 'new' }, 'p').source).toBe(
      `accepted:\n${entry('x', 'reason: new')}${entry('debug', 'reason: new')}`,
    );
  });

  it('leaves the text around a list in brackets unchanged', () => {
    expect(acceptInPolicy('accepted: [] # none\nfailOn:   all\n', acceptance, 'p').source).toBe(
      'accepted: [ { key: env:LOG_LEVEL, reason: "each of us: as they like" } ] # none\nfailOn:   all\n',
    );
  });

  it('goes into lists in brackets, and leaves a broken policy alone', () => {
    expect(acceptInPolicy('accepted: []\n', acceptance, 'p').source).toContain('key: env:LOG_LEVEL');
    expect(acceptInPolicy('{accepted: [{key: os, reason: r}]}\n', acceptance, 'p').source).toMatch(
      /os[\s\S]*LOG_LEVEL/,
    );
    expect(() => acceptInPolicy('nonsense: 1\n', acceptance, 'p')).toThrow(/1:1 nonsense/);
  });
});

describe('envsnap accept', () => {
  it('creates the file in the root of the repository, adds to it, and compare applies it', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    mkdirSync(path.join(sandbox.cwd, '.git'));
    const side = { machineName: 'a', os: 'linux', arch: 'x64', envVars: { LOG_LEVEL: 'debug' } };
    writeFileSync(path.join(sandbox.cwd, 'a.json'), JSON.stringify(side));
    writeFileSync(
      path.join(sandbox.cwd, 'b.json'),
      JSON.stringify({ ...side, envVars: { LOG_LEVEL: 'info' } }),
    );
    expect((await sandbox.run(['compare', 'a.json', 'b.json'])).exitCode).toBe(1);
    const accepted = await sandbox.run(words`accept env:LOG_LEVEL --reason taste --until 2999-01-31`);
    expect(accepted).toMatchObject({
      exitCode: 0,
      stdout: 'Accepted: env:LOG_LEVEL until 2999-01-31, in .envsnap.yaml.\n',
    });
    const file = path.join(sandbox.cwd, '.envsnap.yaml');
    expect(readFileSync(file, 'utf8')).toBe(
      'accepted:\n  - key: env:LOG_LEVEL\n    reason: taste\n    until: 2999-01-31\n',
    );
    const compared = await sandbox.run(['compare', 'a.json', 'b.json']);
    expect(compared.exitCode).toBe(0);
    expect(compared.stdout).toContain('1 accepted');
    chmodSync(file, 0o640);
    const changed = await sandbox.run(['accept', 'env:LOG_LEVEL', '--reason', 'for good', '--json']);
    expect(JSON.parse(changed.stdout)).toEqual({
      policy: '.envsnap.yaml',
      accepted: { key: 'env:LOG_LEVEL', reason: 'for good', until: null },
      replaced: true,
    });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    for (const wrong of [
      ['accept', 'envs:A', '--reason', 'r'],
      ['accept', 'env:A', '--reason', ' '],
      ['accept', 'env:A', '--reason', 'r', '--until', '2026-02-30'],
      ['accept', 'env:A', '--reason', 'r', '--until', '2020-01-01'],
      ['compare', 'a.json', 'b.json', '--preset', 'ci', '--fail-on', 'env'],
    ])
      expect((await sandbox.run(wrong)).exitCode, wrong.join(' ')).toBe(2);
    expect(
      (await sandbox.run(['compare', 'a.json', 'b.json', '--preset', 'ci', '--no-policy'])).exitCode,
    ).toBe(1);
  });

  it('names everything that is missing at once', async () => {
    const sandbox = createSandbox();
    const bare = await sandbox.run(['accept']);
    expect(bare).toMatchObject({ exitCode: 2, stdout: '' });
    expect(bare.stderr).toContain('KEY and --reason are missing\n');
    const unexplained = await sandbox.run(['accept', 'env:A B']);
    expect(unexplained.stderr).toContain('--reason is missing\n');
    expect(unexplained.stderr).toContain("envsnap accept 'env:A B' --reason");
    expect((await sandbox.run(['accept', '--reason', 'r'])).stderr).toContain('KEY is missing\n');
  });

  it.each(mistyped)('refuses %s, which matches nothing, and names %s', async (key, instead) => {
    const sandbox = createSandbox();
    const refused = await sandbox.run(['accept', key, '--reason', 'r']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`has the key "${key.replace('=debug', '=…')}"`);
    expect(refused.stderr).not.toContain('debug');
    expect(refused.stderr.replace(/\s+/g, ' ')).toContain(`Write SECTION:KEY, for example ${instead}.`);
    expect(existsSync(path.join(sandbox.cwd, '.envsnap.yaml'))).toBe(false);
  });

  it.each(words`
    os os:os os:* runtimes:node runtimes.node facts.process.umask env:systemd.x dependencies:a=b
    *.tmp`)('takes %s', async (key) => {
    const sandbox = createSandbox();
    expect((await sandbox.run(['accept', key, '--reason', 'r'])).exitCode).toBe(0);
  });
});
