// What the diagnosis finds in runs with known causes, and how it says so.

import { describe, expect, it } from 'vitest';
import { diagnose, type Outcome } from '../../../packages/compare/src/diagnosis/diagnosis.ts';
import type { OwnRuns } from '../../../packages/compare/src/diagnosis/suggest.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { readTestData } from '../../support/test-data.ts';

/** Numbers of passing and failing runs, common and own values, the expected findings, and a text that must not appear. */
interface Case {
  readonly runs?: readonly [passed: number, failed: number];
  readonly both?: object;
  readonly passing?: object;
  readonly failing?: object;
  readonly own?: OwnRuns;
  readonly expected: { readonly findings: readonly object[]; readonly [name: string]: unknown };
  readonly hides?: string;
}
const { cases } = readTestData<{ cases: Record<string, Case> }>(import.meta);

interface TestRun {
  readonly outcome: Outcome;
  readonly environment: ComparableEnvironment;
}

/** Runs on one day each, the later ones failing. */
function runs(
  passed: number,
  failed: number,
  environment: (fails: boolean, index: number) => object,
): TestRun[] {
  return Array.from({ length: passed + failed }, (_, index) => {
    const fails = index >= passed;
    return {
      outcome: fails ? 'failed' : 'passed',
      environment: {
        machineName: `runner-${index % 4}`,
        createdAt: new Date(Date.UTC(2026, 9, 1 + index)).toISOString(),
        metadata: { capture: { envValues: 'safe' } },
        ...environment(fails, index),
      },
    };
  });
}

it.each(Object.entries(cases))(
  '%s',
  (_, { runs: [passed, failed] = [10, 10], own, expected, hides, ...sides }) => {
    const { both = {}, passing = {}, failing = {} } = sides;
    const made = runs(passed, failed, (fails) => ({ ...both, ...(fails ? failing : passing) }));
    const found = diagnose(made, own);
    const codes = found.notes.map(({ code }) => code);
    const rounded = (value: number) => Number(value.toFixed(10));
    const findings = found.findings
      .slice(0, 1)
      .map((one) => ({ ...one, pValue: rounded(one.pValue), qValue: rounded(one.qValue) }));
    expect({ ...found, codes, findings }).toMatchObject(expected);
    if (hides !== undefined) expect(JSON.stringify(found)).not.toContain(hides);
  },
);

describe('a cause', () => {
  it('is reported with its counts and its rate', () => {
    const found = diagnose(
      runs(31, 12, (fails, index) => ({
        runtimeVersions: { node: fails ? '24.1.0' : '22.11.0', go: index % 2 ? '1.22.0' : '1.23.0' },
      })),
    );
    expect(found.runs).toEqual({ passed: 31, failed: 12 });
    const [first] = found.findings;
    expect(first).toMatchObject({
      keys: ['runtimes.node'],
      what: '12 of 12 failing runs have node 24.1.0, 0 of 31 passing ones',
      inFailed: 12,
      inPassed: 0,
      explainedBy: null,
    });
    expect(first?.pValue).toBeCloseTo(6.519e-11, 13);
    expect(first?.qValue).toBeLessThan(1e-9);
    expect(found.suggestion).toBe(
      'Run it once with node 22.11.0 and everything else as in the failing runs. If it passes, that is the cause.',
    );
  });

  it.each([
    ['a variable that is missing', { A: '1' }, {}, 'env:A', 'no A'],
    ['a variable that is set', {}, { FORCE_COLOR: '1' }, 'env:FORCE_COLOR', 'FORCE_COLOR=1'],
    ['an entry of PATH', { PATH: '/bin' }, { PATH: '/opt/x:/bin' }, 'env:PATH', '/opt/x in PATH'],
  ])('can be %s', (_, passing, failing, key, what) => {
    const found = diagnose(
      runs(10, 10, (fails, index) => {
        const own = fails ? failing : passing;
        // Every run has its own entry, so that no two lists are the same.
        const PATH = 'PATH' in own ? `/run/${index}:${own.PATH}` : '/bin';
        return { envVars: { ...own, PATH } };
      }),
    );
    expect(found.findings[0]).toMatchObject({ keys: [key] });
    expect(found.findings[0]?.what).toContain(`have ${what},`);
  });

  it('can be a version from some point on, although no single version separates the runs', () => {
    const found = diagnose(
      runs(12, 12, (fails, index) => ({
        dependencies: { 'package-lock.json': { zod: fails ? `4.${index % 6}.0` : `3.${index % 6}.0` } },
      })),
    );
    expect(found.findings[0]?.what).toBe(
      '12 of 12 failing runs have zod 4.0.0 or newer, 0 of 12 passing ones',
    );
  });

  it('can be a limit below some number', () => {
    const found = diagnose(
      runs(10, 10, (fails, index) => ({
        metadata: { facts: { 'limits.openFiles': fails ? 256 + index : 1024 + index } },
      })),
    );
    expect(found.findings[0]?.what).toBe(
      '10 of 10 failing runs have limits.openFiles below 1024, 0 of 10 passing ones',
    );
  });

  it('is found although it only makes failure likelier', () => {
    const found = diagnose(
      runs(30, 30, (fails, index) => ({
        envVars: { TZ: fails === (index % 6 !== 0) ? 'Asia/Kolkata' : 'UTC' },
      })),
    );
    expect(found.findings[0]?.keys).toEqual(['env:TZ']);
    expect(found.findings[0]?.qValue).toBeLessThan(0.001);
  });
});

