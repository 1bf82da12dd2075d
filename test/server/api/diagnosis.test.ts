// POST /machine/diagnosis: which difference separates the failing runs of a project from its passing ones.

import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService } from '../../support/service.ts';

interface Capture {
  readonly outcome?: string;
  readonly outcomeOf?: string;
  readonly machineName?: string;
  readonly node?: string;
  readonly envVars?: Record<string, string>;
  readonly capture?: object;
}

async function store(service: TestService, key: string, capture: Capture): Promise<string> {
  const { outcome, outcomeOf, machineName = 'runner', node = '22.0.0', envVars = {} } = capture;
  const answer = await service.send(key, 'POST', '/machine/snapshots', {
    machineName,
    runtimeVersions: { node },
    envVars,
    metadata: { outcome, outcomeOf, capture: capture.capture ?? {} },
  });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

const path = '/machine/diagnosis';

describeEachDatabase((openDatabase) => {
  describe('a diagnosis', () => {
    it('finds what the stored runs that failed have in common, of this project only', {
      tags: 'both-databases',
    }, async () => {
      const { service, key } = await startProject(openDatabase);
      const other = await service.bootstrap('another');
      for (let run = 0; run < 6; run += 1) {
        await store(service, key, { outcome: 'passed' });
        await store(service, key, { outcome: 'failed', node: '24.1.0' });
        await store(service, key, { node: '18.0.0' });
        await store(service, other.apiKey, { outcome: 'passed', node: '24.1.0' });
      }
      const { status, body } = await service.send(key, 'POST', path, {});
      expect(status).toBe(200);
      expect(body.runs).toEqual({ passed: 6, failed: 6 });
      expect(body.findings).toHaveLength(1);
      expect(body.findings[0]).toMatchObject({
        keys: ['runtimes.node'],
        what: '6 of 6 failing runs have node 24.1.0, 0 of 6 passing ones',
        inFailed: 6,
        inPassed: 0,
      });
      expect(body.findings[0].qValue).toBeLessThan(0.05);
      expect(body.suggestion).toContain('node 22.0.0');
    });

    it('compares the runs of one test, however the other tests ended', async () => {
      const { service, key } = await startProject(openDatabase);
      const storeRun = async (node: string, tests: object) => {
        const outcome = {
          result: 'failed',
          of: 'unit',
          tests: { passed: 1, skipped: 0, flaky: [], ...tests },
        };
        const body = { machineName: 'm', runtimeVersions: { node }, metadata: { outcome } };
        expect((await service.send(key, 'POST', '/machine/snapshots', body)).status).toBe(201);
      };
      const ran = (names: string[]) => ({ digest: names.join(), names });
      for (let run = 0; run < 6; run += 1) {
        await storeRun('24.1.0', { failed: ['dates'], ran: ran(['dates', 'other']) });
        await storeRun('22.0.0', { failed: ['other'], ran: ran(['dates', 'other']) });
        await storeRun('20.0.0', { failed: ['other'], ran: ran(['other']) });
      }
      const { body } = await service.send(key, 'POST', path, { test: 'dates' });
      expect(body.runs).toEqual({ passed: 6, failed: 6 });
      expect(body.findings[0]).toMatchObject({ keys: ['runtimes.node'], inFailed: 6, inPassed: 0 });
      await storeRun('22.0.0', { failed: ['A.twin', 'B.twin'], ran: ran(['A.twin', 'B.twin']) });
      const twins = await service.send(key, 'POST', path, { test: 'twin' });
      expect(twins.status).toBe(400);
      expect(twins.body.details).toEqual([{ path: 'test', message: 'could be A.twin, B.twin' }]);
    });

    it('takes named runs, a name of runs, a machine, and only the newest', async () => {
      const { service, key } = await startProject(openDatabase);
      const passed: string[] = [];
      const failed: string[] = [];
      for (let run = 0; run < 4; run += 1) {
        passed.push(await store(service, key, { outcome: 'passed', outcomeOf: 'test', machineName: 'a' }));
        failed.push(await store(service, key, { outcome: 'failed', outcomeOf: 'lint', machineName: 'b' }));
      }
      const runsOf = async (body: object) => (await service.send(key, 'POST', path, body)).body.runs;
      expect(await runsOf({ outcomeOf: 'test' })).toEqual({ passed: 4, failed: 0 });
      expect(await runsOf({ machineName: 'b' })).toEqual({ passed: 0, failed: 4 });
      expect(await runsOf({ last: 3 })).toEqual({ passed: 1, failed: 2 });
      // Named runs replace stored ones.
      expect(await runsOf({ passed: failed.slice(0, 2), failed: passed })).toEqual({ passed: 2, failed: 4 });
      // If one side is named, the stored runs are the other.
      expect(await runsOf({ failed: [passed[0]] })).toEqual({ passed: 3, failed: 1 });
    });

    it('compares secrets and shows none', async () => {
      const { service, key } = await startProject(openDatabase);
      for (let run = 0; run < 6; run += 1) {
        await store(service, key, { outcome: 'passed', envVars: { PASSPHRASE: 'canary-one' } });
        await store(service, key, { outcome: 'failed', envVars: { PASSPHRASE: 'canary-two' } });
      }
      const { body } = await service.send(key, 'POST', path, {});
      expect(body.findings[0].keys).toEqual(['env:PASSPHRASE']);
      expect(JSON.stringify(body)).not.toContain('canary');
      expect(service.log()).not.toContain('canary');
    });

    it('is refused for runs that this project does not have', async () => {
      const { service, key } = await startProject(openDatabase);
      const other = await service.bootstrap('another');
      const theirs = await store(service, other.apiKey, { outcome: 'failed' });
      const { status, body } = await service.send(key, 'POST', path, { failed: [theirs] });
      expect(status).toBe(404);
      expect(body).toMatchObject({
        code: 'snapshot_not_found',
        details: [{ path: 'failed.0', message: 'does not exist in this project' }],
      });
    });

    it('says what is missing if no runs can be compared', async () => {
      const { service, key } = await startProject(openDatabase);
      const { status, body } = await service.send(key, 'POST', path, {});
      expect(status).toBe(200);
      expect(body).toMatchObject({ runs: { passed: 0, failed: 0 }, findings: [] });
      expect(body.notes[0].code).toBe('one_outcome_only');
    });

    it('lets other requests through while it reads many snapshots', { tags: 'release' }, async () => {
      const { service, key } = await startProject(openDatabase);
      const packages = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`package-${n}`, '1.0.0']));
      for (let run = 0; run < 40; run += 1) {
        await service.send(key, 'POST', '/machine/snapshots', {
          machineName: 'm',
          dependencies: { 'package-lock.json': { ...packages, moving: `1.${run % 2}.0` } },
          metadata: { outcome: run % 2 ? 'failed' : 'passed' },
        });
      }
      let done = false;
      const diagnosis = service.send(key, 'POST', path, {}).finally(() => {
        done = true;
      });
      let between = 0;
      while (!done) {
        await service.request('GET', '/health');
        if (!done) between += 1;
      }
      expect((await diagnosis).body.findings[0].keys).toEqual(['dependencies:package-lock.json/moving']);
      expect(between).toBeGreaterThan(2);
    });
  });

  describe('the list of snapshots', () => {
    it('can be narrowed to runs that failed, of one name', async () => {
      const { service, key } = await startProject(openDatabase);
      await store(service, key, { outcome: 'passed', outcomeOf: 'test' });
      const failed = await store(service, key, { outcome: 'failed', outcomeOf: 'test' });
      await store(service, key, { outcome: 'failed', outcomeOf: 'lint' });
      await store(service, key, { outcome: 'exploded' });
      const list = (query: string) => service.send(key, 'GET', `/machine/snapshots?${query}`);
      const { body } = await list('outcome=failed&outcomeOf=test');
      expect(body.total).toBe(1);
      expect(body.snapshots[0]).toMatchObject({ id: failed, metadata: { outcome: 'failed' } });
      expect((await list('outcome=failed')).body.total).toBe(2);
      expect((await list('outcome=exploded')).status).toBe(400);
    });
  });
});
