import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { type ComparableEnvironment, differencesOf } from '../../../packages/compare/src/model/model.ts';
import { countingEntries, defaultFailRules } from '../../../packages/compare/src/policy/fail-on.ts';
import { readTestData } from '../../support/test-data.ts';

type Part = Partial<ComparableEnvironment>;
type Cases = Record<string, Record<string, [a: Part, b: Part, counted: string[], both?: Part][]>>;
type Variables = Record<string, string>;

const data = readTestData<{
  project: object;
  explained: Cases;
  healthy: Cases;
  counting: string;
  notCounting: string;
  languages: [string, string, string[]][];
  quietPairs: [Variables, Variables][];
  whereMentioned: string;
  onOneSide: string;
}>(import.meta);
const words = (text: string) => text.trim().split(/\s+/);

/** A usual machine with a project of Node.js, and the expected result. */
function machine(...parts: Part[]): ComparableEnvironment {
  const metadata = Object.assign({}, ...parts.map((part) => part.metadata));
  const project = metadata.project === null ? {} : { project: { ...data.project, ...metadata.project } };
  return Object.assign(
    { machineName: 'm', os: 'linux', arch: 'x64', runtimeVersions: {} },
    { dependencies: { 'pnpm-lock.yaml': { zod: '4.0.0' } } },
    ...parts,
    { metadata: { ...metadata, project: undefined, ...project } },
  );
}

/** Differences that count while a failure is being explained, or between healthy machines. */
function counted(a: ComparableEnvironment, b: ComparableEnvironment, explains = true): string[] {
  return countingEntries(findDifferences(a, b, { explains }), defaultFailRules).map(({ key }) => key);
}

const countedVariables = (a: Variables, b: Variables, extra: Part = {}) =>
  counted(machine({ envVars: a }, extra), machine({ envVars: b }, extra));

describe.each([
  ['while a failure is being explained', true, data.explained],
  ['between healthy machines', false, data.healthy],
] as const)('%s', (_, explains, groups) => {
  describe.each(Object.entries(groups))('%s', (_group, cases) => {
    it.each(Object.entries(cases))('%s', (_title, rows) => {
      for (const [a, b, expected, both = {}] of rows)
        expect(counted(machine(both, a), machine(both, b), explains).sort()).toEqual(expected.sort());
    });
  });
});

describe('a variable counts', () => {
  it.each(words(data.counting))('when it is %s', (name) => {
    expect(countedVariables({ [name]: 'one' }, {})).toEqual([name]);
    expect(countedVariables({ [name]: 'one' }, { [name]: 'two' })).toEqual([name]);
  });

  it.each(words(data.notCounting))('not when it is %s', (name) => {
    expect(countedVariables({ [name]: 'one' }, {})).toEqual([]);
    expect(countedVariables({ [name]: 'one' }, { [name]: 'two' })).toEqual([]);
  });

  it.each(data.languages)(
    'LANGUAGE=%s against none with LANG=%s where messages change: %j',
    (LANGUAGE, LANG, expected) => {
      expect(countedVariables({ LANG, LANGUAGE }, { LANG })).toEqual(expected);
      expect(countedVariables({ LANG }, { LANG, LANGUAGE })).toEqual(expected);
    },
  );
});

it('says why a difference is context', () => {
  const comparison = findDifferences(
    machine({ envVars: { GTK_MODULES: 'x', ANDROID_HOME: '~/a' }, runtimeVersions: { go: '1.22.0' } }),
    machine({ envVars: { PYTHONUTF8: '1' } }),
  );
  expect(
    Object.fromEntries(differencesOf(comparison).map(({ key, contextReason }) => [key, contextReason])),
  ).toEqual({
    ANDROID_HOME: 'of java, which the project does not use',
    GTK_MODULES: 'set by the desktop',
    PYTHONUTF8: 'of python, which the project does not use',
    go: 'nothing in the project asks for it',
  });
});

describe('between healthy machines', () => {
  const quiet = (a: Part, b: Part) => counted(machine(a), machine(b), false);

  it.each(data.quietPairs)('%j against %j counts only while a failure is being explained', (a, b) => {
    expect(quiet({ envVars: a }, { envVars: b })).toEqual([]);
  });

  it.each(words(data.whereMentioned))('%s counts if the project mentions it', (name) => {
    expect(quiet({ envVars: { [name]: 'one' } }, { envVars: {} })).toEqual([]);
    const metadata = { project: { variables: { [name]: 'src/settings.ts' } } };
    expect(quiet({ envVars: { [name]: 'one' }, metadata }, { metadata })).toEqual([name]);
  });

  it.each(words(data.onOneSide))('%s counts on one side, mentioned or not', (name) => {
    expect(quiet({ envVars: { [name]: 'one' } }, {})).toEqual([name]);
    const onCi = { metadata: { ci: { provider: 'gitlab-ci' } }, envVars: { [name]: 'test' } };
    expect(quiet(onCi, {})).toEqual(name === 'NODE_ENV' ? [] : [name]);
  });
});
