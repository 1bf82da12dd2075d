// The action, run with the environment that GitHub documents for a job.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { createSandbox, programs, startServerProcess } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';

const { baseline, titles } = readTestData<{
  baseline: Record<string, Record<string, string> | string>;
  titles: string[];
}>(import.meta);

const root = path.resolve(import.meta.dirname, '../..');

interface Job {
  readonly workspace: string;
  readonly file: (name: string) => string;
  readonly outputs: () => Record<string, string>;
  /** Writes a baseline from which every environment differs. */
  keepBaseline(): void;
  /** Writes this job's environment to a file. */
  capture(name: string, env?: Record<string, string>): void;
  run(
    inputs?: Record<string, string>,
    env?: Record<string, string>,
  ): Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

/** The built command line as one file. */
const launcher = `#!/bin/sh\nexec '${process.execPath}' '${programs.cli}' "$@"\n`;

function action() {
  return load(readFileSync(path.join(root, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default: string }>;
    outputs: Record<string, unknown>;
    runs: { using: string; main: string };
  };
}

/** Defaults of action.yml, which the runner passes on. */
const defaults = Object.fromEntries(
  Object.entries(action().inputs).map(([name, { default: value }]) => [name, value]),
);

/** A job's folders and variables; envsnap is already installed. */
function startJob(): Job {
  const sandbox = createSandbox();
  const temporary = path.join(sandbox.home, 'runner-temp');
  mkdirSync(temporary);
  const executable = path.join(sandbox.home, 'envsnap');
  writeFileSync(executable, launcher, { mode: 0o755 });
  const files = {
    output: path.join(temporary, 'output'),
    summary: path.join(temporary, 'summary.md'),
    event: path.join(temporary, 'event.json'),
  };
  writeFileSync(files.output, '');
  writeFileSync(files.summary, '');
  const head = { repo: { fork: true } };
  writeFileSync(files.event, JSON.stringify({ pull_request: { number: 7, head } }));
  const env = {
    ...sandbox.env,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: sandbox.cwd,
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: files.event,
    GITHUB_REPOSITORY: 'shop/web',
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    RUNNER_TEMP: temporary,
    RUNNER_OS: 'Linux',
  };
  return {
    workspace: sandbox.cwd,
    file: (name) => readFileSync(path.join(temporary, name), 'utf8'),
    outputs: () =>
      Object.fromEntries(
        [...readFileSync(files.output, 'utf8').matchAll(/^(\S+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(
          ([, name, , value]) => [name, value],
        ),
      ),
    keepBaseline: () => writeFileSync(path.join(sandbox.cwd, 'baseline.json'), JSON.stringify(baseline)),
    capture(name, more = {}) {
      const options = { cwd: sandbox.cwd, env: { ...env, ...more }, stdio: 'pipe' } as const;
      execFileSync(executable, ['capture', '--output', name], options);
    },
    run: (inputs = {}, more = {}) =>
      new Promise((resolve, reject) => {
        const actionInputs = { ...defaults, executable, 'github-token': 'token', matrix: 'null', ...inputs };
        const asVariables = Object.entries(actionInputs).map(([key, value]) => [
          `INPUT_${key.toUpperCase()}`,
          value,
        ]);
        const child = spawn(process.execPath, [path.join(root, action().runs.main)], {
          cwd: sandbox.cwd,
          env: { ...env, ...Object.fromEntries(asVariables), ...more },
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

/** A job's result and its output. */
const ends = (exitCode: number, said: string) => ({ exitCode, stdout: expect.stringContaining(said) });

describe('getting envsnap', () => {
  /** A release of the repository shop/envsnap, as GitHub serves it. */
  async function startRelease(
    digestOf: (archive: Buffer, name: string) => string,
    executables: Record<string, string> = { 'envsnap-linux-x64': launcher },
  ) {
    const { home } = createSandbox();
    const { version } = JSON.parse(readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'));
    const place = `/shop/envsnap/releases/download/v${version}`;
    const files: Record<string, string | Buffer> = {};
    let sums = '';
    for (const [name, executable] of Object.entries(executables)) {
      const archive = `${name}.tar.gz`;
      mkdirSync(path.join(home, name));
      writeFileSync(path.join(home, name, 'envsnap'), executable, { mode: 0o755 });
      execFileSync('tar', ['-czf', archive, name], { cwd: home });
      const bytes = readFileSync(path.join(home, archive));
      files[`${place}/${archive}`] = bytes;
      sums += `${digestOf(bytes, name)}  ${archive}\n`;
    }
    files[`${place}/SHA256SUMS`] = sums;
    const server = createServer((request, response) => {
      const body = files[request.url ?? ''];
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUpAfterTest(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { GITHUB_SERVER_URL: url, GITHUB_ACTION_REPOSITORY: 'shop/envsnap' };
  }
  const inputs = { executable: '', baseline: 'baseline.json', fail: 'false', comment: 'false' };
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const onLinux = it.skipIf(process.platform !== 'linux' || process.arch !== 'x64');

  onLinux(
    'takes the archive with its own libraries, just as checked, where one is missing',
    { tags: 'release' },
    async () => {
      const job = startJob();
      job.keepBaseline();
      const missing = '#!/bin/sh\necho "libatomic.so.1: cannot open" >&2\nexit 127\n';
      const [first, second] = ['envsnap-linux-x64', 'envsnap-linux-x64-any-libc'] as const;
      const run = async (release: Record<string, string>) =>
        job.run(inputs, { ...release, PATH: process.env.PATH ?? '' });
      const wrong = (bytes: Buffer, name: string) => (name === second ? '0'.repeat(64) : sha256(bytes));
      expect(await run(await startRelease(wrong, { [first]: missing, [second]: launcher }))).toMatchObject(
        ends(1, `The digest of ${second}.tar.gz does not match SHA256SUMS`),
      );
      // The first stays unpacked and is not used the next time either.
      const working = await startRelease(sha256, { [first]: missing, [second]: launcher });
      for (const release of [working, { GITHUB_SERVER_URL: 'http://127.0.0.1:9' }]) {
        expect(await run(release)).toMatchObject({ exitCode: 0, stderr: '' });
        expect(job.outputs().verdict).toBe('failed');
      }
      const broken = await startRelease(sha256, { [first]: missing, [second]: missing });
      expect(await startJob().run(inputs, { ...broken, PATH: process.env.PATH ?? '' })).toMatchObject(
        ends(1, 'envsnap does not start here: libatomic.so.1'),
      );
    },
  );

  onLinux(
    'takes the action’s own version from its release, whatever Node.js the job has',
    { tags: 'release' },
    async () => {
      const job = startJob();
      job.keepBaseline();
      const release = await startRelease(sha256);
      // tar and gzip are the runner's.
      const { exitCode } = await job.run(inputs, { ...release, PATH: process.env.PATH ?? '' });
      expect([exitCode, job.outputs().verdict]).toEqual([0, 'failed']);
    },
  );

  it('runs nothing with a different digest, and says what to do if there is no release', async () => {
    const job = startJob();
    const other = await job.run(inputs, await startRelease(() => '0'.repeat(64)));
    expect(other).toMatchObject(ends(1, 'does not match SHA256SUMS of the release'));
    const release = await startRelease(() => '');
    const missing = await job.run({ ...inputs, version: '0.0.1' }, release);
    expect(missing).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(
        /^::error title=envsnap::\S+v0\.0\.1\/SHA256SUMS responded with 404\. If .*"executable"/m,
      ),
    });
  });
});

describe('the comparison and its comment', () => {
  let api: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (api ? api.close(() => resolve()) : resolve())));

  it('annotates, fills the summary, writes the outputs, reports and comment, and fails only if it is asked to', async () => {
    const job = startJob();
    job.keepBaseline();
    const inputs = {
      baseline: 'baseline.json',
      'fail-on': 'runtimes:major,env',
      ignore: 'env:GITHUB_*\n\nenv:RUNNER_*\n',
      html: 'report.html',
      sarif: 'report.sarif',
    };
    const comments = others(3);
    const firstApi = await startApi(comments);
    const { exitCode, stdout, stderr } = await job.run({ ...inputs, fail: 'false' }, firstApi.env);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^::error title=envsnap%3A Runtimes::node: 1\.0\.0 → /m);
    expect(job.outputs()).toMatchObject({
      verdict: 'failed',
      counting: expect.stringMatching(/^\d+$/),
      cause: expect.any(String),
    });
    expect(job.file('summary.md')).toMatch(/^### ❌ envsnap/);
    expect(job.file('envsnap/comment.md')).toContain('`SHOP_URL`');
    const document = JSON.parse(readFileSync(job.outputs().comparison ?? '', 'utf8'));
    const names = document.diff.envVars.map((entry: { key: string }) => entry.key);
    expect(names).not.toContainEqual(expect.stringMatching(/^(INPUT|GITHUB|RUNNER)_/));
    for (const name of ['report.html', 'report.sarif'])
      expect(readFileSync(path.join(job.workspace, name), 'utf8')).toContain('SHOP_URL');
    expect(stdout + job.file('summary.md') + job.file('envsnap/comment.md')).not.toContain('canary');
    expect(firstApi.calls.at(-1)).toBe('POST /repos/shop/web/issues/7/comments Bearer token');
    const { body } = comments[3] ?? { body: '' };
    expect(body).toMatch(/^<!-- envsnap [0-9a-f]{16} -->\n\n`Linux`\n\n### ❌ envsnap/);
    api?.close();
    // Later it overwrites its own comment, on any page.
    const later = await startApi([
      // The first comment with the mark is not necessarily the job's.
      { id: 998, body, user: mallory },
      ...others(130),
      { id: 999, body, user: own },
    ]);
    expect((await job.run(inputs, later.env)).exitCode).toBe(1);
    expect(later.calls.at(-1)).toBe('PATCH /repos/shop/web/issues/comments/999 Bearer token');
  });

  /** GitHub's comments of one pull request. */
  async function startApi(comments: { id: number; body: string; user: { login: string } }[], status = 200) {
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
        calls.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        const id = Number(request.url?.split('/').at(-1));
        const earlier = comments.find((comment) => comment.id === id);
        const body = text && JSON.parse(text).body;
        if (earlier) earlier.body = body;
        else if (body) comments.push({ id: 1000 + comments.length, body, user: own });
        const page = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('page') ?? 1);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(request.method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : {}),
        );
      });
    });
    await new Promise<void>((resolve) => api?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    return { env: { GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: `${url}/graphql` }, calls };
  }

  /** Runs a job whose environment differs from the baseline, or not. */
  async function runCommented(differs: boolean, env: Record<string, string>, inputs = {}) {
    const job = startJob();
    if (differs) job.keepBaseline();
    else job.capture('baseline.json', env);
    return job.run({ baseline: 'baseline.json', fail: 'false', ...inputs }, env);
  }
  const own = { login: 'github-actions[bot]' };
  const mallory = { login: 'mallory' };
  const others = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, body: 'of somebody else', user: mallory }));

  it('has one for each workflow, job, leg of a matrix and step, whatever their names hold', {
    tags: 'release',
  }, async () => {
    const comments = others(0);
    const { env } = await startApi(comments);
    const strange = { GITHUB_WORKFLOW: 'x` --> @mallory <img>\n`', GITHUB_JOB: 'test' };
    const job = { GITHUB_JOB: 'test' };
    const legs = [22, 24].map((node) => ({ matrix: JSON.stringify({ node }, undefined, 2) }));
    const runs = [
      [strange, {}],
      [job, {}],
      [{ ...job, GITHUB_ACTION: '__self_2' }, {}],
      [job, legs[0]],
      [job, legs[1]],
      [job, { 'machine-name': 'arm', 'outcome-of': 'unit' }],
    ] as const;
    for (const [more, inputs] of runs) await runCommented(true, { ...env, ...more }, inputs);
    await runCommented(false, { ...env, ...job }, legs[0]);
    const shown = comments.map(({ body }) =>
      body
        .split('\n')
        .filter((line) => /^[`#]/.test(line))
        .slice(0, 2),
    );
    expect(shown.map(([origin, title]) => `${title?.slice(0, 5)} ${origin}`)).toEqual(titles);
  });

  it('reports when a failed job passes again, and nothing else', { tags: 'release' }, async () => {
    const { server, apiKey } = await startProject();
    const comments = others(1);
    const { env, calls } = await startApi(comments);
    const job = startJob();
    const run = async (outcome: string, more = {}) => {
      const connection = { 'base-url': server.url, 'api-key': apiKey };
      const variables = { ...env, GITHUB_JOB: 'test', ...more };
      const { exitCode, stdout } = await job.run({ ...connection, outcome }, variables);
      expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('No comment')]);
      return comments.slice(1).map(({ body }) => body.split('\n')[4]);
    };
    expect(await run('success')).toEqual([]);
    expect(await run('failure', { SHOP_MODE: 'strict' })).toEqual([expect.stringContaining('### ❌')]);
    expect(await run('cancelled')).toEqual([expect.stringContaining('### ❌')]);
    expect(await run('success')).toEqual(['### ✅ envsnap: this run passed']);
    api?.close();
    const refusing = await startApi([], 403);
    await run('success', refusing.env);
    expect([calls.length, refusing.calls.length]).toEqual([5, 1]);
  });

  it('says nothing if nothing differs, and does not fail if it may not comment', {
    tags: 'release',
  }, async () => {
    const quiet = await startApi([]);
    await runCommented(false, quiet.env);
    expect(quiet.calls).toHaveLength(1);
    api?.close();
    const refusing = await startApi([], 403);
    const { exitCode, stdout } = await runCommented(true, refusing.env);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^::notice title=envsnap::No comment: GitHub responded with 403/m);
  });
});

async function startProject(env: Record<string, string> = {}) {
  const server = await startServerProcess(env);
  const bootstrap = await fetch(`${server.url}/machine/keys/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectName: 'shop' }),
  });
  const { apiKey } = (await bootstrap.json()) as { apiKey: string };
  return { server, apiKey };
}

describe('sharing', () => {
  it('links a page for readers without a key if it is asked to, and never fails', {
    tags: 'release',
  }, async () => {
    const { server, apiKey } = await startProject();
    const job = startJob();
    job.keepBaseline();
    const inputs = { 'base-url': server.url, 'api-key': apiKey, baseline: 'baseline.json', fail: 'false' };
    const shared = { ...inputs, share: '1h', store: 'true', comment: 'false' };
    expect((await job.run(shared)).exitCode).toBe(0);
    const { 'share-url': url = '', verdict } = job.outputs();
    expect(job.file('envsnap/comment.md')).toContain(
      `\n[The whole comparison](${url}) opens without an account`,
    );
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining(`data-verdict="${verdict}"`),
    ]);
    const listed = await fetch(`${server.url}/machine/snapshots`, { headers: { 'x-api-key': apiKey } });
    expect((await listed.json()).total).toBe(2);

    const quiet = startJob();
    writeFileSync(path.join(quiet.workspace, 'baseline.json'), JSON.stringify(baseline));
    await quiet.run({ ...inputs, comment: 'false' });
    expect(quiet.outputs()['share-url']).toBeUndefined();
    const refused = await quiet.run({ ...shared, store: 'false', 'api-key': `mk_${'0'.repeat(64)}` });
    expect([refused.exitCode, refused.stdout]).toEqual([
      0,
      expect.stringContaining('::notice title=envsnap::No share'),
    ]);
  });
});

describe('names that look like flags', () => {
  it('are names, whether a repository or the workflow gives them, so that no key goes to another server', {
    tags: 'release',
  }, async () => {
    const requests: string[] = [];
    const other = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    cleanUpAfterTest(() => other.close());
    const flag = `--base-url=http:/127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { server, apiKey } = await startProject();
    const job = startJob();
    const file = path.join(job.workspace, flag, 'x.json');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(baseline));
    writeFileSync(path.join(job.workspace, '.envsnap.yaml'), `baseline: "./${flag}/x.json"\n`);
    const inputs = {
      'base-url': server.url,
      'api-key': apiKey,
      fail: 'false',
      comment: 'false',
      share: '1h',
    };
    expect((await job.run({ ...inputs, store: 'true', 'machine-name': flag })).exitCode).toBe(0);
    expect(job.outputs()['share-url']).toContain(server.url);
    await job.run({
      ...inputs,
      baseline: `${flag}/x.json`,
      ignore: flag,
      dir: flag,
      'fail-on': flag,
      html: flag,
    });
    await job.run({ ...inputs, outcome: 'passed', 'outcome-of': flag });
    const listed = await fetch(`${server.url}/machine/snapshots`, { headers: { 'x-api-key': apiKey } });
    const { snapshots } = (await listed.json()) as { snapshots: { machineName: string }[] };
    expect(snapshots.map(({ machineName }) => machineName)).toContain(flag);
    expect(requests).toEqual([]);
  });
});

/** Text that a job's log or a terminal would obey if it were not escaped. */
const trick = '\u001b]0;x\u0007\r\n::error::x\n##[error]x';

describe('storing', () => {
  it('writes an id, an address and a reason of a hostile server harmlessly', {
    tags: 'release',
  }, async () => {
    const job = startJob();
    const answers = {
      id: `x${trick}`,
      url: `https://example.org/)${trick}`,
      expiresAt: '2026-01-01T00:00:00.000Z',
      error: { message: `no${trick}` },
    };
    const answering = path.join(job.workspace, 'envsnap');
    for (const exitCode of [0, 3]) {
      // A program that passes on its server's responses.
      const end = `printf '%s' '${JSON.stringify(answers)}'; exit ${exitCode}`;
      const compares = `exec '${process.execPath}' '${programs.cli}' "$@"`;
      writeFileSync(answering, `#!/bin/sh\n[ "$1" = compare ] && ${compares}\n${end}\n`, { mode: 0o755 });
      job.keepBaseline();
      const inputs = { executable: answering, baseline: 'baseline.json', share: 'true', store: 'true' };
      const { stdout } = await job.run({ ...inputs, fail: 'false', comment: 'false' });
      expect(stdout).toContain(exitCode === 0 ? 'Stored snapshot x' : 'The snapshot was not stored: no');
      expect(stdout.replace(/^::(error|notice|warning) title=.*?::/gm, '')).not.toMatch(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
        /[\u0000-\u0009\u000b-\u001f]|^\s*::|##\[/m,
      );
      expect(job.file('envsnap/comment.md')).not.toMatch(/\.org\/\)/);
    }
  });

  it('stores the environment and reports its id, or fails with the reason; compares a failure with what passed', {
    tags: 'release',
  }, async () => {
    const { server, apiKey } = await startProject();
    const job = startJob();
    const inputs = { 'base-url': server.url, 'api-key': apiKey, 'machine-name': 'ci', comment: 'false' };
    job.capture('baseline.json');
    expect((await job.run({ ...inputs, baseline: 'baseline.json', store: 'true' })).exitCode).toBe(0);
    expect(job.outputs()['snapshot-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await job.run({ ...inputs, baseline: 'latest:ci' })).exitCode).toBe(0);
    expect(job.outputs().verdict).toBe('equal');
    const failed = { ...inputs, outcome: 'failure', 'outcome-of': 'unit' };
    expect(await job.run(failed)).toMatchObject(ends(0, 'No run of unit has passed yet'));
    const listed = await fetch(`${server.url}/machine/snapshots?outcome=failed&outcomeOf=unit`, {
      headers: { 'x-api-key': apiKey },
    });
    expect(await listed.json()).toMatchObject({
      total: 1,
      snapshots: [{ metadata: { outcome: { result: 'failed', of: 'unit' } } }],
    });
    await job.run({ ...failed, outcome: 'success' });
    expect(await job.run(failed, { SHOP_MODE: 'strict' })).toMatchObject(ends(0, 'SHOP_MODE'));
    for (const [outcome, reason] of [
      ['cancelled', 'was cancelled'],
      ['skipped', 'was skipped'],
    ] as const)
      expect(await job.run({ ...inputs, outcome })).toMatchObject(ends(0, reason));
    expect(await job.run({ ...inputs, outcome: 'success', 'api-key': '' })).toMatchObject(
      ends(0, 'a pull request from a fork gets no key'),
    );
    expect(await job.run({ ...inputs, outcome: 'exploded' })).toMatchObject(
      ends(1, 'write passed, failed or'),
    );
    const foreign = { ...inputs, outcome: 'passed', 'api-key': `mk_${'0'.repeat(64)}` };
    const refused = await startJob().run(foreign);
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toMatch(
      /^::error title=envsnap::The snapshot was not stored: ENVSNAP_API_KEY does not hold a valid API key/m,
    );
  });
});

describe('a baseline that jobs store themselves', () => {
  const machines = async (url: string, apiKey: string) => {
    const listed = await fetch(`${url}/machine/snapshots`, { headers: { 'x-api-key': apiKey } });
    const { snapshots } = (await listed.json()) as { snapshots: { machineName: string }[] };
    return snapshots.map(({ machineName }) => machineName);
  };

  it('begins with the first job, and no failed run replaces it', { tags: 'release' }, async () => {
    const { server, apiKey } = await startProject();
    const job = startJob();
    const connection = { 'base-url': server.url, 'api-key': apiKey, comment: 'false' };
    const inputs = { ...connection, baseline: 'latest:github-actions', store: 'true' };
    const early = await job.run({ ...inputs, store: 'false' });
    expect(early).toMatchObject(ends(1, 'exit code 4'));
    const mistyped = await job.run({ ...inputs, baseline: 'latest:github-action' });
    expect(mistyped).toMatchObject(ends(1, 'exit code 4'));
    const first = await job.run(inputs);
    expect(first).toMatchObject(ends(0, 'There is no baseline latest:github-actions yet'));
    const failed = { ...connection, outcome: 'failure', 'outcome-of': 'unit' };
    await job.run(failed, { SHOP_MODE: 'strict' });
    expect(await machines(server.url, apiKey)).toEqual(['github-actions-runs', 'github-actions']);
    expect((await job.run(inputs, { SHOP_MODE: 'strict' })).exitCode).toBe(1);
    expect(job.outputs().verdict).toBe('failed');
  });

  it('keeps no job from passing once the quota is used up', { tags: 'release' }, async () => {
    const { server, apiKey } = await startProject({ ENVSNAP_MAX_SNAPSHOTS: '1' });
    const job = startJob();
    const inputs = { 'base-url': server.url, 'api-key': apiKey, comment: 'false', store: 'true' };
    const full = { ...inputs, baseline: 'latest:github-actions' };
    await job.run(full);
    expect(await job.run(full)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^::notice .*The snapshot was not stored: .*quota/m),
    });
  });
});

describe('action.yml', () => {
  it('runs on the runner’s own Node.js, and names the inputs and outputs that the scripts know', () => {
    const { inputs, outputs, runs } = action();
    expect(runs.using).toBe('node24');
    const scripts = readdirSync(path.join(root, 'action'))
      .map((name) => readFileSync(path.join(root, 'action', name), 'utf8'))
      .join('');
    const read = [...scripts.matchAll(/\binput\('([\w-]+)'\)|\['(html)', '(sarif)'\]/g)];
    const names = new Set(read.flatMap((match) => match.slice(1).filter((name) => name !== undefined)));
    expect([...names].sort()).toEqual(Object.keys(inputs).sort());
    for (const name of Object.keys(outputs)) expect(scripts).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
