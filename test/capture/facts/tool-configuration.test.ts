import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../packages/capture/src/facts/addresses.ts';
import { collectInstalled } from '../../../packages/capture/src/installed/collect-installed.ts';
import { parseGitConfig } from '../../../packages/capture/src/project/git/config-syntax.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { readFacts } from './read-facts.ts';

describe('the configuration of tools', () => {
  it('is not read from the working folder if the user has no home folder', async () => {
    const { facts, system } = await readFacts({ homeDir: '', processState: { accountHome: '' } });
    expect(system.reads.filter((path) => !path.startsWith('/'))).toEqual([]);
    expect(facts['home.writable']).toBe(false);
  });

  it('reads git’s syntax: quotes, comments, continued lines, subsections', () => {
    expect(
      parseGitConfig(
        '[a "B c"]\n\tx = "one;two" # three\n\ty = a\\\nb\n\tz\n[Alpha] beta = 1 ; no\n[bad\nq = 1',
      ),
    ).toEqual([
      { key: 'a.B c.x', value: 'one;two' },
      { key: 'a.B c.y', value: 'ab' },
      { key: 'a.B c.z', value: 'true' },
      { key: 'alpha.beta', value: '1' },
      { key: 'alpha.q', value: '1' },
    ]);
  });
});

it.each([
  ['https://user:secret@npm.example.com/team/', 'npm.example.com/team'],
  ['https://user:se/cret@npm.example.com/team/', 'npm.example.com/team'],
  ['"https://user:se#cret@npm.example.com/team?token=secret"', 'npm.example.com/team'],
  ['sparse+https://secret@index.example.com:8080/x/@scope', 'index.example.com:8080/x/@scope'],
  ['git+ssh://git@host.example/o/r', 'host.example/o/r'],
  ['user:secret@proxy:3128', 'proxy:3128'],
  ['file:///srv/packages', 'file'],
])('the fact of an address leaves out the user and the password: %s', (text, expected) => {
  expect(addressOf(text)).toBe(expected);
});

// Configuration in a stranger's folder: endless lines, endless lists, paths that lead out of it.

/** Patterns that try every split of it never end; ones that look once take milliseconds. */
const blanks = ' '.repeat(1_000_000);

it.each([
  ['.git/config', `[core${blanks}\n autocrlf = input\n[core]\n eol = lf\n`, 'git.core.eol', 'lf'],
  ['.yarnrc', `registry ${blanks}x\nregistry "https://r.example"\n`, 'yarn.registry', 'r.example'],
  ['.npmrc', `a=${blanks}x\n${'omit[]=dev\n'.repeat(100_000)}`, 'npm.omit', ['dev']],
  [
    '.npmrc',
    `b=1\n${`  ${'x'.repeat(20)}\n`.repeat(100_000)}ignore-scripts=true\n`,
    'npm.ignoreScripts',
    true,
  ],
])('%s full of useless text is read in linear time', async (name, content, fact, value) => {
  const files = { '/srv/app/package.json': '{}', '/srv/app/.git/HEAD': 'x', [`/srv/app/${name}`]: content };
  expect((await readFacts({ files })).facts[fact]).toEqual(value);
});

it('a lock file’s paths lead nowhere else', async () => {
  const packages = { 'node_modules/../../../etc/shadow': { version: '1.0.0' } };
  const system = createFakeSystem({
    files: {
      '/srv/app/package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }),
      '/srv/app/node_modules/x/package.json': '{}',
      '/etc/shadow/package.json': '{"version":"6.6.6"}',
    },
  });
  const { installed } = await collectInstalled(openMachine(system), '/srv/app', {
    direct: {},
    dependencies: { 'package-lock.json': { '../../../etc/shadow': '1.0.0' } },
  });
  expect(installed).toEqual({});
  expect(system.reads).not.toContain('/etc/shadow/package.json');
});
