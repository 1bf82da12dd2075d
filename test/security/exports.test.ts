// Exports of a hostile snapshot are data: sourcing, parsing or reading one runs nothing and disguises nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse as parseDotenv } from 'dotenv';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportFormats } from '../../packages/compare/src/export/export-formats.ts';
import { exportSnapshot } from '../../packages/compare/src/export/export-snapshot.ts';
import type { ComparableEnvironment } from '../../packages/compare/src/model/model.ts';
import { readTestData } from '../support/test-data.ts';

const { evil, tricks, commands } = readTestData<Record<'evil' | 'tricks' | 'commands', string[]>>(
  import.meta,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostile-export-'));
});
const marker = (): string => path.join(folder, 'ran');
const shells = ['/bin/dash', '/bin/bash', '/bin/busybox'].filter((shell) => existsSync(shell));

/** Values that run a command if they are expanded. */
function hostileValues(): string[] {
  const command = `touch ${marker()}`;
  return commands.map((value) => value.replaceAll('COMMAND', command));
}

function environment(part: Partial<ComparableEnvironment>): ComparableEnvironment {
  return { machineName: 'hostile', os: 'linux', arch: 'x64', ...part };
}

function variables(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => [`V${index}`, value]));
}

describe.each(shells)('a dotenv or shell export sourced by %s', (shell) => {
  const source = (text: string): Record<string, string> => {
    const file = path.join(folder, 'env');
    writeFileSync(file, text);
    const script = 'set -a; . "$1"; exec env -0';
    const args = [...(shell.endsWith('busybox') ? ['sh'] : []), '-c', script, 'x', file];
    const ran = spawnSync(shell, args, { env: { PATH: '/usr/bin:/bin', SHLVL: '1' }, encoding: 'utf8' });
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    return Object.fromEntries(
      ran.stdout.split('\0').flatMap((entry) => {
        const equals = entry.indexOf('=');
        return /^V\d+=/.test(entry) ? [[entry.slice(0, equals), entry.slice(equals + 1)]] : [];
      }),
    );
  };

  test.each(['dotenv', 'shell'] as const)('runs nothing, and sets what it sets as it was: %s', (format) => {
    const generated = variables(hostileValues());
    const text = exportSnapshot(environment({ envVars: generated }), format, { toolVersion: '1' });
    const set = source(text);
    expect(existsSync(marker())).toBe(false);
    for (const [name, value] of Object.entries(set)) expect(value).toBe(generated[name]);
  });

  test('sets generated values as the dotenv libraries read them', {
    tags: shell === shells[0] ? [] : 'release',
  }, () => {
    const character = fc.constantFrom(...`ab '"\`$\\#\n={}~!%;&|()`.split(''));
    fc.assert(
      fc.property(fc.array(fc.string({ unit: character, maxLength: 10 }), { minLength: 8 }), (values) => {
        const generated = variables(values);
        const text = exportSnapshot(environment({ envVars: generated }), 'dotenv', { toolVersion: '1' });
        const set = source(text);
        expect(set).toEqual(parseDotenv(text));
        expect(set).toEqual({ ...parseEnv(text) });
        for (const [name, value] of Object.entries(set)) expect(value).toBe(generated[name]);
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});

describe('exports of versions that are places', () => {
  test.each(evil)('pin nothing for %j', (version) => {
    const runtimes = Object.fromEntries(
      ['node', 'python', 'go', 'ruby', 'java'].map((name) => [name, version]),
    );
    const hostile = environment({ runtimeVersions: { ...runtimes, deno: '2.1.0' } });
    for (const format of exportFormats) {
      if (format === 'json' || format === 'cyclonedx') continue;
      let text = '';
      try {
        text = exportSnapshot(hostile, format, { toolVersion: '1', all: true });
      } catch (error) {
        expect(error).toMatchObject({ name: 'ExportError' });
      }
      expect(text).not.toContain('evil');
      expect(text).not.toContain('path:');
      if (format === 'mise') expect(parseToml(text)).toEqual({ tools: { deno: '2.1.0' } });
    }
  });
});

describe('characters that hide or reorder text, and what the log of a CI job obeys', () => {
  const commands = ['\n::error::x', '\r\n \u00a0::error::x'];
  test.each(exportFormats)('are in no export as they are: %s', (format) => {
    for (const trick of [...tricks, ...commands]) {
      const text = `a${trick}b`;
      const hostile = environment({
        machineName: text,
        runtimeVersions: { node: '24.0.0', [text]: '1.0.0' },
        dependencies: { [`${text}/package-lock.json`]: { [text]: `1.0.0${trick}` } },
        envVars: { TRICK: text, [text]: 'x', PLAIN: '1' },
        metadata: { note: text },
      });
      const written = exportSnapshot(hostile, format, { toolVersion: '1', all: true });
      for (const each of tricks) expect(written).not.toContain(each);
      expect(written).not.toMatch(/^\s*::/m);
      if (format === 'json') expect(JSON.parse(written)).toEqual(hostile);
    }
  });
});

test('sh is one of the shells that were tried', () => {
  expect(shells.length).toBeGreaterThan(0);
  expect(execFileSync('/bin/sh', ['-c', 'echo ok'], { encoding: 'utf8' })).toBe('ok\n');
});
