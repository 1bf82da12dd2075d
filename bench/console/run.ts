// What the console's pages cost on a large project: how long eight readers wait, how much processor time a page takes, and how
// long another project's caller waits. The first call of a page is shown separately: it starts the thread and compiles its code.
//
//   node --conditions=envsnap-source bench/console/run.ts [SNAPSHOTS] [PAGES] [FOLDER]
//
// Default: 5000 snapshots of 57 KB, 200 pages of each kind. A folder keeps its data for the next run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs, startListening } from '../process.ts';

const [snapshots = '5000', pages = '200', kept] = process.argv.slice(2);
const callers = 8;
const machines = 60;
const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'envsnap-console-'));
const program = path.join(import.meta.dirname, '../../packages/server/bin/envsnap-server.js');
const limits = { ENVSNAP_RATE_PER_MINUTE: '2000000000', ENVSNAP_RATE_PER_DAY: '2000000000' };
const server = await startListening(['--no-warnings', program, 'start', '--port', '0'], {
  ENVSNAP_DATA_DIR: folder,
  ENVSNAP_LOG_LEVEL: 'error',
  ENVSNAP_MAX_SNAPSHOTS: '2000000000',
  ...limits,
  ENVSNAP_MAX_RUNS: '2000000000',
});

async function call(target: string, headers: Record<string, string>, body?: unknown): Promise<string> {
  const answer = await fetch(`${server.url}/${target}`, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', 'accept-encoding': 'gzip', ...headers },
    ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${target}: ${answer.status} ${text.slice(0, 300)}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? text;
}

const json = { accept: 'application/json', 'content-type': 'application/json' };
const bootstrap = async (projectName: string) =>
  JSON.parse(await call('machine/keys/bootstrap', json, { projectName })).apiKey as string;

/** A snapshot of 57 KB: 1,500 packages, 60 variables, and occasionally another version of each. */
function snapshotOf(place: number) {
  const numbered = (count: number, name: string, value: (at: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value(at)]));
  const age = Math.floor(place / machines);
  return {
    machineName: `machine-${place % machines}`,
    os: 'linux',
    arch: 'x64',
    runtimeVersions: { node: `24.${Math.floor(age / 40)}.0`, ...numbered(20, 'tool-', () => '1.2.3') },
    dependencies: {
      'package-lock.json': numbered(
        1500,
        '@scope/package-',
        (at) => `${1 + ((age + at) % 300 === 0 ? age : 0)}.2.3`,
      ),
    },
    envVars: numbered(60, 'VARIABLE_', (at) => `value of variable ${at}`),
    metadata: {
      git: { branch: 'main', commit: '0123456789abcdef0123456789abcdef01234567', dirty: false },
      facts: { 'limits.openFiles': place % 7 === 0 ? 256 : 1024, 'process.umask': '0022' },
      ...(place % 3 === 0 && {
        outcome: { result: place % 21 === 0 ? 'failed' : 'passed', of: `test-${place % 2}` },
      }),
    },
  };
}

const share = (times: number[], part: number) =>
  (times.sort((x, y) => x - y)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(0);

try {
  const [key, other] = [await bootstrap('large'), await bootstrap('other')];
  let ids: string[] = [];
  for (let place = 0; place < Number(snapshots); place += callers) {
    const stored = Array.from({ length: callers }, (_, at) =>
      call('machine/snapshots', { ...json, 'x-api-key': key }, snapshotOf(place + at)),
    );
    ids = (await Promise.all(stored)).map((text) => JSON.parse(text).id);
  }
  const cookie = await call('console/sign-in', {}, new URLSearchParams({ key }));
  const [a, b] = ids;
  const failed = 'machine/snapshots?outcome=failed&limit=1';
  const run = JSON.parse(await call(failed, { ...json, 'x-api-key': key })).snapshots[0].id;
  const subscription = { url: 'https://example.com/hooks', events: ['key.expiring'] };
  const webhook = JSON.parse(await call('machine/webhooks', { ...json, 'x-api-key': key }, subscription)).id;
  const addresses = ['', 'runs', 'why', 'matrix', 'history?path=runtimes.node', `snapshots/${a}`];
  addresses.push(
    `compare?a=${a}&b=${b}`,
    'search?q=package',
    'machines/machine-1',
    `runs/${run}`,
    `webhooks/${webhook}`,
    ...'files settings usage shares webhooks keys team audit'.split(' '),
  );
  let isLoaded = true;
  const waits: number[] = [];
  const beside = (async () => {
    while (isLoaded) {
      const startedMs = performance.now();
      await call('machine/keys/current', { 'x-api-key': other });
      waits.push(performance.now() - startedMs);
      await sleep(20);
    }
  })();
  const { pid = 0 } = server.child;
  process.stdout.write(
    '| page | KB | first ms | p50 ms | p99 ms | processor ms a page |\n|---|---|---|---|---|---|\n',
  );
  for (const address of addresses) {
    const times: number[] = [];
    const open = async () => {
      const startedMs = performance.now();
      const { length } = await call(`console/${address}`, { cookie });
      times.push(performance.now() - startedMs);
      return length;
    };
    const length = await open();
    const [first = 0] = times.splice(0);
    const beforeMs = processorMs(pid);
    let remaining = Number(pages);
    const read = async () => {
      while (remaining-- > 0) await open();
    };
    await Promise.all(Array.from({ length: callers }, read));
    const costMs = (processorMs(pid) - beforeMs) / Number(pages);
    process.stdout.write(
      `| ${address.replace(/[0-9a-f-]{36}/g, 'ID') || 'overview'} | ${(length / 1000).toFixed(0)} | ${first.toFixed(0)} | ${share(times, 0.5)} | ${share(times, 0.99)} | ${costMs.toFixed(1)} |\n`,
    );
  }
  isLoaded = false;
  await beside;
  process.stdout.write(
    `another project's caller: p50 ${share(waits, 0.5)} ms, p99 ${share(waits, 0.99)} ms\n`,
  );
} finally {
  await server.stop();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
