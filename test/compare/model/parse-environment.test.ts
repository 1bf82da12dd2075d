import * as library from '@envsnap/compare';
import {
  type ComparableEnvironment,
  compareEnvironments,
  EnvironmentError,
  parseEnvironment,
} from '@envsnap/compare';
import { describe, expect, it } from 'vitest';
import { words } from '../../support/words.ts';

const snapshot = {
  machineName: 'm',
  os: 'linux',
  runtimeVersions: { node: '22.1.0' },
  id: 'x',
  createdAt: 'y',
  other: 1,
};

describe('parseEnvironment', () => {
  it('reads the text of a snapshot and its value alike', () => {
    const { other, ...kept } = snapshot;
    expect(parseEnvironment(snapshot, 'a')).toEqual(kept);
    expect(parseEnvironment(`\uFEFF${JSON.stringify(snapshot)}`, 'a.json')).toEqual(kept);
  });

  it.each([
    ['', 'it is not JSON'],
    ['{"machineName": secret}', 'it is not JSON'],
    ['[]', 'it must be an object'],
    [null, 'it must be an object'],
    [undefined, 'it is required'],
    [7, 'it must be an object'],
    [{ name: 'x' }, 'machineName'],
    [{ machineName: 'm', runtimeVersions: ['node'] }, 'runtimeVersions'],
    [{ machineName: 'm', envVars: { A: null } }, 'envVars'],
  ])('refuses %j, by its name and with what is wrong', (value, reason) => {
    const read = () => parseEnvironment(value, 'b.json');
    expect(read).toThrow(EnvironmentError);
    expect(read).toThrow(/^b\.json is not a snapshot: /);
    expect(read).toThrow(reason);
    expect(read).not.toThrow(/secret/);
  });
});

describe('the library', () => {
  it('refuses things that are not environments', () => {
    for (const [a, b] of [
      [{ name: 'x' }, []],
      [snapshot, null],
      [undefined, snapshot],
    ])
      expect(() => compareEnvironments(a as ComparableEnvironment, b as ComparableEnvironment)).toThrow(
        TypeError,
      );
  });

  it('exports what its page names', () => {
    expect(Object.keys(library).sort()).toEqual([
      ...words`EnvironmentError PatternError adviceOf compareEnvironments createComparer headlineOf`,
      'parseEnvironment',
      'presetNames',
      'readFailure',
      'topCauses',
    ]);
  });
});
