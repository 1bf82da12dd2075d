// @module-tag release

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../scripts/reliability/checks.ts';

const program = path.resolve(import.meta.dirname, '../../scripts/reliability/run.ts');
const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

describe('the reliability checks', () => {
  it('have different names, and are listed', () => {
    const { status, stdout } = run('--list');
    const names = checks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([
      status,
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ]).toEqual([0, names]);
    expect(run('--only', 'nothing').status).toBe(2);
  });

  it('run in a short form, with the seed they are given', { tags: 'release' }, () => {
    const { status, stdout, stderr } = run('--only', 'quotas', '--rounds', '0.01', '--seed', '7');
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('| quotas | SQLite: rounds with exactly 5 snapshots | 1 of 1 | 1 of 1 |'),
    ]);
    expect(stderr).toContain('seed 7');
  });
});
