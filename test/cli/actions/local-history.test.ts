// When a value changed over the runs that this machine keeps.

import type { CapturedSnapshot } from '@envsnap/capture';
import { withOutcome } from '@envsnap/capture';
import { expect, it, vi } from 'vitest';
import { localHistory } from '../../../packages/cli/src/runs/local-history.ts';
import { openLocalRuns } from '../../../packages/cli/src/runs/local-runs.ts';
import { folderOfTest } from '../../support/databases.ts';

it('does not report what a capture could not read as a change', () => {
  vi.stubEnv('XDG_STATE_HOME', folderOfTest());
  const runs = openLocalRuns(folderOfTest());
  const run = (metadata: Record<string, unknown>) => {
    const content = {
      machineName: 'm',
      os: 'linux',
      arch: 'x64',
      runtimeVersions: {},
      dependencies: {},
      envVars: {},
    };
    vi.advanceTimersByTime(1000);
    runs.add(withOutcome({ ...content, metadata } as unknown as CapturedSnapshot, { result: 'passed' }));
  };
  // Runs of one moment have no order.
  vi.useFakeTimers();
  run({ locale: 'C' });
  run({ capture: { unknown: [{ section: 'system', key: 'locale', reason: 'reduced' }] } });
  run({ locale: 'C' });
  run({});
  run({ locale: 'C' });
  vi.useRealTimers();
  const { series } = localHistory(runs, { key: 'system.locale', snapshots: 10 });
  expect(series[0]?.snapshots).toBe(5);
  expect(series[0]?.changes.map(({ value }) => value)).toEqual(['C', null, 'C']);
});
