// A snapshot parsed once: its value at each address.

import { parseAddress } from '@envsnap/shared/address';
import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../packages/compare/src/environment/environment.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { readTestData } from '../../support/test-data.ts';

const { metadata, addresses } = readTestData<{
  metadata: Record<string, unknown>;
  addresses: [string, string | null][];
}>(import.meta);

const snapshot: ComparableEnvironment = {
  machineName: 'anna',
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: '24.1.0' },
  dependencies: {
    'web/package-lock.json': { '@types/node': '24.0.0' },
    '/var/lib/dpkg/status': { libc6: '2.36' },
  },
  envVars: { TZ: 'UTC', PATH: '/usr/bin:/bin', TOKEN: `hmac:${'1'.repeat(32)}`, KEY: '[redacted]' },
  metadata,
};

function textAt(text: string, environment = snapshot): string | null {
  return environmentOf(environment).textAt(
    parseAddress(text) as NonNullable<ReturnType<typeof parseAddress>>,
  );
}

describe('an environment', () => {
  it.each(addresses)('has at %s %j', (address, text) => {
    expect(textAt(address)).toBe(text);
  });

  it('prefers what the capture of the system says to what is beside it', () => {
    const metadata = { timezone: 'UTC', system: { timezone: 'Asia/Tokyo' } };
    expect(textAt('system.timezone', { machineName: 'm', metadata })).toBe('Asia/Tokyo');
  });

  it('says of each reading in which state it is', () => {
    const read = (text: string, environment = snapshot) =>
      environmentOf(environment).read(parseAddress(text) as NonNullable<ReturnType<typeof parseAddress>>);
    expect(read('env:TZ')).toEqual({ state: 'known', value: 'UTC' });
    expect(read('facts.cpu.features')).toEqual({ state: 'known', value: ['avx', 'fma'] });
    expect(read('env:TOKEN')).toEqual({ state: 'fingerprint', value: `hmac:${'1'.repeat(32)}`, key: 'k1' });
    expect(read('env:KEY')).toEqual({ state: 'withheld' });
    expect(read('env:NONE')).toBeUndefined();
    expect(read('runtimes.docker')).toEqual({ state: 'unknown', reason: 'did not answer' });
    expect(read('dependencies:go.sum/x')).toEqual({ state: 'unknown', reason: 'is too large' });
    expect(read('git.dirty')).toEqual({ state: 'unknown', reason: 'its files cannot be read' });
    const namesOnly = { machineName: 'm', envVars: { A: '', B: '' } };
    expect(read('env:A', namesOnly)).toEqual({ state: 'withheld' });
    const omitted = { machineName: 'm', metadata: { capture: { envValues: 'omit' } } };
    expect(read('env:A', omitted)).toMatchObject({ state: 'unknown' });
  });

  it.each([
    ['null', null],
    ['text', 'nonsense'],
    ['a list', []],
    [
      'fields of other shapes',
      Object.fromEntries(Object.keys(snapshot.metadata ?? {}).map((name) => [name, [{ a: 1 }, 'x', null]])),
    ],
  ])('reads metadata that are %s as absent', (_name, metadata) => {
    const environment = environmentOf({ machineName: 'm', metadata: metadata as Record<string, unknown> });
    expect(environment.facts).toBeUndefined();
    expect(environment.declarations).toEqual([]);
    expect(environment.installed).toEqual({});
    expect(environment.revision).toBeNull();
    expect(environment.unknown).toEqual([]);
    expect(environment.project).toEqual({
      ecosystems: [],
      tools: [],
      variables: [],
      settings: [],
      isRecorded: false,
      folder: null,
    });
    expect(environment.policy).toBeUndefined();
    expect(environment.outcome).toBeUndefined();
    expect(environment.ciProvider).toBeUndefined();
  });
});
