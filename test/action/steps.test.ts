// The scripts behind action.yml, run with the environment that GitHub documents for a job.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, startServerProcess } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Job {
  readonly workspace: string;
  readonly file: (name: string) => string;
  readonly outputs: () => Record<string, string>;
  step(
    name: string,
    inputs?: Record<string, string>,
    env?: Record<string, string>,
  ): Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

/** A job's folders and variables; envsnap stands where the install step would put it. */
function startJob(): Job {
  const sandbox = createSandbox();
  const temporary = path.join(sandbox.home, 'runner-temp');
  mkdirSync(path.join(temporary, 'envsnap/node_modules'), { recursive: true });
  symlinkSync(path.join(root, 'packages/cli'), path.join(temporary, 'envsnap/node_modules/envsnap'));
  const files = {
    output: path.join(temporary, 'output'),
    summary: path.join(temporary, 'summary.md'),
    event: path.join(temporary, 'event.json'),
  };
  writeFileSync(files.output, '');
  writeFileSync(files.summary, '');
  writeFileSync(files.event, JSON.stringify({ pull_request: { number: 7 } }));
  return {
    workspace: sandbox.cwd,
    file: (name) => readFileSync(path.join(temporary, name), 'utf8'),
    outputs: () =>
      Object.fromEntries(
        [...readFileSync(files.output, 'utf8').matchAll(/^(\S+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(
          ([, name, , value]) => [name, value],
        ),
      ),
    step: (name, inputs = {}, env = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [path.join(root, 'action', `${name}.mjs`)], {
          cwd: sandbox.cwd,
          env: {
            ...sandbox.env,
            CI: 'true',
            GITHUB_ACTIONS: 'true',
            GITHUB_WORKSPACE: sandbox.cwd,
            GITHUB_ACTION_PATH: root,
            GITHUB_EVENT_NAME: 'pull_request',
            GITHUB_EVENT_PATH: files.event,
            GITHUB_REPOSITORY: 'shop/web',
            GITHUB_OUTPUT: files.output,
            GITHUB_STEP_SUMMARY: files.summary,
            RUNNER_TEMP: temporary,
            RUNNER_OS: 'Linux',
            ...Object.fromEntries(Object.entries(inputs).map(([key, value]) => [`INPUT_${key}`, value])),
            ...env,
          },
        });
        const text = { stdout: '', stderr: '' };
        for (const stream of ['stdout', 'stderr'] as const)
          child[stream].setEncoding('utf8').on('data', (chunk: string) => {
            text[stream] += chunk;
          });
        child.once('error', reject);
        child.once('close', (exitCode) => resolve({ exitCode, ...text }));
      }),
  };
}

const baseline = {
  machineName: 'main',
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: '1.0.0' },
  dependencies: {},
  envVars: { SHOP_URL: 'canary-url' },
};

