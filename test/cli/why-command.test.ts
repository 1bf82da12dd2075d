// envsnap why and the outcomes that captures record, run as processes.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EnvSnap } from '@envsnap/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type ServerProcess, startServerProcess } from '../support/programs.ts';

/** Writes runs into two folders; the failing ones have another Node.js. */
function writeRuns(sandbox: Sandbox, count: number, differ = true): void {
  for (const outcome of ['passed', 'failed']) {
    mkdirSync(path.join(sandbox.cwd, outcome), { recursive: true });
    for (let run = 0; run < count; run += 1) {
      const node = differ && outcome === 'failed' ? '24.1.0' : '22.11.0';
      const snapshot = {
        machineName: `m${run % 2}`,
        runtimeVersions: { node },
        envVars: { NOISE: `${run % 3}` },
        metadata: { outcome },
      };
      writeFileSync(path.join(sandbox.cwd, outcome, `run-${run}.json`), JSON.stringify(snapshot));
    }
  }
}
const byPattern = ['--passed', 'passed/*.json', '--failed', 'failed/*.json'];

describe('why, from files', () => {
  it('names the difference, its odds and the next run, and ends with 0', async () => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 8);
    const { stdout, stderr, exitCode } = await sandbox.run(['why', ...byPattern]);
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual([
      '8 of 8 failing runs have node 24.1.0, 0 of 8 passing ones (q < 0.001)',
      'Next: Run it once with node 22.11.0 and everything else as in the failing runs. If it passes, that is the cause.',
    ]);
    expect(exitCode).toBe(0);
  });

  it('ends with 1 if nothing separates the runs', async () => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 8, false);
    const { stdout, exitCode } = await sandbox.run(['why', ...byPattern]);
    expect(stdout).toContain('Nothing clearly separates them: 8 failing runs, 8 passing runs');
    expect(exitCode).toBe(1);
  });

  it('has a document with counts, p and q', async () => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 8);
    const { document } = await sandbox.json(['why', ...byPattern]);
    expect(document.runs).toEqual({ passed: 8, failed: 8 });
    expect(document.findings[0]).toMatchObject({ keys: ['runtimes.node'], inFailed: 8, inPassed: 0 });
    expect(document.findings[0].pValue).toBeCloseTo(2 / 12870, 12);
    expect(document.suggestion).toContain('node 22.11.0');
  });

  it.each([
    ['markdown', '| 8 of 8 failing runs have node 24.1.0, 0 of 8 passing ones |'],
    ['html', '<span class="what">8 of 8 failing runs have node 24.1.0, 0 of 8 passing ones</span>'],
    ['github', '::error title=envsnap why::8 of 8 failing runs have node 24.1.0'],
  ])('is also written as %s', async (format, expected) => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 8);
    const { stdout } = await sandbox.run(['why', ...byPattern, '--format', format]);
    expect(stdout).toContain(expected);
  });

  it('counts a file that two patterns match once', async () => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 2);
    const passed = path.join(sandbox.cwd, 'passed');
    const twice = ['--passed', './passed/run-*.json', '--passed', `${passed}/run-1.json`];
    const { document } = await sandbox.json(['why', ...byPattern, ...twice]);
    expect(document.runs).toEqual({ passed: 2, failed: 2 });
  });

  it('refuses a file on both sides, and flags that choose among stored runs beside files', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 2);
    const both = await sandbox.run(['why', ...byPattern, '--passed', './failed/run-1.json']);
    expect(both).toMatchObject({ exitCode: 2, stdout: '' });
    expect(both.stderr).toContain('./failed/run-1.json is in --passed and in --failed');
    for (const [flag, value] of [
      ['--last', '1'],
      ['--machine', 'm0'],
      ['--outcome-of', 'default'],
    ] as const) {
      const { exitCode, stdout, stderr } = await sandbox.run(['why', ...byPattern, flag, value]);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`${flag} filters stored runs, but both sides are named`);
      const byName = `why --passed last-passed --failed last-failed ${flag} ${value}`;
      const namedRuns = await sandbox.run(byName.split(' '));
      expect([namedRuns.exitCode, namedRuns.stderr]).toEqual([2, stderr]);
    }
  });

  it('asks for the other side, and says which pattern matches nothing', async () => {
    const sandbox = createSandbox();
    writeRuns(sandbox, 2);
    const oneSide = await sandbox.run(['why', '--failed', 'failed/*.json']);
    expect(oneSide).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--passed is missing') });
    const none = await sandbox.run(['why', '--failed', 'nowhere/*.json', '--passed', 'passed/*.json']);
    expect(none).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('no file matches nowhere/*.json'),
    });
  });
});

describe('why, from the server', () => {
  let server: ServerProcess;
  let key: string;
  beforeAll(async () => {
    server = await startServerProcess();
    key = (await EnvSnap.bootstrap({ projectName: 'p', baseUrl: server.url })).apiKey;
  });

  it('looks at the captures that have an outcome, and lists show it', { tags: 'release' }, async () => {
    const env = { ENVSNAP_BASE_URL: server.url, ENVSNAP_API_KEY: key };
    const sandbox = createSandbox();
    const client = new EnvSnap({ baseUrl: server.url, apiKey: key });
    for (let run = 0; run < 6; run += 1)
      for (const outcome of ['passed', 'failed'] as const) {
        await client.snapshots.create({
          machineName: 'runner',
          envVars: outcome === 'failed' ? { FORCE_COLOR: '1' } : {},
          metadata: { outcome, outcomeOf: 'test' },
        });
      }
    // Runs of other commands are ignored unless requested.
    const metadata = { outcome: 'passed', outcomeOf: 'lint' } as const;
    await client.snapshots.create({ machineName: 'm', envVars: { FORCE_COLOR: '1' }, metadata });
    const found = await sandbox.run(['why'], { env });
    expect(found.stdout).toContain('6 of 6 failing runs have FORCE_COLOR=1, 0 of 6 passing ones');
    expect(found.exitCode).toBe(0);
    const captured = await sandbox.json(['capture', '--outcome', 'failed', '--outcome-of', 'lint'], { env });
    expect(captured.document.metadata.outcome).toEqual({ result: 'failed', of: 'lint' });
    const listed = await sandbox.json(['snapshot', 'list', '--outcome', 'failed', '--outcome-of', 'lint'], {
      env,
    });
    expect(listed.document.total).toBe(1);
    const text = await sandbox.run(['snapshot', 'list', '--limit', '2'], { env });
    expect(text.stdout).toContain('failed (lint)');
    const history = await sandbox.json(['history', 'metadata.outcome', '--machine', 'runner'], { env });
    expect(history.document.series[0].changes[0]).toMatchObject({ value: 'passed', outcome: 'passed' });
    const matrix = await sandbox.json(['matrix'], { env });
    expect(matrix.document.rows.map(({ key }: { key: string }) => key)).not.toContain('metadata.outcome');
    const none = await sandbox.run(['why', '--outcome-of', 'nothing'], { env });
    expect(none).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/No runs were found\.\nNext: Record runs that pass and/),
    });
    const test = await sandbox.run(['why', '--test', 'none'], { env });
    expect(test).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('no test called "none"') });
  });
});
