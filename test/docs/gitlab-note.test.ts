// The job for GitLab in docs/ci.md, its note on the merge request, against GitLab's API as documented.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/ci.md'), 'utf8');
const [, yaml = ''] = /## GitLab CI\n+```yaml\n([\s\S]+?)```/.exec(page) ?? [];
const job = load(yaml) as { environment: { after_script: string[] } };
const script = job.environment.after_script.find((step) => step.includes('GITLAB_TOKEN')) ?? '';

test('the job for GitLab keeps one note on the merge request, and none where nothing ever differed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-gitlab-'));
  // The merge request commits links instead of the report and the note.
  const checkout = path.join(folder, 'checkout');
  const secrets = path.join(folder, '.netrc');
  mkdirSync(checkout);
  writeFileSync(secrets, 'password hunter2');
  for (const name of ['environment.md', 'note.md']) symlinkSync(secrets, path.join(checkout, name));
  const reports = path.join(folder, 'reports');
  mkdirSync(reports);
  const mark = '<!-- environment-comparison -->';
  const note = (id: number, body: string, author: number) => ({
    id,
    type: null,
    body,
    attachment: null,
    author: { id: author, username: 'x' },
    system: false,
  });
  const strangers = [
    'Looks good',
    'I like the environment-comparison job',
    `${mark}\nmine`,
    `{"id":7,"type":null,"body":"${mark}","attachment":null,"author":{"id":42,`,
  ].map((body, index) => note(index + 1, body, 4));
  // A note that the token's account wrote for another purpose.
  const notes = [...strangers, note(7, `See ${mark}`, 42)];
  const before = structuredClone(notes);
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString()).get('body') ?? '';
    const { pathname } = new URL(request.url ?? '', 'http://gitlab.test');
    const isKnown = request.headers['private-token'] === 'glpat-secret';
    calls.push(`${request.method} ${pathname}`);
    const [, id] = /^\/api\/v4\/projects\/3\/merge_requests\/5\/notes(?:\/(\d+))?$/.exec(pathname) ?? [
      '',
      'none',
    ];
    const edited = notes.find((note) => note.id === Number(id));
    if (request.method === 'POST') notes.push(note(9, body, 42));
    if (request.method === 'PUT' && edited) edited.body = body;
    if (pathname === '/api/v4/user') {
      response.end(JSON.stringify({ id: 42, username: 'project_3_bot' }));
      return;
    }
    response.writeHead(isKnown && (id === undefined || edited) ? 200 : 404);
    // GitLab writes markup in its JSON with escapes.
    response.end(JSON.stringify(notes).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfterTest(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  // As the runner starts a script, with bash if the image has it.
  const hasBash = spawnSync('bash', ['-c', 'exit']).status === 0;
  const shells = [
    hasBash ? ['bash', 'set -o pipefail -o errexit\n'] : ['sh', 'set -o errexit\n'],
    ['sh', 'set -o errexit\n'],
  ] as const;
  let started = 0;
  const run = async (status: string, token = 'glpat-secret') => {
    const [shell, prologue] = shells[started++ % 2] as (typeof shells)[number];
    const env = {
      PATH: process.env.PATH,
      GITLAB_TOKEN: token,
      CI_JOB_STATUS: status,
      REPORTS: reports,
      CI_PROJECT_DIR: checkout,
      CI_MERGE_REQUEST_IID: '5',
      CI_PROJECT_ID: '3',
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
    };
    const [code] = await once(
      spawn(shell, ['-c', prologue + script], { cwd: checkout, env, stdio: 'ignore' }),
      'exit',
    );
    return [
      code,
      calls.splice(0).map((call) => call.replace(/\/api\/v4(\/projects\/3\/merge_requests\/5)?/, '')),
    ];
  };

  // Nothing was compared, so the file in the checkout is not posted.
  expect(await run('failed')).toEqual([0, []]);
  writeFileSync(path.join(reports, 'environment.md'), 'node is 22 & "older"\n');
  expect(await run('failed', '')).toEqual([0, []]);
  expect(await run('success')).toEqual([0, ['GET /user', 'GET /notes']]);
  expect(await run('failed')).toEqual([0, ['GET /user', 'GET /notes', 'POST /notes']]);
  const body = `${mark}\nnode is 22 & "older"\n`;
  expect(notes).toEqual([...before, note(9, body, 42)]);
  writeFileSync(path.join(reports, 'environment.md'), 'equal\n');
  expect(await run('success')).toEqual([0, ['GET /user', 'GET /notes', 'PUT /notes/9']]);
  expect(notes).toEqual([...before, note(9, `${mark}\nequal\n`, 42)]);
  expect(readFileSync(secrets, 'utf8')).toBe('password hunter2');
});

test.each([
  ['success', 'passed\n'],
  ['failed', 'failed\n'],
  ['canceled', ''],
])('the job for GitLab that records runs takes the status %s', (status, outcome) => {
  const [, text = ''] = /```yaml\n( {2}after_script:[\s\S]+?)```/.exec(page) ?? [];
  const { after_script: steps } = load(text) as { after_script: string[] };
  const result = spawnSync('sh', ['-c', `set -o errexit\n${steps[0]}\necho "$outcome"`], {
    env: { PATH: process.env.PATH, CI_JOB_STATUS: status },
  });
  expect([result.status, result.stdout.toString()]).toEqual([0, outcome]);
});
