import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withLock } from '../../scripts/build-lock.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const lock = path.join(folder, 'cache/build.lock');

describe('the lock of a build', () => {
  it('names its holder and is gone afterwards, also after a failure', () => {
    const seen: string[] = [];
    withLock(lock, () => seen.push(readFileSync(lock, 'utf8')));
    expect(seen).toEqual([String(process.pid)]);
    expect(existsSync(lock)).toBe(false);
    expect(() =>
      withLock(lock, () => {
        throw new Error('no build');
      }),
    ).toThrow('no build');
    expect(existsSync(lock)).toBe(false);
  });

  it('is taken over from a process that is gone', () => {
    const finished = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))']);
    writeFileSync(lock, finished.stdout);
    const ran: number[] = [];
    withLock(lock, () => ran.push(1));
    expect(ran).toEqual([1]);
  });

  it('may be left over as a folder, as earlier versions made it', () => {
    mkdirSync(lock);
    const ran: number[] = [];
    withLock(lock, () => ran.push(1));
    expect(ran).toEqual([1]);
  });
});