describe('the step Install', () => {
  it('puts envsnap beside the job, with a Node.js of its own only where the runner’s is too old', () => {
    const { home } = createSandbox();
    const bin = path.join(home, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'npm'), '#!/bin/sh\nprintf "%s " "$@" > "$RUNNER_TEMP/npm-arguments"\n', {
      mode: 0o755,
    });
    const install = (node: string, version = '1.2.3') => {
      writeFileSync(path.join(bin, 'node'), node, { mode: 0o755 });
      const env = {
        PATH: `${bin}:/usr/bin:/bin`,
        RUNNER_TEMP: home,
        GITHUB_ACTION_PATH: root,
        INPUT_VERSION: version,
      };
      execFileSync('bash', [path.join(root, 'action/install.sh')], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return readFileSync(path.join(home, 'npm-arguments'), 'utf8').trim();
    };
    const current = install(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    expect(current).toBe(
      `install --prefix ${home}/envsnap --no-save --no-audit --no-fund --loglevel=error envsnap@1.2.3`,
    );
    expect(install('#!/bin/sh\nexit 1\n')).toBe(`${current} node@24`);
    const { version } = JSON.parse(readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'));
    expect(install('#!/bin/sh\nexit 0\n', '')).toBe(current.replace('1.2.3', version));
  });
});

describe('the step Compare', () => {
  it('annotates, fills the summary, writes the outputs and reports, and leaves failing to the last step', async () => {
    const job = startJob();
    writeFileSync(path.join(job.workspace, 'baseline.json'), JSON.stringify(baseline));
    const inputs = {
      BASELINE: 'baseline.json',
      FAIL_ON: 'runtimes:major,env',
      IGNORE: 'env:GITHUB_*\n\nenv:RUNNER_*\n',
      HTML: 'report.html',
      SARIF: 'report.sarif',
    };
    const { exitCode, stdout, stderr } = await job.step('compare', inputs);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^::error title=envsnap%3A Runtimes::node: 1\.0\.0 → /m);
    expect(job.outputs()).toMatchObject({
      verdict: 'failed',
      counting: expect.stringMatching(/^\d+$/),
      cause: expect.any(String),
    });
    expect(job.file('summary.md')).toMatch(/^<!-- envsnap comparison -->\n\n### ❌ envsnap/);
    expect(job.file('envsnap/comment.md')).toContain('`SHOP_URL`');
    const document = JSON.parse(readFileSync(job.outputs().comparison ?? '', 'utf8'));
    const names = document.diff.envVars.map((entry: { key: string }) => entry.key);
    expect(names).not.toContainEqual(expect.stringMatching(/^(INPUT|GITHUB|RUNNER)_/));
    for (const name of ['report.html', 'report.sarif'])
      expect(readFileSync(path.join(job.workspace, name), 'utf8')).toContain('SHOP_URL');
    expect(stdout + job.file('summary.md') + job.file('envsnap/comment.md')).not.toContain('canary');
  });

  it('fails with a reason when it cannot compare', async () => {
    const job = startJob();
    const { exitCode, stdout, stderr } = await job.step('compare', { BASELINE: 'missing.json' });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^::error title=envsnap::envsnap compare could not compare \(exit code 4\)/m);
    expect(stderr).toContain('missing.json');
    expect(job.outputs()).toEqual({});
  });
});

describe('the step Comment', () => {
  let api: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (api ? api.close(() => resolve()) : resolve())));

  /** GitHub's comments of one pull request. */
  async function startApi(
    comments: { id: number; body: string; user?: { login: string } }[],
    status = 200,
  ): Promise<{ url: string; calls: string[] }> {
    const calls: string[] = [];
    api = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        if (request.url === '/graphql') {
          response.end(JSON.stringify({ data: { viewer: { login: 'github-actions[bot]' } } }));
          return;
        }
        calls.push(
          `${request.method} ${request.url} ${request.headers.authorization} ${text ? JSON.parse(text).body.split('\n')[0] : ''}`,
        );
        const page = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('page') ?? 1);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(request.method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : {}),
        );
      });
    });
    await new Promise<void>((resolve) => api?.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(api.address() as AddressInfo).port}`, calls };
  }

  function jobWith(verdict: string): Job {
    const job = startJob();
    const folder = path.join(path.dirname(job.workspace), 'home/runner-temp/envsnap');
    writeFileSync(path.join(folder, 'comment.md'), '<!-- envsnap comparison -->\n\ntext\n');
    writeFileSync(path.join(folder, 'comparison.json'), JSON.stringify({ verdict }));
    return job;
  }
  const others = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, body: 'of somebody else' }));

  it('writes a first comment, and later over its own, on whatever page that stands', async () => {
    const first = await startApi(others(3));
    const inputs = { GITHUB_TOKEN: 'token' };
    expect(await jobWith('failed').step('comment', inputs, { GITHUB_API_URL: first.url })).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    expect(first.calls.at(-1)).toBe(
      'POST /repos/shop/web/issues/7/comments Bearer token <!-- envsnap comparison -->',
    );
    api?.close();
    const marked = '<!-- envsnap comparison -->\nold';
    const later = await startApi([
      // Whoever writes the mark first does not own the comment of the job.
      { id: 998, body: marked, user: { login: 'mallory' } },
      ...others(130),
      { id: 999, body: marked, user: { login: 'github-actions[bot]' } },
    ]);
    const graphql = { GITHUB_GRAPHQL_URL: `${later.url}/graphql` };
    await jobWith('equal').step('comment', inputs, { GITHUB_API_URL: later.url, ...graphql });
    expect(later.calls.at(-1)).toBe(
      'PATCH /repos/shop/web/issues/comments/999 Bearer token <!-- envsnap comparison -->',
    );
  });

  it('says nothing where nothing differs, and does not fail where it may not comment', async () => {
    const quiet = await startApi([]);
    await jobWith('equal').step('comment', {}, { GITHUB_API_URL: quiet.url });
    expect(quiet.calls).toHaveLength(1);
    api?.close();
    const refusing = await startApi([], 403);
    const { exitCode, stdout } = await jobWith('failed').step(
      'comment',
      {},
      { GITHUB_API_URL: refusing.url },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^::notice title=envsnap::No comment: GitHub answered 403/);
  });
});

describe('the step Store', () => {
  it('stores the environment and tells its id, or fails with the reason; a failure is held against what passed', async () => {
    const server = await startServerProcess();
    const bootstrap = await fetch(`${server.url}/machine/keys/bootstrap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectName: 'shop' }),
    });
    const { apiKey } = (await bootstrap.json()) as { apiKey: string };
    const job = startJob();
    const inputs = { BASE_URL: server.url, API_KEY: apiKey, MACHINE_NAME: 'ci' };
    expect((await job.step('store', inputs)).exitCode).toBe(0);
    expect(job.outputs()['snapshot-id']).toMatch(/^[0-9a-f-]{36}$/);
    const compared = await job.step('compare', { ...inputs, BASELINE: 'latest:ci' });
    expect(compared.exitCode).toBe(0);
    expect(job.outputs().verdict).toBe('equal');
    expect((await job.step('store', { ...inputs, OUTCOME: 'failure', OUTCOME_OF: 'unit' })).exitCode).toBe(0);
    const listed = await fetch(`${server.url}/machine/snapshots?outcome=failed&outcomeOf=unit`, {
      headers: { 'x-api-key': apiKey },
    });
    expect(await listed.json()).toMatchObject({
      total: 1,
      snapshots: [{ metadata: { outcome: { result: 'failed', of: 'unit' } } }],
    });
    const failed = { ...inputs, OUTCOME: 'failure' };
    const nothing = await job.step('compare', failed, { GITHUB_JOB: 'unit' });
    expect(nothing).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('No run of unit has passed yet'),
    });
    await job.step('store', { ...inputs, OUTCOME: 'success', OUTCOME_OF: 'unit' });
    const explained = await job.step('compare', failed, { GITHUB_JOB: 'unit', SHOP_MODE: 'strict' });
    expect(explained).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('SHOP_MODE') });
    const unknown = await job.step('store', { ...inputs, OUTCOME: 'exploded' });
    expect(unknown).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('write passed, failed or'),
    });
    const refused = await startJob().step('store', { ...inputs, API_KEY: `mk_${'0'.repeat(64)}` });
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toMatch(
      /^::error title=envsnap::The snapshot was not stored: ENVSNAP_API_KEY does not hold a valid API key/m,
    );
  });
});

