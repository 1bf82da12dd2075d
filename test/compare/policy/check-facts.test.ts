import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../packages/compare/src/environment/environment.ts';
import { checkMachineFact } from '../../../packages/compare/src/policy/check-facts.ts';

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
  it.each([
    ['limits.openFiles', ['>=1024'], 'met'],
    ['limits.openFiles', ['>= 4096'], 'violated'],
    ['limits.openFiles', ['>=512 <=2048'], 'met'],
    ['limits.openFiles', ['>=512 <1024'], 'violated'],
    ['limits.openFiles', ['1024'], 'met'],
    ['limits.openFiles', ['65536', '1024'], 'met'],
    ['limits.openFiles', ['nonsense'], 'violated'],
    ['limits.stack', ['>=8MiB'], 'met'],
    ['limits.stack', ['unlimited'], 'met'],
    ['memory.limit', ['>=2GiB'], 'met'],
    ['memory.limit', ['>2 GiB'], 'violated'],
    ['memory.limit', ['>=2 GiB <4 GiB'], 'met'],
    ['memory.limit', ['>=0.002 TB'], 'met'],
    ['memory.limit', ['>=0.003 TB'], 'violated'],
    ['memory.limit', ['>=0.001TiB <1 PiB'], 'met'],
    ['memory.limit', ['>=2Gi'], 'met'],
    ['memory.limit', ['>=2000 m <=2.2 GB'], 'met'],
    ['memory.limit', ['>=2147483648 b'], 'met'],
    ['memory.limit', ['>=1 XB'], 'violated'],
    ['memory.limit', ['>=1 65536'], 'violated'],
    ['time.tzdata', ['>=2025b'], 'met'],
    ['time.tzdata', ['>=2025b <2026b'], 'met'],
    ['time.tzdata', ['>=2026'], 'met'],
    ['time.tzdata', ['>=2026b'], 'violated'],
    ['time.tzdata', ['>= nonsense'], 'violated'],
    ['fs.caseSensitive', ['true'], 'met'],
    ['fs.caseSensitive', ['yes'], 'met'],
    ['fs.caseSensitive', ['false'], 'violated'],
    ['cpu.features', ['avx2', 'SSE4_2'], 'met'],
    ['cpu.features', ['avx2', 'avx512f'], 'violated'],
    ['git.core.autocrlf', ['false'], 'met'],
    ['git.core.autocrlf', ['input'], 'violated'],
    ['node.icu', ['>=76'], 'met'],
    ['node.icu', ['>=78'], 'violated'],
    ['kernel.maxMapCount', ['>=262144'], 'unknown'],
  ] as const)('%s: %j is %s', (key, wanted, outcome) => {
    expect(checkMachineFact(key, wanted, machine).outcome).toBe(outcome);
  });

  it('says of a list what it lacks, not all that it holds', () => {
    const wanted = ['avx2', 'avx512f'];
    expect(checkMachineFact('cpu.features', wanted, machine)).toMatchObject({
      message: 'cpu.features lacks avx512f',
      advice: 'see that cpu.features has avx512f',
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
