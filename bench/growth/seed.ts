// Fills a project with snapshots and requests in the database itself, and counts them the way the operator's doctor does.

import type { Database, Executor } from '../../packages/server/src/infra/db/database.ts';
import { correctCounters } from '../../packages/server/src/operator/recount.ts';
import { recountMachines } from '../../packages/server/src/snapshots/machine-counts.ts';

const dayMs = 86_400_000;
/** Snapshots and requests are spread over these days. */
export const spanMs = 90 * dayMs;

export interface Amount {
  readonly snapshots: number;
  readonly requests: number;
  /** Empty projects in addition. */
  readonly projects: number;
}

/** Numbers 0 to `count` - 1 as a table `n(i)`, and the UUID of a number, in the database's own SQL. */
function dialectOf(database: Database) {
  return database.dialect.name === 'sqlite'
    ? {
        numbers: (count: number) =>
          `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) as n`,
        uuid: (prefix: string) => `printf('${prefix}-%04x-4000-8000-%012x', i % 65536, i)`,
        bytes: "x'00'",
      }
    : {
        numbers: (count: number) => `generate_series(0::bigint, ${count - 1}) as n(i)`,
        uuid: (prefix: string) =>
          `('${prefix}-' || lpad(to_hex(i % 65536), 4, '0') || '-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`,
        bytes: "'\\x00'::bytea",
      };
}

/**
 * Adds snapshots: most on Linux, one in 5,000 on Windows, a third with an outcome, on a machine for every hundred; and
 * requests on 20 routes with four statuses.
 */
export async function seed(
  database: Database,
  projectId: string,
  prefix: string,
  amount: Amount,
  nowMs: number,
): Promise<void> {
  const { numbers, uuid, bytes } = dialectOf(database);
  const { builder } = database.dialect;
  // A server's statements end after 15 seconds; those of a migration may take as long as they need.
  const patiently = <Result>(work: (executor: Executor) => Promise<Result>) =>
    database.migrating(({ transact }) => transact(work));
  const run = (sql: string) => patiently((executor) => executor.run(builder.raw(sql)));
  const time = (count: number) => `${nowMs - spanMs} + i * ${Math.floor(spanMs / count)}`;
  const { snapshots, requests, projects } = amount;
  await run(
    `insert into snapshots (id, project_id, created_at, machine_name, os, arch, outcome, outcome_of, runtime_versions,
      metadata, env_names, env_ciphertext, dependencies)
    select ${uuid(prefix)}, '${projectId}', ${time(snapshots)}, 'machine-' || (i % ${Math.max(10, snapshots / 100)}),
      case when i % 5000 = 7 then 'win32' when i % 9 = 0 then 'darwin' else 'linux' end,
      case when i % 4 = 0 then 'arm64' else 'x64' end,
      case i % 9 when 1 then 'failed' when 2 then 'passed' when 3 then 'passed' end,
      case when i % 9 between 1 and 3 then 'nightly-' || (i % 3) end,
      '{"node":"24.0.0"}', '{"system":{"kernel":"6.1"}}', '[]', ${bytes}, '{}'
    from ${numbers(snapshots)}`,
  );
  await patiently(async (executor) => {
    await correctCounters(executor, projectId);
    await recountMachines(executor, projectId);
  });
  await run(
    `insert into request_logs (project_id, api_key_id, method, path, route, status_code, response_time_ms, created_at)
    select '${projectId}', '${projectId}', 'GET', '/machine/route', '/machine/route-' || (i % 20), 200 + i % 4, i % 50,
      ${time(requests)} from ${numbers(requests)}`,
  );
  for (const [table, column, ms] of [
    ['request_totals', 'hour', dayMs / 24],
    ['request_day_totals', 'day', dayMs],
  ]) {
    await run(
      `insert into ${table} (project_id, ${column}, route, status_code, request_count, total_response_ms)
      select project_id, created_at - created_at % ${ms}, route, status_code, count(*), sum(response_time_ms)
      from request_logs where project_id = '${projectId}'
      group by project_id, created_at - created_at % ${ms}, route, status_code on conflict do nothing`,
    );
  }
  if (projects > 0)
    await run(
      `insert into projects (id, name, created_at, updated_at)
      select ${uuid(`${prefix.slice(0, 4)}ffff`)}, 'empty', 0, 0 from ${numbers(projects)}`,
    );
  await run('analyze');
}
