// Rows of rate-limit counters, one per caller, and the owners of the callers' keys.

import type { PrincipalRow } from '../api-keys/repository.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineInserts } from '../infra/db/row-inserts.ts';
import { defineInsert, defineSql, type NoParams, type Statement } from '../infra/db/statement.ts';

export interface RateLimitSubject {
  readonly subject: string;
  readonly kind: 'key' | 'address';
  /** The key's project, with which its counters are deleted; null for an address. */
  readonly project_id: string | null;
}

/** A caller's counters, and the database's clock in milliseconds since the epoch. */
export interface WindowRow {
  subject: string;
  counters: Buffer;
  now_ms: number;
}

export interface ChangedWindow extends RateLimitSubject {
  readonly counters: Buffer;
  readonly updated_at: number;
}

interface Listed {
  list: string[];
}

/** The rows of a list of keys or subjects; an empty one costs nothing. */
export async function readListed<Row>(
  executor: Executor,
  statement: Statement<Listed, Row>,
  listed: Iterable<string>,
): Promise<Row[]> {
  const list = [...listed];
  return list.length === 0 ? [] : executor.all(statement, { list });
}

type KeyRow = PrincipalRow & { key_hash: string };

const keyColumns =
  'key_hash, api_keys.id, api_keys.project_id, role, max_requests_per_minute, max_requests_per_day, payer';

/** An expired key counts as unknown. */
const hasNotEnded = (now: unknown) => `(expires_at is null or expires_at > ${now})`;

/** The keys with these hashes and their counters. In one order, so that two servers never wait for each other's rows. */
export const lockWindowsOfKeys = defineSql<Listed, KeyRow & WindowRow>(
  ({ anyOf, lock, nowMs }) => `select ${keyColumns}, subject, counters, ${nowMs()} as now_ms from api_keys
  join project_quotas on project_quotas.project_id = api_keys.project_id
  join rate_limit_windows on subject = cast(api_keys.id as text)
  where ${anyOf('key_hash', 'list')} and ${hasNotEnded(nowMs())} order by subject ${lock('rate_limit_windows')}`,
);

export const findKeys = defineSql<Listed, KeyRow>(
  ({ anyOf, nowMs }) => `select ${keyColumns} from api_keys
  join project_quotas on project_quotas.project_id = api_keys.project_id
  where ${anyOf('key_hash', 'list')} and ${hasNotEnded(nowMs())}`,
);

export const lockWindows = defineSql<Listed, WindowRow>(
  ({ anyOf, lock, nowMs }) => `select subject, counters, ${nowMs()} as now_ms from rate_limit_windows
  where ${anyOf('subject', 'list')} order by subject ${lock('rate_limit_windows')}`,
);

export const readClock = defineSql<NoParams, { now_ms: number }>(
  ({ nowMs }) => `select ${nowMs()} as now_ms`,
);

/** Creates the row of a caller without one. Errors: its project is gone. */
export const createWindow = defineInsert<Omit<ChangedWindow, 'updated_at'>>('rate_limit_windows', {
  computed: ({ nowMs }) => ({ updated_at: nowMs() }),
  end: 'on conflict (subject) do nothing',
});

/** Replaces counters of rows that are locked; at the latest with the commit. */
export const writeWindows = defineInserts(
  'rate_limit_windows',
  ['subject', 'kind', 'project_id', 'counters', 'updated_at'],
  'on conflict (subject) do update set counters = excluded.counters, updated_at = excluded.updated_at',
);
