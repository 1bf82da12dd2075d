// The outcome of a run, as a snapshot stores it and as it is read back.

import { withOutcome } from '@envsnap/capture';
import { findTest, runOutcome } from '@envsnap/shared/run-outcome';
import { describe, expect, it } from 'vitest';
import { collectHardware } from '../../packages/capture/src/machine/collect-system.ts';
import { openMachine } from '../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../packages/capture/src/system/node-system.ts';
import { createFakeSystem } from '../support/fake-system.ts';

const empty = { metadata: {} };
const outcomeOf = (tests: Parameters<typeof withOutcome>[1]['tests']) => {
  const { metadata } = withOutcome(empty, { result: 'failed', ...(tests && { tests }) });
  const outcome = runOutcome(metadata);
  if (!outcome) throw new Error('no outcome');
  return outcome;
};
const resultOf = (found: ReturnType<typeof findTest>, outcome: ReturnType<typeof outcomeOf>) =>
  'resultOf' in found ? found.resultOf(outcome) : found.ambiguous;

describe('the outcome of a run', () => {
  it('is read back as it was written, and as earlier releases wrote it', () => {
    const { metadata } = withOutcome(empty, { result: 'passed', of: 'unit', attempt: 2, durationMs: 12.4 });
    expect(metadata).toEqual({ outcome: { result: 'passed', of: 'unit', attempt: 2, durationMs: 12 } });
    expect(runOutcome(metadata)).toEqual(metadata.outcome);
    expect(runOutcome({ outcome: 'failed', outcomeOf: 'lint' })).toEqual({ result: 'failed', of: 'lint' });
    expect(runOutcome({ outcome: 'exploded' })).toBeUndefined();
  });

  it('is named after the CI job unless somebody names it', () => {
    const { metadata } = withOutcome({ metadata: { ci: { job: 'build' } } }, { result: 'passed' });
    expect(metadata.outcome).toEqual({ result: 'passed', of: 'build' });
  });

  it('keeps at most 1,000 names within 32 KiB and counts the others', () => {
    const short = outcomeOf({
      passed: 0,
      failed: Array.from({ length: 1200 }, (_, i) => `t${i}`),
      flaky: ['f'],
    });
    expect(short.tests).toMatchObject({ failedMore: 200, flaky: [], flakyMore: 1 });
    expect(short.tests?.failed).toHaveLength(1000);
    const long = Array.from({ length: 900 }, (_, i) => `${i}`.padEnd(200, 'x'));
    const { tests } = outcomeOf({ passed: 0, failed: long });
    expect(Buffer.byteLength(JSON.stringify(tests?.failed))).toBeLessThanOrEqual(32 * 1024);
    expect((tests?.failed.length ?? 0) + (tests?.failedMore ?? 0)).toBe(900);
    expect(tests?.ran.names).toBeUndefined();
  });

  it('reports a test that did not run neither as passed nor as failed', () => {
    const with1 = outcomeOf({ passed: 1, failed: ['b'], flaky: ['c'], ran: ['a', 'b', 'c'] });
    const found = (name: string) => resultOf(findTest([with1], name), with1);
    expect(['a', 'b', 'c', 'd'].map(found)).toEqual(['passed', 'failed', 'failed', 'not-run']);
  });

  it('recognises by the digest that a test ran, if the list of names was too long', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `a test with a name of its own ${i}`);
    const failing = outcomeOf({ passed: 4999, failed: [many[7] ?? ''], ran: many });
    const passing = outcomeOf({ passed: 5000, failed: [], ran: many });
    const other = outcomeOf({ passed: 5000, failed: [], ran: [...many, 'one more'] });
    const found = findTest([failing, passing, other], many[7] ?? '');
    expect([failing, passing, other].map((run) => resultOf(found, run))).toEqual([
      'failed',
      'passed',
      'not-run',
    ]);
  });

  it('finds a test by its class name and name, and lists the candidates if the name alone is ambiguous', () => {
    const twins = outcomeOf({ passed: 1, failed: ['A.twin'], ran: ['A.twin', 'B.twin', 'alone'] });
    expect(findTest([twins], 'twin')).toEqual({ ambiguous: ['A.twin', 'B.twin'] });
    expect(resultOf(findTest([twins], 'A.twin'), twins)).toBe('failed');
    expect(resultOf(findTest([twins], 'B.twin'), twins)).toBe('passed');
    expect(resultOf(findTest([twins], 'Suite.alone'), twins)).toBe('passed');
    expect(resultOf(findTest([twins], 'com.example.Suite.alone'), twins)).toBe('passed');
    expect(resultOf(findTest([twins], 'com.example.Suite.lone'), twins)).toBe('not-run');
  });
});

describe('the hardware', () => {
  it('is read only on request', async () => {
    expect(await collectHardware(openMachine(createFakeSystem()), false)).toEqual({ warnings: [] });
  });

  it('leaves out what is not known', async () => {
    const system = createFakeSystem({
      hardware: {
        manufacturer: 'Lenovo',
        model: undefined,
        processor: 'AMD Ryzen 7',
        physicalCores: 8,
        graphics: [],
      },
    });
    expect(await collectHardware(openMachine(system), true)).toEqual({
      hardware: { manufacturer: 'Lenovo', processor: 'AMD Ryzen 7', physicalCores: 8 },
      warnings: [],
    });
  });

  it('causes a warning if it does not respond', async () => {
    const { hardware, warnings } = await collectHardware(openMachine(createFakeSystem()), true);
    expect(hardware).toBeUndefined();
    expect(warnings).toEqual([expect.objectContaining({ code: 'hardware_unreadable' })]);
  });

  it('includes a processor and no serial number on this machine', async () => {
    const { hardware, warnings } = await collectHardware(openMachine(createSystem()), true);
    expect(warnings).toEqual([]);
    expect(hardware?.processor).toEqual(expect.any(String));
    expect(JSON.stringify(hardware)).not.toMatch(/serial|uuid/i);
  });
});
