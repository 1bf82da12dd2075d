// The limits on a diagnosis, whatever the captures contain, and its notes when a limit was reached.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRun, diagnose, findCauses, RunTable } from '../../../packages/compare/src/diagnosis/diagnosis.ts';
import type { Run } from '../../../packages/compare/src/diagnosis/model.ts';
import {
  absentCode,
  type Feature,
  firstValue,
  unknownCode,
} from '../../../packages/compare/src/diagnosis/run-table.ts';
import { createSplitter, sideTest } from '../../../packages/compare/src/diagnosis/splits.ts';

const outcomeOf = (run: number) => (run % 2 ? 'failed' : 'passed');

/** Runs with the given number of packages each; `version` chooses their versions. */
function runsOf(runs: number, packages: number, version: (run: number, place: number) => string) {
  return Array.from({ length: runs }, (_, run) => {
    const names = Array.from({ length: packages }, (_, place) => [`p${place}`, version(run, place)]);
    const dependencies = { 'package-lock.json': Object.fromEntries(names) as Record<string, string> };
    return { outcome: outcomeOf(run), environment: { machineName: 'm', dependencies } } as const;
  });
}

function tableOf(runs: ReturnType<typeof runsOf>, options?: { mostBytes: number }): RunTable {
  const table = new RunTable(options);
  for (const { environment, outcome } of runs) {
    if (table.isFull) break;
    addRun(table, environment, { outcome, machineName: 'm', createdAt: null });
  }
  return table;
}

/** Microseconds of processor time for eight times the work: the system counts it in steps of some milliseconds. */
function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < 8; time += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

describe('a diagnosis', () => {
  it('costs little more for four times the versions of one package, long ones too', {
    tags: 'release',
  }, () => {
    for (const rest of ['', `-${'a.1.'.repeat(90)}`]) {
      const version = (run: number, place: number) => `1.${(run * 7919 + place) % 1009}.0${rest}`;
      const [few, many] = [runsOf(60, 30, version), runsOf(240, 30, version)];
      diagnose(few);
      const ratio = processorTime(() => diagnose(many)) / processorTime(() => diagnose(few));
      // Ordering them once costs about five times as much, ordering them for each threshold more than sixty.
      expect(ratio, rest.slice(0, 20)).toBeLessThan(25);
    }
  });

  it('names at most 50 keys of a finding, and says how many there are', () => {
    const found = diagnose(runsOf(20, 1000, (run) => (run % 2 ? '2.0.0' : '1.0.0')));
    expect(found.findings).toHaveLength(1);
    expect(found.findings[0]).toMatchObject({ keyCount: 1000 });
    expect(found.findings[0]?.keys).toHaveLength(50);
  });

  it('names first the packages that the project itself asks for', () => {
    const runs = runsOf(20, 100, (run) => (run % 2 ? '2.0.0' : '1.0.0'));
    const direct = { 'package-lock.json': ['p42', 'p77'] };
    const asking = runs.map(({ environment, outcome }) => ({
      outcome,
      environment: { ...environment, metadata: { direct } },
    }));
    const [finding] = diagnose(asking).findings;
    expect(finding?.keys.slice(0, 3)).toEqual(
      ['p42', 'p77', 'p0'].map((name) => `dependencies:package-lock.json/${name}`),
    );
  });

  it('names fewer keys if they are long, but at least one', () => {
    const long = runsOf(20, 3, (run) => outcomeOf(run)).map((run) => ({
      ...run,
      environment: {
        ...run.environment,
        dependencies: { [`${'f'.repeat(20_000)}`]: { a: run.outcome, b: run.outcome } },
      },
    }));
    const [finding] = diagnose(long).findings;
    expect([finding?.keys.length, finding?.keyCount]).toEqual([1, 2]);
  });

  it('reads no more runs than it has memory for, and says how many it left out', () => {
    const runs = runsOf(40, 500, (run, place) => `${run}.${place}.0`);
    const table = tableOf(runs, { mostBytes: 1_000_000 });
    expect(table.runs.length).toBeGreaterThan(1);
    expect(table.runs.length).toBeLessThan(40);
    const { notes } = findCauses(table, { leftOut: runs.length - table.runs.length });
    const leftOut = 40 - table.runs.length;
    expect(notes.find(({ code }) => code === 'runs_left_out')?.message).toContain(`${leftOut} runs left out`);
  });

  it('tests no more keys than it has time for, and says how many it left out', () => {
    const table = tableOf(runsOf(40, 500, (run, place) => `${run}.${place}.0`));
    const { notes } = findCauses(table, { mostSteps: 1_000_000 });
    const message = notes.find(({ code }) => code === 'keys_left_out')?.message ?? '';
    expect(Number(/^([\d,]+) keys not tested/.exec(message)?.[1])).toBeGreaterThan(100);
  });
});

describe('two splits', () => {
  it('are the same exactly if they separate the runs in the same way', () => {
    const columns = fc.array(
      fc.array(fc.constantFrom(absentCode, unknownCode, firstValue, firstValue + 1, firstValue + 2), {
        minLength: 12,
        maxLength: 12,
      }),
      { minLength: 2, maxLength: 6 },
    );
    fc.assert(
      fc.property(columns, (all) => {
        const runs = Array.from({ length: 12 }, (_, run): Run => {
          return { outcome: outcomeOf(run), machineName: 'm', createdAt: null };
        });
        const { splitsOf } = createSplitter(runs);
        const partOf = new Map<string, string>();
        const idOf = new Map<string, string>();
        for (const [place, column] of all.entries()) {
          const codes = Uint16Array.from(column);
          const feature: Feature = {
            key: `k${place}`,
            order: { versionsOf: 'npm' },
            shown: true,
            space: 0,
            values: ['1.0.0', '2.0.0', '3.0.0'].map((text) => ({ text })),
            codes: new Map(),
            lastCode: 0,
          };
          for (const split of splitsOf(feature, codes)) {
            const sides = Array.from(codes, sideTest(feature, codes, split.trait));
            const first = sides.find((side) => side !== 2);
            const part = sides.map((side) => (side === 2 ? '?' : side === first ? 'a' : 'b')).join('');
            expect(partOf.get(split.id) ?? part).toBe(part);
            expect(idOf.get(part) ?? split.id).toBe(split.id);
            partOf.set(split.id, part);
            idOf.set(part, split.id);
          }
        }
      }),
    );
  });
});
