// How many connections the servers may open together, beside what PostgreSQL has left for them.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * The name by which PostgreSQL lists a server's connections: it says how large the pool is, also while few of it are open. PostgreSQL
 * keeps 63 characters of it.
 */
export function nameServer(poolSize: number): string {
  return `envsnap-server pool=${poolSize} ${hostname().slice(-24)} ${randomBytes(3).toString('hex')}`;
}

/**
 * The number of servers, the connections that they may open, and those that other programs leave them, within the tightest of the
 * limits of PostgreSQL, the database and the role. A server opens three beside its pool, for retention, migrations and a backup. A role
 * without special rights does not see the kind of others' connections.
 */
export const readBudget = `WITH limits (most, datname, usename) AS (
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int, null::name, null::name
    UNION ALL SELECT datconnlimit, datname, null FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    UNION ALL SELECT rolconnlimit, null, rolname FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0
  ), programs AS (
    SELECT limits, most, substring(application_name FROM '^envsnap-server pool=(\\d+) ')::int AS pool, count(*) AS open
    FROM limits JOIN pg_stat_activity AS activity ON datid IS NOT NULL
      AND coalesce(backend_type, 'client backend') = 'client backend'
      AND coalesce(activity.datname = limits.datname, true) AND coalesce(activity.usename = limits.usename, true)
    GROUP BY limits, most, application_name
  ), budgets AS (
    SELECT count(pool)::int AS servers, coalesce(sum(pool + 3), 0)::int AS "mayOpen",
      greatest(0, most - coalesce(sum(open) FILTER (WHERE pool IS NULL), 0))::int AS "left"
    FROM programs GROUP BY limits, most
  )
  SELECT * FROM budgets ORDER BY "left" - "mayOpen" LIMIT 1`;

export const tooFewConnections =
  'the servers may open more connections than PostgreSQL allows: raise max_connections there, or lower ENVSNAP_DATABASE_POOL_SIZE';