describe('what changed together', () => {
  const image = runs(20, 10, (fails) => ({
    runtimeVersions: { node: fails ? '24.1.0' : '22.11.0', npm: fails ? '11.3.0' : '10.9.0' },
    dependencies: {
      '/var/lib/dpkg/status': { openssl: fails ? '3.2' : '3.0', libc6: fails ? '2.39' : '2.36' },
    },
    envVars: { ImageVersion: fails ? '20261103.1' : '20261020.2' },
  }));

  it('is a group with its day and its image, and no proof', () => {
    const [first, ...others] = diagnose(image).findings;
    expect(others).toEqual([]);
    expect(first?.keys[0]).toBe('runtimes.node');
    expect(first?.keys).toHaveLength(5);
    expect(first?.together).toBe('libc6 and openssl changed with it on 21 October 2026: image 20261103.1');
    expect(first?.since).toBe('2026-10-21T00:00:00.000Z');
  });

  it('is separated by the suggested run', () => {
    expect(diagnose(image).suggestion).toBe(
      'Run it once with node 22.11.0 and everything else as in the failing runs. If it passes, that is the cause; if it fails, the cause is among the other 2.',
    );
  });
});

describe('a second difference that follows the first', () => {
  it('is reported as explained by it', () => {
    const found = diagnose(
      runs(30, 30, (fails, index) => ({
        envVars: { CAUSE: fails ? 'b' : 'a', SHADOW: fails === (index % 10 !== 0) ? 'b' : 'a' },
      })),
    );
    expect(found.findings.map(({ keys, explainedBy }) => [keys[0], explainedBy])).toEqual([
      ['env:CAUSE', null],
      ['env:SHADOW', 0],
    ]);
  });
});

describe('facts', () => {
  const withFacts = (facts: (fails: boolean, index: number) => object) =>
    diagnose(runs(10, 10, (fails, index) => ({ metadata: { facts: facts(fails, index) } })));

  it('that are lists differ by their entries', () => {
    const found = withFacts((fails, index) => ({
      'locale.installed': [`only-${index}`, 'C', ...(fails ? [] : ['de_DE.utf8'])],
    }));
    expect(found.findings[0]?.what).toBe(
      '10 of 10 failing runs have no de_DE.utf8 in locale.installed, 0 of 10 passing ones',
    );
  });

  it('that are limits are ordered, and unlimited is the most', () => {
    const found = withFacts((fails, index) => ({
      'limits.stack': fails ? 1000 + index : index % 2 ? 'unlimited' : 9000 + index,
    }));
    expect(found.findings[0]?.what).toContain('have limits.stack below 9000, 0 of 10');
  });
});

it('suggests several runs if some runs with the value passed', () => {
  const found = diagnose(
    runs(10, 10, (fails, index) => ({
      runtimeVersions: { node: fails || index < 3 ? '24.1.0' : '22.11.0' },
    })),
  );
  expect(found.findings[0]).toMatchObject({ inFailed: 10, inPassed: 3 });
  expect(found.suggestion).toBe(
    'Run it 3 times with node 22.11.0 and everything else as in the failing runs. If all pass, that is the cause. 3 of 13 runs passed with the other value.',
  );
});
