// `why --test` over runs of which ten passed a test and ten failed it, while other tests failed by chance: the planted cause,
// taken from public reports among the differences of real machines, comes first in nine of ten.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CapturedSnapshot } from '@envsnap/capture';
import { withOutcome } from '@envsnap/capture';
import { afterAll, expect, it, vi } from 'vitest';
import { type CauseCase, cases } from '../../../bench/causes/case.ts';
import { createEnvironment } from '../../../bench/causes/environment.ts';
import { createMachine } from '../../../bench/causes/machines.ts';
import { createRandom } from '../../../bench/causes/random.ts';
import { whyRuns } from '../../../packages/cli/src/actions/comparison/why-runs.ts';
import { openLocalRuns } from '../../../packages/cli/src/runs/local-runs.ts';

const state = mkdtempSync(path.join(tmpdir(), 'envsnap-why-'));
vi.stubEnv('XDG_STATE_HOME', state);
afterAll(() => rmSync(state, { recursive: true, force: true }));

const planted = cases.filter((_, place) => place % 30 === 0).slice(0, 10);
const test = 'Report.renders';
const others = ['Login.works', 'Cart.adds', 'Mail.sends'];

/** Section and key, however a finding or a case writes them. */
function plain(key: string): string {
  return key
    .replace(/^arch:arch$/, 'arch')
    .replace(/^paths:/, 'env:')
    .replace(/^(\w+)[:.]/, '$1:');
}

/** Records twenty runs and asks why the test fails; the key that is named first. */
async function firstKey(one: CauseCase): Promise<string> {
  const random = createRandom(one.id);
  const folder = path.join(state, String(planted.indexOf(one)));
  mkdirSync(folder);
  const local = openLocalRuns(folder);
  for (let run = 0; run < 20; run += 1) {
    const fails = run % 2 === 0;
    const kind = random.pick(one.machines ?? (['zsh laptop', 'fish laptop', 'github runner'] as const));
    const machine = createMachine(kind, `${one.id}/${run}`, 'Europe/Berlin');
    const environment = await createEnvironment(machine, one.project, fails ? one.fails : one.works);
    const failed = [...(fails ? [test] : []), ...others.filter(() => random.chance(0.4))];
    const tests = { passed: 1 + others.length - failed.length, failed, ran: [test, ...others] };
    const result = failed.length > 0 ? 'failed' : 'passed';
    local.add(withOutcome(environment as CapturedSnapshot, { result, tests }));
  }
  const request = {
    passed: undefined,
    failed: undefined,
    outcomeOf: undefined,
    machineName: undefined,
    last: undefined,
  };
  const none = () => Promise.reject(new Error('nothing is captured here'));
  const sources = { store: async () => ({ local }), captureLocal: none, captureProcess: none };
  const { runs, findings } = await whyRuns({ ...request, test }, sources);
  expect(runs).toEqual({ passed: 10, failed: 10 });
  return plain(findings[0]?.keys[0] ?? '');
}

it('names the planted cause of a failing test first in nine of ten', async () => {
  expect(planted).toHaveLength(10);
  const missed: string[] = [];
  for (const one of planted) if (!one.cause.map(plain).includes(await firstKey(one))) missed.push(one.id);
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(1);
});
