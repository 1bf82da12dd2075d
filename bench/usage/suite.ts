// The request history over a large log: five million requests in 90 days, asked for by month.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { openDatabase } from '../../packages/server/src/infra/db/connection.ts';
import { migrate } from '../../packages/server/src/infra/db/migrate.ts';
import { createUsageService } from '../../packages/server/src/usage/service.ts';
import { median, type SuiteResult } from '../result.ts';

const rounds = 15;
const requests = 5_000_000;
const hourMs = 3_600_000;
const spanMs = 90 * 24 * hourMs;
const projectId = '11111111-1111-4111-8111-111111111111';

/** Fills the log and its hourly totals in the database itself: 20 routes, 4 statuses. */
function fill(file: string, nowMs: number): void {
  const database = new BetterSqlite3(file);
  database.pragma('synchronous = OFF');
  database.prepare('insert into projects values (?, ?, null, ?, ?)').run(projectId, 'bench', nowMs, nowMs);
  database
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
       insert into request_logs (project_id, api_key_id, method, path, route, status_code, response_time_ms, created_at)
       select ?, ?, 'GET', '/machine/route-' || (i % 20), '/machine/route-' || (i % 20),
         200 + (i % 4), i % 50, ? + cast(i * (? * 1.0 / ?) as integer) from n`,
    )
    .run(requests, projectId, projectId, nowMs - spanMs, spanMs, requests);
  database.exec(
    `insert into request_totals (project_id, hour, route, status_code, request_count, total_response_ms)
     select project_id, created_at - created_at % ${hourMs}, route, status_code, count(*), sum(response_time_ms)
     from request_logs group by 1, 2, 3, 4`,
  );
  database.close();
}

/** Measures the answer for 90 days by month and by day, from hours that begin and end in the middle of an hour. */
export async function run(): Promise<SuiteResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const nowMs = Date.UTC(2026, 9, 31, 12, 34, 56);
  try {
    const options = { url: undefined, dataDir: folder };
    const empty = await openDatabase(options);
    await migrate(empty);
    await empty.close();
    fill(path.join(folder, 'envsnap.db'), nowMs);
    const database = await openDatabase(options);
    const usage = createUsageService(database, { clock: { nowMs: () => nowMs }, flushLog: async () => {} });
    const figures = [];
    for (const period of ['month', 'day'] as const) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const startedMs = performance.now();
        const from = new Date(nowMs - spanMs + 10 * 60_000).toISOString();
        const { data } = await usage.history(projectId, { period, from });
        times.push(performance.now() - startedMs);
        if (Object.keys(data).length === 0) throw new Error('the history is empty');
      }
      figures.push({
        name: `90 days by ${period}, 5 million requests`,
        value: median(times),
        unit: 'ms',
        ...(period === 'month' ? { aim: '< 50 ms' } : {}),
      });
    }
    await database.close();
    return { suite: 'usage', rounds, figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
