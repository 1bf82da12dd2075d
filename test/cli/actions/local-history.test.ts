// When a value changed over the runs that this machine keeps.

import { type CapturedSnapshot, withOutcome } from '@envsnap/capture';
import { expect, it, vi } from 'vitest';
import { openLocalRuns } from '../../../packages/cli/src/runs/local-runs.ts';
import { localHistory } from '../../../packages/cli/src/runs/snapshot-store.ts';
import { folderOfTest } from '../../support/databases.ts';

it('does not report what a capture could not read as a change', () => {
  vi.stubEnv('XDG_STATE_HOME', folderOfTest());
  const runs = openLocalRuns(folderOfTest());
  const run = (metadata: Record<string, unknown>, envVars = {}) => {
    const content = {
      machineName: 'm',
      os: 'linux',
      arch: 'x64',
      runtimeVersions: {},
      dependencies: {},
      envVars,
    };
    vi.advanceTimersByTime(1000);
    runs.add(withOutcome({ ...content, metadata } as unknown as CapturedSnapshot, { result: 'passed' }));
  };
  // Runs of one moment have no order.
  vi.useFakeTimers();
  run({ locale: 'C' }, { MODE: 'x' });
  run({ capture: { unknown: [{ section: 'system', key: 'locale', reason: 'reduced' }] } });
  run({ locale: 'C', capture: { envValues: 'omit' } });
  run({});
  run({ locale: 'C' });
  vi.useRealTimers();
  const values = (key: string) => {
    const { series } = localHistory(runs, { key, snapshots: 10 });
    expect(series[0]?.snapshots).toBe(5);
    return series[0]?.changes.map(({ value }) => value);
  };
  expect(values('system.locale')).toEqual(['C', null, 'C']);
  expect(values('env:MODE')).toEqual(['x', null]);
});
