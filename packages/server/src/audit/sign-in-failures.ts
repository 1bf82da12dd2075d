// Records calls with keys that have been revoked or have expired, and with wrong bootstrap tokens. A key that nobody ever had names no
// project, so only the request log knows of those. However many calls come, a key or an address has one entry an hour at the most.

import { isWellFormedApiKey } from '@envsnap/shared';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import { defineSql } from '../infra/db/statement.ts';
import type { RequestOrigin } from '../infra/http/request-context.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import { type AuditingDeps, createAuditLog } from './service.ts';

/** Time between two entries of one key, in milliseconds. */
const intervalMs = 3_600_000;

/** Keeps what a key was, for those who call with it when it opens nothing any more. */
export const rememberKey = defineSql<{ id: string; endedAtMs: number }>(
  `insert into revoked_keys (key_hash, project_id, api_key_id, label, revoked_at)
  select key_hash, project_id, id, label, cast(:endedAtMs as bigint) from api_keys where id = :id
  on conflict (key_hash) do update set revoked_at = excluded.revoked_at`,
);

const findRemembered = defineSql<{ keyHash: string }, { last_failure_at: number | null }>(
  'select last_failure_at from revoked_keys where key_hash = :keyHash',
);

/** A key that is still there and yet is not recognised has ended. */
const findExpired = defineSql<{ keyHash: string }, { id: string; expires_at: number }>(
  'select id, expires_at from api_keys where key_hash = :keyHash and expires_at is not null',
);

interface FormerKeyRow {
  project_id: string;
  api_key_id: string;
  label: string | null;
  revoked_at: number;
}

/** The key, unless it has an entry that is younger. */
const claimEntry = defineSql<{ keyHash: string; beforeMs: number; nowMs: number }, FormerKeyRow>(
  `update revoked_keys set last_failure_at = :nowMs
  where key_hash = :keyHash and (last_failure_at is null or last_failure_at <= :beforeMs)
  returning project_id, api_key_id, label, revoked_at`,
);

/** Takes note of a call with a key that is none or none any more, and says whether its time is over. Never rejects. */
type NoteUnknownKey = (apiKey: string, request: RequestOrigin) => Promise<'unknown' | 'expired'>;

interface RefusalDeps extends AuditingDeps {
  /** Counts every refusal, also those without an entry. */
  readonly countRefusal: (reason: 'unknown' | 'expired' | 'bootstrap_token') => void;
}

export function createNoteUnknownKey({ countRefusal, ...deps }: RefusalDeps): NoteUnknownKey {
  const note = createNote(deps);
  return async (apiKey, request) => {
    const reason = await note(apiKey, request);
    countRefusal(reason);
    return reason;
  };
}

function createNote({ database, clock, newId, logger }: AuditingDeps): NoteUnknownKey {
  return async (apiKey, request) => {
    if (!isWellFormedApiKey(apiKey)) return 'unknown';
    const keyHash = hashApiKey(apiKey);
    const nowMs = clock.nowMs();
    const beforeMs = nowMs - intervalMs;
    let expired: { readonly id: string; readonly expires_at: number } | undefined;
    try {
      const [ended, remembered] = await Promise.all([
        database.get(findExpired, { keyHash }),
        database.get(findRemembered, { keyHash }),
      ]);
      expired = ended;
      if (!(expired || remembered) || (remembered?.last_failure_at ?? 0) > beforeMs) return reasonOf(expired);
      await database.transact(
        async (executor) => {
          if (ended && !remembered)
            await executor.run(rememberKey, { id: ended.id, endedAtMs: ended.expires_at });
          // Of callers at the same time, one writes.
          const key = await executor.get(claimEntry, { keyHash, beforeMs, nowMs });
          if (!key) return;
          const at = toTimestamp(key.revoked_at);
          const origin = { type: 'request', apiKeyId: undefined, ...request } as const;
          createAuditLog(executor, { clock, newId, origin }).record(
            key.project_id,
            'sign_in.failed',
            { type: 'key', id: key.api_key_id, name: key.label },
            ended ? { reason: 'expired', expiredAt: at } : { reason: 'revoked', revokedAt: at },
          );
        },
        { durability: 'process' },
      );
    } catch (error) {
      logger.warn({ err: error, requestId: request.requestId }, 'a failed sign-in could not be recorded');
    }
    return reasonOf(expired);
  };
}

function reasonOf(expired: object | undefined) {
  return expired ? 'expired' : 'unknown';
}

/** Addresses of the last hour that have an entry for a wrong token; further ones have none until an hour is over. */
const mostAddresses = 100;

/** Takes note of a call with a wrong bootstrap token. Never throws. */
export type NoteWrongToken = (request: RequestOrigin) => void;

export function createNoteWrongToken(deps: RefusalDeps): NoteWrongToken {
  const { database, clock, newId, logger } = deps;
  const notedMs = new Map<string, number>();
  return (request) => {
    deps.countRefusal('bootstrap_token');
    const { clientAddress } = request;
    const nowMs = clock.nowMs();
    for (const [address, atMs] of notedMs) if (nowMs - atMs >= intervalMs) notedMs.delete(address);
    if (notedMs.has(clientAddress) || notedMs.size >= mostAddresses) return;
    notedMs.set(clientAddress, nowMs);
    const origin = { type: 'request', apiKeyId: undefined, ...request } as const;
    const writing = database.transact(async (executor) => {
      const log = createAuditLog(executor, { clock, newId, origin });
      log.record(null, 'bootstrap.refused', { type: 'server' }, { reason: 'wrong_token' });
    });
    writing.catch((error: unknown) => {
      notedMs.delete(clientAddress);
      logger.warn(
        { err: error, requestId: request.requestId },
        'a wrong bootstrap token could not be recorded',
      );
    });
  };
}
