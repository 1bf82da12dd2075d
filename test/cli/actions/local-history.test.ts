// What this machine's stored runs show: when a value changed, and the state of machines and runs.

import { appendFileSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type CapturedSnapshot, withOutcome } from '@envsnap/capture';
import { expect, it, onTestFinished, vi } from 'vitest';
import { leaveRecording, settleRecordings } from '../../../packages/cli/plain/pending-recordings.js';
import { openLocalRuns, projectStore } from '../../../packages/cli/src/runs/local-runs.ts';
import { localHealth, localHistory } from '../../../packages/cli/src/runs/snapshot-store.ts';
import { folderOfTest } from '../../support/databases.ts';

/** The runs of a new project; `add` adds one a second after the last, because runs of one moment have no order. */
function newRuns() {
  vi.stubEnv('XDG_STATE_HOME', folderOfTest());
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const folder = folderOfTest();
  const runs = openLocalRuns(folder);
  const run = (
    metadata: Record<string, unknown>,
    envVars = {},
    outcome: { result: 'passed' | 'failed'; of?: string } = { result: 'passed' },
  ) => {
    const content = {
      machineName: 'm',
      os: 'linux',
      arch: 'x64',
      runtimeVersions: {},
      dependencies: {},
      envVars,
    };
    vi.advanceTimersByTime(1000);
    return runs.add(withOutcome({ ...content, metadata } as unknown as CapturedSnapshot, outcome));
  };
  return { runs, run, store: projectStore(folder) };
}

it('does not report as a change what a capture could not read', async () => {
  const { runs, run } = newRuns();
  run({ locale: 'C' }, { MODE: 'x' });
  run({ capture: { unknown: [{ section: 'system', key: 'locale', reason: 'reduced' }] } });
  run({ locale: 'C', capture: { envValues: 'omit' } });
  run({});
  run({ locale: 'C' });
  const values = async (key: string) => {
    const { series } = await localHistory(runs, { key, snapshots: 10 });
    expect(series[0]?.snapshots).toBe(5);
    return series[0]?.changes.map(({ value }) => value);
  };
  expect(await values('system.locale')).toEqual(['C', null, 'C']);
  expect(await values('env:MODE')).toEqual(['x', null]);
});

it('show the health of the last run of each name and machine, the failing ones first', async () => {
  const { runs, run } = newRuns();
  const policy = { file: '.envsnap.yaml', text: 'version: 1\nexpect: {env: {APP_MODE: {equals: strict}}}\n' };
  run({}, { APP_MODE: 'strict' }, { result: 'failed', of: 'build' });
  const passed = run({ policy }, { APP_MODE: 'strict' }, { result: 'passed', of: 'build' });
  run({}, {}, { result: 'failed', of: 'build' });
  const last = run({ policy }, { APP_MODE: 'plain' }, { result: 'failed', of: 'build' });
  run({}, {}, { result: 'passed', of: 'lint' });
  const health = await localHealth(runs);
  const cause = expect.objectContaining({ what: expect.stringContaining('APP_MODE') });
  expect(health).toMatchObject({
    machines: [{ machineName: 'm', state: 'changed', counting: 1 }],
    machineCount: 1,
    runs: [
      { of: 'build', failedRuns: 2, lastPassedId: passed.id, cause },
      { of: 'lint', failingSince: null, failedRuns: 0, lastPassedId: null, cause: null },
    ],
    quotas: { runs: { used: 5, max: 200 } },
  });
  expect(health.runs[0]?.last.map(({ result }) => result)).toEqual(['failed', 'failed', 'passed', 'failed']);
  expect(health.runs[0]?.last[0]?.id).toBe(last.id);
  expect(JSON.stringify(health)).not.toContain('plain');
});

it('reads no recording through a link, and none that is too long to be one', () => {
  const { runs, run, store } = newRuns();
  const [linked, long, kept] = [run({}), run({}), run({})];
  const folder = path.join(store, 'runs');
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.includes(linked.id)) {
      renameSync(file, `${file}.elsewhere`);
      symlinkSync(`${file}.elsewhere`, file);
    }
    // JSON may end with blanks.
    if (name.includes(long.id) && name.endsWith('.json')) appendFileSync(file, ' '.repeat(100_000));
  }
  expect([...runs.list()].map(({ id }) => id)).toEqual([kept.id]);
});

it('warns once about a run that is still being recorded', async () => {
  vi.stubEnv('XDG_STATE_HOME', folderOfTest());
  await leaveRecording(process.pid);
  const { calls } = vi.spyOn(process.stderr, 'write').mockReturnValue(true).mock;
  await settleRecordings(0);
  await settleRecordings(0);
  expect(calls.map(String)).toEqual([expect.stringMatching(/^Warning: 1 run is still being recorded/)]);
});
