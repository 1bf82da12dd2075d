import { causeFamilies } from '@envsnap/shared/catalogue/cause-family';
import { factRow, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactRow } from '@envsnap/shared/catalogue/facts/system';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';
import { failureRules } from '../../../packages/compare/src/failure/rules.ts';
import { readTestData } from '../../support/test-data.ts';

const { claims } = readTestData<{ claims: [string, Record<string, null | number | string>][] }>(import.meta);

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
    'says what “%s” means, and which public report contains it',
    (_, { has, and = [], names, hints = [], report }) => {
      expect(report).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/);
      // A list that a rule names exists.
      expect(and.filter((texts) => texts.length === 0)).toEqual([]);
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
      // A row for a text of several languages covers all of them.
      expect(new Set(languages).size).toBeLessThanOrEqual(1);
    },
  );
});

// Claims of an output about the machine, to be checked there.

describe('what an output claims of the machine', () => {
  it.each(claims)('%s', (line, claim) => {
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
