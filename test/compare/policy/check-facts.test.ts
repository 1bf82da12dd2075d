import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../packages/compare/src/environment/environment.ts';
import { checkMachineFact } from '../../../packages/compare/src/policy/check-facts.ts';
import { readTestData } from '../../support/test-data.ts';

const { expectations } = readTestData<{ expectations: [string, string[], string][] }>(import.meta);

const captured = {
  machineName: 'm',
  os: 'linux',
  metadata: {
    facts: {
      'limits.openFiles': 1024,
      'limits.stack': 'unlimited',
      'memory.limit': 2 ** 31,
      'fs.caseSensitive': true,
      'cpu.features': ['avx', 'avx2', 'sse4_2'],
      'time.tzdata': '2026a',
      'node.icu': '77.1',
    },
  },
};
const machine = environmentOf(captured);

describe('what a policy expects of facts', () => {
  it.each(expectations)('%s: %j is %s', (key, wanted, outcome) => {
    expect(checkMachineFact(key, wanted, machine).outcome).toBe(outcome);
  });

  it('says of a list what it lacks, not all that it holds', () => {
    const required = ['avx2', 'avx512f'];
    expect(checkMachineFact('cpu.features', required, machine)).toMatchObject({
      message: 'cpu.features lacks avx512f',
      advice: 'make sure that cpu.features has avx512f',
      actual: 'avx, avx2, sse4_2',
    });
    expect(checkMachineFact('cpu.features', ['avx2'], machine).message).toBe('cpu.features has avx2');
  });

  it('does not judge what the capture could not read', () => {
    const unknown = [{ section: 'facts', key: 'limits.openFiles', reason: 'permission denied' }];
    const metadata = { ...captured.metadata, capture: { unknown } };
    expect(
      checkMachineFact('limits.openFiles', ['>=1'], environmentOf({ ...captured, metadata })),
    ).toMatchObject({
      outcome: 'unknown',
      message: 'limits.openFiles is unknown on this machine (permission denied), expected >=1',
    });
  });
});
