// `envsnap-server audit`: the audit log of a project, of all, or the server's own, with entries that belong to no project.

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseMoment } from '@envsnap/shared';
import { auditActionNames } from '@envsnap/shared/catalogue/audit-actions';
import { jsonText } from '@envsnap/shared/text/visible';
import { type AuditFilter, type AuditRow, narrowed } from '../audit/repository.ts';
import { toAuditEntry } from '../audit/service.ts';
import { AppError, StartupError } from '../infra/app-error.ts';
import type { Database } from '../infra/db/database.ts';
import { readDatabaseClock } from '../infra/db/database-clock.ts';
import { newestFirst } from '../infra/list-parts.ts';
import {
  loadOperatorConfig,
  type OperatorFlags,
  parseNumber,
  parseProjectId,
  withDatabase,
} from './operator-session.ts';
import { columns, print, warn } from './print.ts';

const defaultLimit = 100;
/** How often new entries are looked for, in milliseconds. */
const followEveryMs = 1000;
/** How long after its time an entry may become visible, because of long transactions and different clocks. */
const lateMs = 60_000;
const followedAtOnce = 500;

/** Which entries; those of all projects and of the server without a `projectId`. */
type OperatorFilter = Omit<AuditFilter, 'projectId'> & { readonly projectId?: string | null };

interface AuditFlags extends OperatorFlags {
  all?: boolean;
  action?: string;
  from?: string;
  to?: string;
  limit?: string;
  follow?: boolean;
}

/** Prints the newest entries, or with `--follow` new ones until it is stopped. Errors: StartupError. */
export async function runAudit(projectId: string | undefined, flags: AuditFlags): Promise<void> {
  const { all, action, from, to, follow } = flags;
  if (all && projectId !== undefined) throw new StartupError('give a PROJECT_ID or --all, not both');
  if (follow && (to !== undefined || flags.limit !== undefined)) {
    throw new StartupError('--follow cannot be combined with --to or --limit');
  }
  if (action !== undefined && !auditActionNames.some((name) => name === action)) {
    throw new StartupError(`--action must be one of ${auditActionNames.join(', ')}`);
  }
  const limit = flags.limit === undefined ? defaultLimit : parseNumber('--limit', flags.limit, 1, 9_999_999);
  const filter: OperatorFilter = {
    ...(!all && { projectId: projectId === undefined ? null : parseProjectId(projectId) }),
    action,
    fromMs: momentOf('--from', from),
    toMs: momentOf('--to', to),
  };
  await withDatabase(loadOperatorConfig(flags), (database) =>
    follow ? followEntries(database, filter) : printNewest(database, filter, limit, flags),
  );
}

function momentOf(flag: string, text: string | undefined): number | undefined {
  const moment = text === undefined ? undefined : parseMoment(text);
  if (text === undefined || moment !== undefined) return moment;
  throw new StartupError(`${flag} must be a date or time such as 2026-02-01 or 2026-02-01T08:00:00Z`);
}

function select({ dialect }: Database, { projectId, ...filter }: OperatorFilter) {
  const query = narrowed(dialect.builder('audit_log'), filter);
  return projectId === undefined ? query : query.where('project_id', projectId);
}

async function printNewest(database: Database, filter: OperatorFilter, limit: number, flags: AuditFlags) {
  // Ids grow with time; only the entries of one project have an index by it.
  const order = flags.all ? [{ column: 'id', order: 'desc' }] : newestFirst;
  const found = await database.all<AuditRow>(
    select(database, filter).select('*').orderBy(order).limit(limit),
  );
  const counted = await database.get<{ total: number }>(select(database, filter).count({ total: '*' }));
  const entries = found.map(describe);
  const rows = entries.map(({ createdAt, actor, action, target, details, projectId }) => [
    createdAt,
    ...(flags.all ? [projectId ?? '-'] : []),
    actor.type === 'key'
      ? `${actor.label ?? actor.apiKeyId} (${actor.role})`
      : `${actor.type} ${actor.label ?? ''}`,
    action,
    target.name ?? target.id ?? target.type,
    JSON.stringify(details),
  ]);
  const head = ['when', ...(flags.all ? ['project'] : []), 'who', 'action', 'target', 'details'];
  print(flags, { entries, total: Number(counted?.total) }, columns([head, ...rows]));
  if (found.length === 0 && !flags.all) warn('No entries. Use --all to include those of every project.');
}

/** Each entry with its project; null if it concerns the server. */
function describe(row: AuditRow) {
  return { ...toAuditEntry(row), projectId: row.project_id };
}

/** Prints entries as JSON lines as they arrive, from `fromMs` or from now, until the reader closes the output. */
async function followEntries(database: Database, filter: OperatorFilter): Promise<void> {
  const unread = new AbortController();
  process.stdout.on('error', () => unread.abort());
  const seen = new Set<string>();
  const clock = await readDatabaseClock(database);
  const startMs = filter.fromMs ?? clock.nowMs();
  let place = firstIdAt(startMs);
  /** Undefined until the first look without `fromMs`. */
  let isAway = filter.fromMs === undefined ? undefined : false;
  while (!unread.signal.aborted) {
    const lookAgainFrom = firstIdAt(Math.max(startMs, clock.nowMs() - lateMs));
    try {
      for (let page: AuditRow[] | undefined; page === undefined || page.length === followedAtOnce; ) {
        const query = select(database, filter).where('id', '>', place).select('*').orderBy('id');
        page = await database.all<AuditRow>(query.limit(followedAtOnce));
        for (const row of page) {
          place = row.id;
          if (!seen.has(row.id)) await printLine(jsonText(describe(row), 0), unread.signal);
          if (row.id > lookAgainFrom) seen.add(row.id);
        }
      }
      if (isAway !== false) warn('Waiting for new entries; Ctrl-C stops.');
      isAway = false;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'database_unavailable')) throw error;
      if (!isAway) warn('The database cannot be reached; entries follow once it can.');
      isAway = true;
    }
    if (place > lookAgainFrom) place = lookAgainFrom;
    for (const id of seen) if (id <= place) seen.delete(id);
    await pause(followEveryMs, undefined, { signal: unread.signal }).catch(() => undefined);
  }
}

async function printLine(line: string, unread: AbortSignal): Promise<void> {
  if (unread.aborted || process.stdout.write(`${line}\n`)) return;
  await once(process.stdout, 'drain', { signal: unread }).catch(() => undefined);
}

/** The smallest possible id of an entry at that moment: ids are UUIDs of version 7. */
function firstIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
