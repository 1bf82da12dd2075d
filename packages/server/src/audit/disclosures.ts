// Records reads of sensitive data: values of variables, files, the fingerprint key. Each server writes at most one entry an hour
// for each key and thing.

import type { AuditAction } from '@envsnap/shared/catalogue/audit-actions';
import type { Request } from 'express';
import { contextOf } from '../infra/http/request-context.ts';
import { type AuditingDeps, type AuditTarget, createAuditLog, originOf } from './service.ts';

/** Time between two entries of one key about one thing, in milliseconds. */
const intervalMs = 3_600_000;
/** Entries of the last hour to remember. Beyond them the oldest are forgotten, and may be written again. */
const mostRemembered = 10_000;

interface Disclosure {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Disclosures that get an entry each time, not once an hour. */
  readonly every?: true;
}

/** Records a disclosure. Never rejects: if the database cannot take the entry, reads continue and the log says so. */
export type NoteDisclosure = (request: Request, disclosure: Disclosure) => Promise<void>;

export function createNoteDisclosure({ database, clock, newId, logger }: AuditingDeps): NoteDisclosure {
  const notedMs = new Map<string, number>();

  return async (request, { action, target, every }) => {
    const { principal, requestId } = contextOf(request);
    if (!principal) return;
    const subject = [principal.apiKeyId, action, target.id].join(' ');
    const nowMs = clock.nowMs();
    if (!every && nowMs - (notedMs.get(subject) ?? 0) < intervalMs) return;
    remember(subject, nowMs);
    try {
      await database.transact(
        async (executor) => {
          const log = createAuditLog(executor, { clock, newId, origin: originOf(request) });
          log.record(principal.projectId, action, target);
        },
        { durability: 'process' },
      );
    } catch (error) {
      notedMs.delete(subject);
      logger.warn({ err: error, requestId, action }, 'a disclosure could not be recorded');
    }
  };

  function remember(subject: string, nowMs: number): void {
    // The newest are last.
    notedMs.delete(subject);
    notedMs.set(subject, nowMs);
    if (notedMs.size <= mostRemembered) return;
    const [oldest] = notedMs.keys();
    if (oldest !== undefined) notedMs.delete(oldest);
  }
}
