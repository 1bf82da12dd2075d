// The request history over a large log, over HTTP: five million requests in 30 days on 20 routes with four statuses.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { startListening } from '../process.ts';
import { median, type SuiteResult } from '../result.ts';

const rounds = 31;
const requests = 5_000_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const spanMs = 30 * dayMs;
const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'packages/server/bin/envsnap-server.js');

/** Fills the log and its totals in the database itself. */
function fill(file: string, projectId: string, nowMs: number): void {
  const database = new BetterSqlite3(file);
  database.pragma('synchronous = OFF');
  database
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
       insert into request_logs (project_id, api_key_id, method, path, route, status_code, response_time_ms, created_at)
       select ?, ?, 'GET', '/machine/route-' || (i % 20), '/machine/route-' || (i % 20),
         200 + (i / 20 % 4), i % 50, ? + cast(i * (? * 1.0 / ?) as integer) from n`,
    )
    .run(requests, projectId, projectId, nowMs - spanMs, spanMs, requests);
  for (const [table, column, ms] of [
    ['request_totals', 'hour', hourMs],
    ['request_day_totals', 'day', dayMs],
  ] as const) {
    database.exec(
      `insert into ${table} (project_id, ${column}, route, status_code, request_count, total_response_ms)
       select project_id, created_at - created_at % ${ms}, route, status_code, count(*), sum(response_time_ms)
       from request_logs group by 1, 2, 3, 4 on conflict do nothing`,
    );
  }
  database.close();
}

/** Measures answers for the month: by default, by month, and from moments in the middle of an hour. */
export async function run(): Promise<SuiteResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const start = () =>
    startListening(['--no-warnings', program, 'start', '--port', '0'], {
      ...{ ENVSNAP_DATA_DIR: folder, ENVSNAP_LOG_LEVEL: 'error' },
      ...{ ENVSNAP_RATE_PER_MINUTE: '2000000000', ENVSNAP_RATE_PER_DAY: '2000000000' },
    });
  try {
    const empty = await start();
    const response = await fetch(`${empty.url}/machine/keys/bootstrap`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"projectName":"bench"}' },
    });
    const { projectId, apiKey } = (await response.json()) as { projectId: string; apiKey: string };
    await empty.stop();
    const nowMs = Date.now();
    fill(path.join(folder, 'envsnap.db'), projectId, nowMs);
    const server = await start();
    const moment = (agoMs: number) => new Date(Math.floor(nowMs / hourMs) * hourMs - agoMs).toISOString();
    const queries = [
      { name: 'the last 30 days by day', query: '', aim: '< 10 ms' },
      { name: 'the last 30 days by month', query: 'period=month', aim: '< 10 ms' },
      {
        name: '29 days by day, from half past to half past',
        query: `from=${moment(29 * dayMs + hourMs / 2)}&to=${moment(hourMs / 2)}`,
        aim: '< 10 ms',
      },
      { name: 'the last 30 days by hour', query: 'period=hour' },
    ];
    const figures = [];
    for (const { name, query, aim } of queries) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const startedMs = performance.now();
        const answer = await fetch(`${server.url}/machine/usage/requests?${query}`, {
          headers: { 'x-api-key': apiKey, 'accept-encoding': 'identity' },
        });
        const text = await answer.text();
        times.push(performance.now() - startedMs);
        if (!answer.ok || text.length < 1000) throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
      }
      figures.push({
        ...{ name: `${name}, 5 million requests`, value: median(times.slice(1)), unit: 'ms' },
        ...(aim !== undefined && { aim }),
      });
    }
    await server.stop();
    return { suite: 'usage', rounds, figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