describe('action.yml', () => {
  it('passes every input by a variable, runs only scripts that are there, and takes its outputs from its steps', () => {
    const action = load(readFileSync(path.join(root, 'action.yml'), 'utf8')) as {
      inputs: Record<string, unknown>;
      outputs: Record<string, { value: string }>;
      runs: {
        using: string;
        steps: { id?: string; if?: string; run: string; shell: string; env?: Record<string, string> }[];
      };
    };
    expect(action.runs.using).toBe('composite');
    const used = new Set<string>();
    for (const step of action.runs.steps) {
      expect(step.shell).toBe('bash');
      // An expression within a script would let an input become code.
      expect(step.run).not.toContain('{{');
      const script = /action\/[\w.]+/.exec(step.run)?.[0];
      if (script) expect(readFileSync(path.join(root, script), 'utf8').length).toBeGreaterThan(0);
      for (const text of [...Object.values(step.env ?? {}), step.if ?? '']) {
        for (const [, name] of text.matchAll(/inputs\.([\w-]+)/g)) used.add(name ?? '');
      }
    }
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort());
    const ids = action.runs.steps.flatMap((step) => step.id ?? []);
    for (const { value } of Object.values(action.outputs))
      expect(ids).toContain(/steps\.(\w+)\./.exec(value)?.[1]);
  });
});
