import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Ecosystem } from '@envsnap/shared/catalogue/ecosystem';
import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { checkPolicy } from '../../../packages/compare/src/policy/check-policy.ts';
import { carriedPolicy, PolicyError, parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { headlineOf } from '../../../packages/compare/src/report/report.ts';
import { fitsRequirement } from '../../../packages/versions/src/requirement.ts';
import { readTestData } from '../../support/test-data.ts';

const { full, machine, checked, slips, mistakes, requirements } = readTestData<{
  full: string;
  machine: ComparableEnvironment;
  checked: unknown[];
  slips: [string, string][];
  mistakes: [string, string][];
  requirements: [string, string, Ecosystem, boolean | null][];
}>(import.meta);

function problems(source: string): string[] {
  try {
    parsePolicy(source, '.envsnap.yaml');
  } catch (error) {
    if (error instanceof PolicyError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('parsePolicy', () => {
  it('reads lists that close below their key, as people write them in JSON', () => {
    const { policy } = parsePolicy('expect:\n  os: [\n    linux,\n  ]\nignore: [\n  "env:A",\n]\n', 'f');
    expect(policy).toEqual({ expect: { os: ['linux'] }, ignore: ['env:A'] });
  });

  it('refuses lists that would keep a comparison busy for minutes', () => {
    const list = (name: string, item: string) => `${name}:\n${item.repeat(1001)}`;
    for (const [name, item] of [
      ['ignore', '  - env:A*b*c\n'],
      ['accepted', '  - {key: env:A, reason: r}\n'],
      ['required', '  - A*\n'],
    ] as const)
      expect(problems(list(name, item))).toEqual([`.envsnap.yaml:1:1 ${name}: must hold at most 1,000`]);
  });

  it('knows the lines of twenty thousand expectations', () => {
    const source = `expect:\n  env:\n${Array.from({ length: 20_000 }, (_, n) => `    a${n}: 1\n`).join('')}`;
    const { lineOf } = parsePolicy(source, 'f');
    for (let n = 0; n < 20_000; n += 1) expect(lineOf(['expect', 'env', `a${n}`])).toBe(n + 3);
  });

  it('reads every part, scalars as they are written', () => {
    const { policy, failOn } = parsePolicy(full, '.envsnap.yaml');
    expect(policy.expect?.runtimes).toEqual({ node: '>=22 <25', python: '3.10' });
    expect(policy.baseline).toBe('latest:ci');
    expect(failOn?.map((rule) => [rule.section, rule.level])).toEqual([
      ['runtimes', 'minor'],
      ['dependencies', 'major'],
      ['env', null],
    ]);
  });

  it('treats an empty file, and keys without a value, as no rules', () => {
    expect(parsePolicy('', 'p').policy).toEqual({});
    expect(parsePolicy('# nothing yet\n\n', 'p').policy).toEqual({});
    expect(parsePolicy('ignore:\n  # - env:TERM\n', 'p').policy).toEqual({});
    expect(parsePolicy('failOn: none', 'p').failOn).toEqual([]);
    expect(parsePolicy('ignore: []', 'p').failOn).toBeUndefined();
  });

  it.each(mistakes)('reports the line and what was meant: %j', (source, expected) => {
    expect(problems(source)).toContain(expected);
  });

  it('reads acceptances and a preset, which holds where nothing says what fails', () => {
    const accepted = [{ key: 'env:LOG_*', reason: 'taste', until: '2027-01-31' }];
    const text = 'accepted:\n  - key: env:LOG_*\n    reason: taste\n    until: 2027-01-31\n';
    expect(parsePolicy(text, 'p').policy.accepted).toEqual(accepted);
    expect(parsePolicy('preset: ci\n', 'p').failOn?.[0]?.text).toBe('preset:ci');
    expect(parsePolicy('preset: ci\nfailOn: [env]\n', 'p').failOn?.map(({ text }) => text)).toEqual(['env']);
  });

  it('reports all problems at once', () => {
    expect(problems('nope: 1\nexpect:\n  oss: x\nfailOn: [bad]\n').length).toBeGreaterThanOrEqual(2);
  });
});

describe('the examples of the documents', () => {
  it.each(['README.md', 'docs/policy.md'])('%s: every policy in it can be used', (file) => {
    const text = readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8');
    const policies = [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
      .map(([, source]) => source ?? '')
      .filter((source) => /^(failOn|expect):/m.test(source));
    expect(policies.length).toBeGreaterThan(0);
    for (const source of policies) expect(problems(source)).toEqual([]);
  });
});

describe('checkPolicy', () => {
  const checks = checkPolicy(parsePolicy(full, 'p'), machine);

  it('reports the state of every expectation, with its line', () => {
    expect(checks.map(({ rule, outcome, message, line }) => [line, rule, outcome, message])).toEqual(checked);
  });

  it('never holds a value of a variable', () => {
    expect(JSON.stringify(checks)).not.toMatch(/canary|Berlin/);
  });

  it('cannot judge the value of a redacted variable, and says so', () => {
    const [check] = checkPolicy(parsePolicy('expect:\n  env:\n    TOKEN: x\n', 'p'), {
      machineName: 'm',
      envVars: { TOKEN: '[redacted]' },
    });
    expect(check).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('redacted') });
  });

  it('treats an empty variable as a name without value only if the capture says so', () => {
    const required = parsePolicy('required: [TOKEN]\n', 'p');
    const side = { machineName: 'm', envVars: { TOKEN: '' } };
    expect(checkPolicy(required, side)).toMatchObject([{ outcome: 'violated' }]);
    const namesOnly = { ...side, metadata: { capture: { envValues: 'none' } } };
    expect(checkPolicy(required, namesOnly)).toMatchObject([{ outcome: 'met' }]);
  });

  it('leaves open a fact of a carried policy that only another version knows, and compare says so', () => {
    const policy = { path: 'p', text: 'expect:\n  facts:\n    kernel.tomorrow: 7\n' };
    const side = { machineName: 'm', os: 'linux', arch: 'x64', metadata: { policy } };
    const carried = carriedPolicy(side);
    expect(carried && checkPolicy(carried, side)).toMatchObject([
      { outcome: 'unknown', message: 'kernel.tomorrow is unknown on this machine, expected 7' },
    ]);
    const report = compareEnvironments(side, side, { policy: carried });
    expect(headlineOf(report)).toBe('No difference found; 1 expectation could not be checked.');
  });
});

describe('fitsRequirement', () => {
  it.each(requirements)('%s against %s (%s): %s', (version, requirement, ecosystem, expected) => {
    expect(fitsRequirement(version, requirement, ecosystem)).toBe(expected ?? undefined);
  });
});

it('a policy may ask for an old version of Java', () => {
  expect(() => parsePolicy('expect:\n  runtimes:\n    java: ">=1.8.0_300"\n', 'x')).not.toThrow();
});

describe('a slip in a policy is reported with what was meant', () => {
  it.each(slips)('%j', (text, message) => {
    expect(() => parsePolicy(text, '.envsnap.yaml')).toThrow(message);
  });

  it('but names that nobody knows are taken as they are, and patterns may match nothing yet', () => {
    for (const text of ['ignore:\n  - runtimes:our-own-compiler\n', 'ignore:\n  - runtimes:nod*\n'])
      expect(() => parsePolicy(text, '.envsnap.yaml')).not.toThrow();
  });
});
