import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parse as parseDotenv } from 'dotenv';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportMise } from '../../../packages/compare/src/export/tool-files.ts';
import {
  exportDotenv,
  exportPowershell,
  exportShell,
  quoteDotenv,
} from '../../../packages/compare/src/export/variable-files.ts';
import { isMisleading } from '../../../packages/shared/src/text/visible.ts';
import { rounds } from '../../support/generated.ts';
import { readTestData } from '../../support/test-data.ts';

const { hostile, all, shellLines, variables, values, powershellLines } = readTestData<{
  hostile: string[];
  all: Record<string, string>;
  shellLines: string[];
  variables: Record<string, string>;
  values: Record<string, string>;
  powershellLines: string[];
}>(import.meta);

const value = fc
  .oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: fc.constantFrom(...`ab '"\`$\\#\n={}~!%`.split('')), maxLength: 12 }),
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  )
  .filter((text) => !isMisleading(text) && !/^~(?:$|\/)|[:=,]~\//.test(text) && !text.startsWith('hmac:'));
const environment = (envVars: Record<string, string>) => ({ machineName: 'm', envVars });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'export-'));
});
describe('the dotenv export', () => {
  it('is read back the same by Node.js and by the dotenv package, or the variable is left out', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
        const variables = Object.fromEntries(values.map((text, index) => [`V${index}`, text]));
        const file = exportDotenv(environment({ ...variables, LAST: 'here' }));
        const expected = Object.fromEntries(
          Object.entries({ ...variables, LAST: 'here' }).filter(
            ([, text]) => quoteDotenv(text) !== undefined,
          ),
        );
        expect({ ...parseEnv(file) }).toEqual(expected);
        expect(parseDotenv(file)).toEqual(expected);
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('can write all but the most tangled values', () => {
    // Shells expand in double quotes, and backticks run commands: those must be left out.
    expect(hostile.filter((text) => quoteDotenv(text) === undefined)).toEqual([
      `both ' and "`,
      `all three ' " \``,
      'ends with backslash\\',
    ]);
    expect(quoteDotenv(`all three ' " \``)).toBeUndefined();
    expect(exportDotenv(environment({ X: `' " \``, OK: '1' }))).toBe(
      'OK=1\n# X: its value cannot be written in a dotenv file\n',
    );
  });
});

const shells = ['/bin/sh', '/bin/dash', '/bin/bash', '/bin/zsh', '/bin/busybox'].filter((shell) =>
  existsSync(shell),
);

describe.each(shells)('the shell export, read by %s', (shell) => {
  it('sets every value as it was', () => {
    const variables = Object.fromEntries(hostile.map((text, index) => [`V${index}`, text]));
    expect(readBack(shell, variables)).toEqual(variables);
  });

  // All shells read these quotes in the same way.
  it('sets generated values as they were', { tags: shell === '/bin/sh' ? [] : 'release' }, () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 10, maxLength: 10 }), (values) => {
        const variables = Object.fromEntries(values.map((text, index) => [`V${index}`, text]));
        expect(readBack(shell, variables)).toEqual(variables);
      }),
      { numRuns: 25 },
    );
  });

  function readBack(program: string, variables: Record<string, string>): Record<string, string> {
    const file = path.join(folder, 'env.sh');
    writeFileSync(file, exportShell(environment(variables)));
    const args = program.endsWith('busybox') ? ['sh'] : [];
    const output = execFileSync(program, [...args, '-c', '. "$1"; exec env -0', 'x', file], {
      // Without SHLVL and with a socket as standard input, bash believes that it is a remote shell and reads ~/.bashrc.
      env: { PATH: '/usr/bin:/bin', SHLVL: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    const entries = output
      .split('\0')
      .filter((entry) => /^V\d+=/.test(entry))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
    return Object.fromEntries(entries);
  }
});

describe('every export of variables', () => {
  it('writes no secret, no list of folders, nothing personal, each with the reason', () => {
    expect(exportShell(environment(all))).toBe(shellLines.join('\n'));
    for (const file of [exportDotenv(environment(all)), exportMise(environment(all))]) {
      expect(file).not.toMatch(/hmac:|^[^#]*\[redacted\]/m);
      expect(file).toContain('API_TOKEN: a secret');
      expect(file).not.toMatch(/^export PWNED/m);
    }
  });

  it('writes lists and personal variables when all are asked for, secrets never', () => {
    const file = exportShell(environment(all), true);
    expect(file).toContain('export USER=anna');
    expect(file).not.toContain('hmac:');
  });

  it('says that a snapshot without values has none', () => {
    expect(exportDotenv(environment({ A: '', B: '' }))).toBe(
      '# A: captured without its value\n# B: captured without its value\n',
    );
  });

  it('writes a mise.toml that a TOML parser reads back', () => {
    fc.assert(
      fc.property(value, (text) => {
        const file = exportMise({
          machineName: 'm',
          runtimeVersions: { node: '22.11.0' },
          envVars: { V: text, W: '1' },
        });
        const parsed = parseToml(file) as { tools: Record<string, string>; env: Record<string, string> };
        expect(parsed.tools).toEqual({ node: '22.11.0' });
        if (!/\{[{%#]/.test(text)) expect(parsed.env.V).toBe(text);
      }),
    );
  });
});

describe('an export gives nothing that is the other person’s', () => {
  const project = {
    machineName: 'm',
    dependencies: { 'package-lock.json': { zod: '4.0.0' } },
    envVars: variables,
    metadata: { capture: { envValues: 'safe' } },
  };

  it('not its names, mail, profiles and places', () => {
    expect(
      exportDotenv(project)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')),
    ).toEqual(['DATABASE_URL=postgres://localhost/app']);
    expect(exportShell(project)).not.toMatch(
      /^export (?:EMAIL|GIT_AUTHOR_NAME|AWS_PROFILE|NVM_DIR|ANDROID_HOME)/m,
    );
  });

  it('no home folder if nothing expands it, whatever is asked for', () => {
    expect(exportDotenv(project, true)).not.toMatch(/^[^#]*~/m);
    expect(exportMise(project, true)).not.toMatch(/^[^#]*~/m);
    expect(exportShell(project)).toContain('export CACHE_DIR="$HOME"/cache');
  });

  it('no checkout of another machine: the shell takes the folder that it is in', () => {
    const placed = environment({ DATABASE_URL: 'sqlite:///<checkout>/a b.db', NODE_PATH_ROOT: '<checkout>' });
    expect(exportShell(placed)).toBe(
      `export DATABASE_URL=sqlite:///"$PWD"'/a b.db'\nexport NODE_PATH_ROOT="$PWD"\n`,
    );
    expect(exportDotenv(placed)).not.toMatch(/^[^#]*<checkout>/m);
  });
});

describe('a PowerShell export', () => {
  it('writes values as literals and doubles every kind of quotation mark in them', () => {
    const environment = {
      machineName: 'm',
      envVars: values,
      metadata: { project: { variables: Object.keys(values) } },
    };
    expect(exportPowershell(environment, true).trimEnd().split('\n')).toEqual(powershellLines);
  });
});
