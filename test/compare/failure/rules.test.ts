import { causeFamilies } from '@envsnap/shared/catalogue/cause-family';
import { factRow, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactRow } from '@envsnap/shared/catalogue/facts/system';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';
import { failureRules } from '../../../packages/compare/src/failure/rules.ts';

const isKnown: Readonly<Record<string, (key: string) => boolean>> = {
  facts: isFactName,
  system: (key) => systemFactRow(key) !== undefined,
  runtimes: (key) => toolRow(key) !== undefined,
  family: (key) => Object.hasOwn(causeFamilies, key),
  tool: (key) => toolRow(key) !== undefined,
  checkout: () => true,
  dependencies: (key) => key === '/*',
  installed: (key) => key === '*',
  env: (key) => /^\*?[A-Z0-9_]+\*?$/.test(key),
  paths: (key) => /^[A-Z_]+$/.test(key),
  package: (key) => key !== '',
  arch: (key) => key === 'arch',
  os: (key) => key === 'os',
};

describe('the catalogue of failures', () => {
  it.each(failureRules.map((rule) => [rule.has[0] as string, rule] as const))(
    'says for “%s” what it speaks of, and which public report shows it',
    (_, { has, and = [], names, hints = [], report }) => {
      expect(report).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/);
      for (const word of [...has, ...and.flat()]) expect(word).toBe(word.toLowerCase());
      expect(names.length + hints.length).toBeGreaterThan(0);
      for (const target of [...names, ...hints]) {
        const [kind = '', key = ''] = [
          target.slice(0, target.indexOf(':')),
          target.slice(target.indexOf(':') + 1),
        ];
        expect([target, isKnown[kind]?.(key)]).toEqual([target, true]);
      }
    },
  );

  it('hints at no fact that never counts, since only what it names is raised then', () => {
    const dead = failureRules.flatMap(({ hints = [] }) =>
      hints.filter((hint) => hint.startsWith('facts:') && factRow(hint.slice(6))?.counts === 'never'),
    );
    expect(dead).toEqual([]);
  });

  it.each(failureRules.filter(({ has }) => has[0] !== 'gyp err!'))(
    'speaks for “$has.0” of one language',
    (rule) => {
      const languages = [...rule.names, ...(rule.hints ?? [])].flatMap((target) => {
        const row = /^(?:tool|runtimes):/.test(target)
          ? toolRow(target.slice(target.indexOf(':') + 1))
          : undefined;
        const name = row?.comesWith ?? row?.name ?? '';
        return toolRow(name)?.kind === 'language' ? [name] : [];
      });
      // A row for what several languages print names all of them by what one of them says.
      expect(new Set(languages).size).toBeLessThanOrEqual(1);
    },
  );
});

// What an output claims of the machine, to be looked up there.

describe('what an output claims of the machine', () => {
  it.each([
    ['Error: listen EADDRINUSE: address already in use :::3000', { kind: 'port in use', port: 3000 }],
    ['listen tcp :8080: bind: address already in use', { kind: 'port in use', port: 8080 }],
    ["[Errno 98] Address already in use: ('127.0.0.1', 5000)", { kind: 'port in use', port: 5000 }],
    ['Bind for 0.0.0.0:5432 failed: port is already allocated', { kind: 'port in use', port: 5432 }],
    ['Web server failed to start. Port 8081 was already in use.', { kind: 'port in use', port: 8081 }],
    [
      'Error: connect ECONNREFUSED 127.0.0.1:6379',
      { kind: 'connection refused', host: '127.0.0.1', port: 6379 },
    ],
    [
      'dial tcp [::1]:9200: connect: connection refused',
      { kind: 'connection refused', host: '::1', port: 9200 },
    ],
    [
      'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      { kind: 'connection refused', host: '127.0.0.1', port: 5432 },
    ],
    ['sh: 1: jq: not found', { kind: 'missing command', name: 'jq' }],
    ['bash: line 2: protoc: command not found', { kind: 'missing command', name: 'protoc' }],
    ['Error: spawn ffmpeg ENOENT', { kind: 'missing command', name: 'ffmpeg' }],
    ['exec: "helm": executable file not found in $PATH', { kind: 'missing command', name: 'helm' }],
    ["OSError: [Errno 28] No space left on device: '/var/lib/x'", { kind: 'no space', path: '/var/lib/x' }],
    ['write error: No space left on device', { kind: 'no space', path: null }],
    [
      "Error: ENOENT: no such file or directory, open 'config/local.json'",
      { kind: 'missing file', path: 'config/local.json' },
    ],
    ['cat: .env.local: No such file or directory', { kind: 'missing file', path: '.env.local' }],
  ])('%s', (line, claim) => {
    expect(readFailure(`starting\n${line}\n`).claims).toEqual([claim]);
  });

  it.each([
    'Error: connect ECONNREFUSED 10.0.0.7:6379',
    'ENOSPC: System limit for number of file watchers reached, watch /app',
    'Listening on port 3000',
    'GET http://example.com/a.json: not found',
  ])('claims nothing of this machine: %s', (line) => {
    expect(readFailure(line).claims).toEqual([]);
  });
});
