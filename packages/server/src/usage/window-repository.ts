// Rows of rate-limit counters, one a caller, and who the callers' keys stand for.

import type { PrincipalRow } from '../api-keys/repository.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineInserts } from '../infra/db/row-inserts.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** Whose requests are counted together. */
export interface RateLimitSubject {
  /** A key's id, or the address of a caller without a valid key. */
  readonly id: string;
  readonly kind: 'key' | 'address';
  /** The key's project, with which its counters are deleted; null for an address. */
  readonly projectId: string | null;
}

/** A caller's counters, and the database's clock in milliseconds since the epoch. */
export interface WindowRow {
  subject: string;
  counters: Buffer;
  now_ms: number;
}

/** Counters to be stored, and when they were changed. */
export interface ChangedWindow {
  readonly subject: RateLimitSubject;
  readonly counters: Buffer;
  readonly nowMs: number;
}

type KeyRow = PrincipalRow & { key_hash: string };

const keyColumns =
  'key_hash, api_keys.id, api_keys.project_id, role, max_requests_per_minute, max_requests_per_day';

/** A key that has ended is as good as none. */
const hasNotEnded = '(expires_at is null or expires_at > ?)';

// Rows are locked in one order, so that two servers never wait for each other's.
const lockWindowsOfKeys = defineStatement<{ keyHashes: string[] }, KeyRow & WindowRow>((qb, p, dialect) =>
  qb.raw(
    `select ${keyColumns}, subject, counters, ? as now_ms from api_keys
    join project_quotas on project_quotas.project_id = api_keys.project_id
    join rate_limit_windows on subject = cast(api_keys.id as text)
    where ? and ${hasNotEnded} order by subject ${dialect.lockTables([{ table: 'rate_limit_windows', against: 'everything' }])}`,
    [dialect.nowMs(), dialect.anyOf('key_hash', p.keyHashes), dialect.nowMs()],
  ),
);

const findKeys = defineStatement<{ keyHashes: string[] }, KeyRow>((qb, p, dialect) =>
  qb.raw(
    `select ${keyColumns} from api_keys
    join project_quotas on project_quotas.project_id = api_keys.project_id where ? and ${hasNotEnded}`,
    [dialect.anyOf('key_hash', p.keyHashes), dialect.nowMs()],
  ),
);

const lockWindows = defineStatement<{ subjects: string[] }, WindowRow>((qb, p, dialect) =>
  dialect.lockRows(
    qb('rate_limit_windows')
      .select('subject', 'counters', qb.raw('? as now_ms', [dialect.nowMs()]))
      .where(dialect.anyOf('subject', p.subjects))
      .orderBy('subject'),
  ),
);

const readClock = defineStatement<Record<never, never>, { now_ms: number }>((qb, _p, dialect) =>
  qb.select(qb.raw('? as now_ms', [dialect.nowMs()])),
);

const createWindow = defineStatement<{
  subject: string;
  kind: string;
  projectId: string | null;
  counters: Buffer;
}>((qb, p, dialect) =>
  qb('rate_limit_windows')
    .insert({
      subject: p.subject,
      kind: p.kind,
      project_id: p.projectId,
      counters: p.counters,
      updated_at: dialect.nowMs(),
    })
    .onConflict('subject')
    .ignore(),
);

const writeWindows = defineInserts(
  'rate_limit_windows',
  ['subject', 'kind', 'project_id', 'counters', 'updated_at'],
  (query) => query.onConflict('subject').merge(['counters', 'updated_at']),
);

/** Queries of counters. In a transaction, rows that are read stay locked until its end. */
export function createWindowRepository(executor: Executor) {
  return {
    /** The keys of these hashes that have counters, with them. */
    lockOfKeys: async (keyHashes: string[]) =>
      keyHashes.length === 0 ? [] : executor.all(lockWindowsOfKeys, { keyHashes }),
    /** The keys of these hashes. */
    findKeys: async (keyHashes: string[]) =>
      keyHashes.length === 0 ? [] : executor.all(findKeys, { keyHashes }),
    /** The counters of these subjects that have some. */
    lock: async (subjects: string[]) =>
      subjects.length === 0 ? [] : executor.all(lockWindows, { subjects }),
    nowMs: async () => (await executor.get(readClock))?.now_ms ?? 0,
    /** Makes the row of a caller who has none. Errors: that its project is gone. */
    create: ({ id, kind, projectId }: RateLimitSubject, counters: Buffer) =>
      executor.run(createWindow, { subject: id, kind, projectId, counters }),
    /** Replaces counters of rows that are locked; at the latest with the commit. */
    write: (windows: readonly ChangedWindow[]) =>
      writeWindows(
        executor,
        windows.map(({ subject: { id, kind, projectId }, counters, nowMs }) => ({
          ...{ subject: id, kind, project_id: projectId },
          ...{ counters, updated_at: nowMs },
        })),
      ),
  };
}
