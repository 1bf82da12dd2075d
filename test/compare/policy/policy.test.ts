import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { checkPolicy } from '../../../packages/compare/src/policy/check-policy.ts';
import { carriedPolicy, PolicyError, parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { headlineOf } from '../../../packages/compare/src/report/report.ts';
import { fitsRequirement } from '../../../packages/versions/src/requirement.ts';
import { readTestData } from '../../support/test-data.ts';

const { full, machine, checked, slips } = readTestData<{
  full: string;
  machine: ComparableEnvironment;
  checked: unknown[];
  slips: [string, string][];
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

  it('takes an empty file, and keys without a value, for no rules', () => {
    expect(parsePolicy('', 'p').policy).toEqual({});
    expect(parsePolicy('# nothing yet\n\n', 'p').policy).toEqual({});
    expect(parsePolicy('ignore:\n  # - env:TERM\n', 'p').policy).toEqual({});
    expect(parsePolicy('failOn: none', 'p').failOn).toEqual([]);
    expect(parsePolicy('ignore: []', 'p').failOn).toBeUndefined();
  });

  it.each([
    [
      'expects:\n  os: linux\n',
      '.envsnap.yaml:1:1 expects: there is no such key here; did you mean "expect"?',
    ],
    [
      'expect:\n  node: ">=22"\n',
      '.envsnap.yaml:2:3 expect.node: there is no such key here; to expect it of a runtime, write it under expect.runtimes.',
    ],
    [
      'expect:\n  TZ: UTC\n',
      '.envsnap.yaml:2:3 expect.TZ: there is no such key here; to expect it of a variable, write it under expect.env.',
    ],
    [
      'runtimes:\n  node: 22\n',
      '.envsnap.yaml:1:1 runtimes: there is no such key here; write it under expect: (expect.runtimes).',
    ],
    [
      'ignore:\n  - env:A\n  - "envs:B"\n',
      /^\.envsnap\.yaml:3:5 ignore\.1: There is no section "envs".*Did you mean "env"\?/,
    ],
    ['failOn: runtimes:majr\n', /^\.envsnap\.yaml:1:1 failOn: There is no level "majr"/],
    [
      'expect:\n  runtimes:\n    node: lts\n',
      /^\.envsnap\.yaml:3:5 expect\.runtimes\.node: "lts" is neither a version nor a range/,
    ],
    ['required: DATABASE_URL\n', '.envsnap.yaml:1:1 required: must be a list of variables'],
    ['required: ["A=b"]\n', /^\.envsnap\.yaml:1:12 required\.0: "A=b" is not the name/],
    ['a: 1\na: 2\n', '.envsnap.yaml:2:1 this is not valid YAML: duplicated mapping key'],
    [
      'a:\n\t- x\n',
      '.envsnap.yaml:2:1 this is not valid YAML: tab characters must not be used in indentation',
    ],
    ['version: 2\n', '.envsnap.yaml:1:1 version: must be 1'],
    ['- a\n', '.envsnap.yaml:1:1 must be a mapping'],
    ['expect: &x\n  env: *x\n', /not valid YAML/],
  ])('reports the line and what was meant: %j', (source, expected) => {
    const [first] = problems(source);
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
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

  it('says of every expectation how it stands, with its line', () => {
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

  it('takes an empty variable for names alone only where the capture says so', () => {
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
  it.each([
    ['22.11.0', '>=22 <25', 'npm', true],
    ['25.0.0', '>=22 <25', 'npm', false],
    ['24.1.0', '22', 'npm', false],
    ['22.4.1', '22.4', 'npm', true],
    ['v22.4.1', '^22', 'npm', true],
    ['22.4.1', '20 || 22', 'npm', true],
    ['3.12.1', '3.12', 'pypi', true],
    ['3.12.1', '~=3.11', 'pypi', true],
    ['3.12.1', '>=3.9,<3.12', 'pypi', false],
    ['3.13.0rc1', '>=3.12', 'pypi', true],
    ['1.22.4', 'go1.22', 'go', true],
    ['17.0.9+9', 'temurin-17', 'generic', true],
    ['12.2.0-14', '>=12', 'generic', true],
    ['22.1.0', 'lts/*', 'npm', undefined],
    ['22.1.0', '*', 'npm', true],
    ['3.11.2', '^3.9', 'pypi', true],
    ['4.0.0', '^3.9', 'pypi', false],
    ['3.11.2', '>=3.9 <4', 'pypi', true],
    ['3.11.2', '>= 3.12 < 4', 'pypi', false],
    ['3.11.2', '~3.11', 'pypi', true],
    ['3.12.0', '~3.11', 'pypi', false],
    ['3.11.2', '3.11.*', 'pypi', true],
    ['3.1.2', '3.11.*', 'pypi', false],
    ['3.11.2', '3.x', 'pypi', true],
    ['2.7.18', '3.x', 'pypi', false],
    ['3.11.2', '3.10 - 3.11', 'pypi', true],
    ['3.12.0', '3.10 - 3.11', 'pypi', false],
    ['3.11.2', '2.7 || >=3.8', 'pypi', true],
    ['3.11.2', '~=3.9, !=3.10.*', 'pypi', true],
    ['3.10.2', '~=3.9, !=3.10.*', 'pypi', false],
    ['3.11.2', '==3.11.2', 'pypi', true],
    ['3.11.2', 'system', 'pypi', undefined],
    ['3.11.2', '>=3.9; nonsense', 'pypi', undefined],
    ['3.3.0', '~> 3.2', 'rubygems', true],
    ['4.0.0', '~> 3.2', 'rubygems', false],
    ['3.2.9', '~> 3.2.1', 'rubygems', true],
    ['3.3.0', '~> 3.2.1', 'rubygems', false],
    ['2.36', '>=2.31', 'generic', true],
    ['8.1.2-1ubuntu2.14', '>=8.1.2', 'generic', true],
    ['8.1.2-1ubuntu2.14', '>8.1', 'rubygems', true],
    ['8.1.5', '>8.1', 'composer', true],
    ['8.3.5', '<=8.3', 'composer', false],
    ['8.3.0', '<=8.3', 'composer', true],
    ['22.4.0', '<=22', 'npm', true],
    ['22.4.0', '>22', 'npm', false],
    ['7.1.3.2', '~> 7.1.3.1', 'rubygems', true],
    ['7.1.4.0', '~> 7.1.3.1', 'rubygems', false],
    ['7.1.3', '~> 7.1.3.1', 'rubygems', false],
    ['22.04', '>=20.04', 'generic', true],
    ['18.04', '>=20.04', 'generic', false],
    ['22.04', '22', 'generic', true],
    ['22.04.3', '22.04', 'generic', true],
    ['156.0.8078.104', '>=156.0.8078.100', 'generic', true],
    ['156.0.8078.99', '>=156.0.8078.100', 'generic', false],
    ['156.0.8078.99', '156.0.8078.100', 'generic', false],
    ['3.13.0rc1', '>=3.13', 'generic', false],
    ['3.13.0rc1', '>=3.12', 'generic', true],
    ['3.13.0rc1', '3.13', 'generic', true],
    ['2.0.0-RC1', '>=2.0', 'maven', false],
    ['1.23rc1', '>=1.23', 'go', false],
    ['3.0.0.rc1', '~> 3.0', 'rubygems', false],
    ['3.1.0.rc1', '~> 3.0', 'rubygems', true],
    ['26.0.0-rc.1', '>=26', 'npm', true],
    ['1.8.0_402', '>=8', 'generic', true],
    ['1.8.0_402', '>=11', 'generic', false],
    ['1.8.0_402', '8', 'generic', true],
    ['1.8.0_402', '1.8', 'generic', true],
    ['1.8.0_402', '>=1.7 <1.9', 'generic', true],
    ['1.8.0_402', '>=1.8.0_412', 'generic', false],
    ['1.8.0_402', '8u402', 'generic', true],
    ['17.0.10', '>=1.8.0_300', 'generic', true],
    ['8.0.12', '^1.8.0', 'npm', false],
    ['1.1.1c', '>=1.1.1', 'generic', true],
    ['3.3a', '>=3.3', 'generic', true],
    ['1.16.2-x86_64-linux', '~> 1.15', 'rubygems', true],
    ['3.3.5p100', '~> 3.4', 'rubygems', false],
  ] as const)('%s against %s (%s): %s', (version, requirement, ecosystem, expected) => {
    expect(fitsRequirement(version, requirement, ecosystem)).toBe(expected);
  });
});

it('an old version of Java is one that a policy may ask for', () => {
  expect(() => parsePolicy('expect:\n  runtimes:\n    java: ">=1.8.0_300"\n', 'x')).not.toThrow();
});

describe('a slip in a policy is reported with what was meant', () => {
  it.each(slips)('%j', (text, told) => {
    expect(() => parsePolicy(text, '.envsnap.yaml')).toThrow(told);
  });

  it('but names that nobody knows are taken as they are, and patterns may match nothing yet', () => {
    for (const text of ['ignore:\n  - runtimes:our-own-compiler\n', 'ignore:\n  - runtimes:nod*\n'])
      expect(() => parsePolicy(text, '.envsnap.yaml')).not.toThrow();
  });
});
