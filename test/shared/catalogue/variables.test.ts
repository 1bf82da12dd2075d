import { describe, expect, it } from 'vitest';
import {
  describeVariable,
  isVolatile,
  variableCatalogue,
} from '../../../packages/shared/src/catalogue/variables/variable-catalogue.ts';
import { variableClasses } from '../../../packages/shared/src/catalogue/variables/variable-class.ts';
import { readTestData } from '../../support/test-data.ts';
import runs from './ci-runs.json' with { type: 'json' };

const { classes } = readTestData<{ classes: [string, string][] }>(import.meta);

/**
 * Variables of two runs of the same job, commit and image, service by service, from the services' documentation and independent
 * of the catalogue. One value if both runs have the same.
 */
const runPairs: Readonly<Record<string, Readonly<Record<string, string | string[]>>>> = runs;

const within = (provider: string) => ({ providers: new Set([provider]) });
const classOf = (name: string, provider?: string) =>
  describeVariable(name, provider === undefined ? {} : within(provider))?.class;

describe('every row of the catalogue', () => {
  it('describes its own name', () => {
    const wrong = variableCatalogue.filter((row) => {
      const found = describeVariable(row.pattern.replaceAll('*', 'QZ7'), within(row.provider));
      return !(
        /^(?!\*$)[^\s*]*\*?[^\s*]*\*?[^\s*]*$/.test(row.pattern) &&
        /^https:\/\/|^README\.md$/.test(row.source) &&
        Object.hasOwn(variableClasses, row.class) &&
        found?.pattern === row.pattern &&
        found.class === row.class
      );
    });
    expect(wrong).toEqual([]);
  });

  it('has several hundred rows, and no name twice with two meanings', () => {
    expect(variableCatalogue.length).toBeGreaterThan(1000);
    const meanings = new Map<string, Set<string>>();
    for (const row of variableCatalogue.filter(({ scoped }) => !scoped)) {
      const known = meanings.get(row.pattern) ?? new Set();
      meanings.set(row.pattern, known.add(row.class));
    }
    expect([...meanings].filter(([, classes]) => classes.size > 1)).toEqual([]);
  });

  it('spells patterns the same way on Windows', () => {
    for (const row of variableCatalogue) {
      const name = row.pattern.replaceAll('*', 'QZ7').toLowerCase();
      expect(describeVariable(name, { ...within(row.provider), ignoreCase: true })).toBeDefined();
    }
  });
});

describe('what a name means', () => {
  it('shows whether a job runs in CI, which is no secret, and is itself rarely a cause', () => {
    expect(describeVariable('CI')).toMatchObject({ class: 'behaviour', likelihood: 'runner', plain: true });
    const { likelihood, plain } = describeVariable('CONTINUOUS_INTEGRATION') ?? {};
    expect({ likelihood, plain }).toEqual({ likelihood: 'high', plain: undefined });
  });

  it.each(classes)('%s is %s', (name, expected) => {
    expect(classOf(name)).toBe(expected);
  });

  it('takes ordinary words for the service only in its own environment', () => {
    expect(classOf('BRANCH')).toBeUndefined();
    expect(classOf('BRANCH', 'netlify')).toBe('per-run');
    expect(classOf('PORT')).toBe('application');
    expect(classOf('PORT', 'heroku')).toBe('per-run');
    expect(classOf('BUILD_NUMBER')).toBeUndefined();
    expect(classOf('BUILD_NUMBER', 'jenkins')).toBe('per-run');
  });

  it('knows nothing of names that nobody documents', () => {
    expect(classOf('ACME_FLAVOUR')).toBeUndefined();
    expect(classOf('__proto__')).toBeUndefined();
    expect(classOf('constructor')).toBeUndefined();
  });

  it('matches long names in linear time', () => {
    expect(classOf(`${'A_PORT_'.repeat(20_000)}X`)).toBeUndefined();
  });
});

describe('two runs of one job on one image', () => {
  it.each(Object.entries(runPairs))('of %s differ in nothing that a capture keeps', (provider, pair) => {
    const capturedNames = Object.entries(pair)
      .filter(([, values]) => typeof values !== 'string' && values[0] !== values[1])
      .filter(([name]) => !isVolatile(classOf(name, provider) ?? 'application'))
      .map(([name]) => name);
    expect(capturedNames).toEqual([]);
  });

  it.each(Object.entries(runPairs))('of %s keep what says how the job is set up', (provider, pair) => {
    const own = ['DATABASE_URL', 'CI'];
    const same = Object.entries(pair).filter(
      ([name, values]) => typeof values === 'string' && !own.includes(name),
    );
    const stableNames = same.filter(([name]) => !isVolatile(classOf(name, provider) ?? 'application'));
    expect(stableNames.length).toBeGreaterThan(0);
    for (const [name] of stableNames)
      expect(classOf(name, provider), name).toEqual(
        expect.stringMatching(/^(configuration|per-job|per-image)$/),
      );
  });
});
