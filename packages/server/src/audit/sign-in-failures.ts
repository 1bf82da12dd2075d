// Records calls with revoked or expired keys, and with wrong bootstrap tokens: at most one entry an hour for each key or address.
// A key that never existed belongs to no project, so only the request log has such calls.

import { isWellFormedApiKey } from '@envsnap/shared';
import { toTimestamp } from '../infra/clock.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import { defineSql } from '../infra/db/statement.ts';
import type { RequestOrigin } from '../infra/http/request-context.ts';
import { type AuditingDeps, createAuditLog } from './service.ts';

/** Time between two entries of one key, in milliseconds. */
const intervalMs = 3_600_000;

/** Keeps a record of a key, for calls with it once it is no longer valid. */
export const rememberKey = defineSql<{ id: string; endedAtMs: number }>(
  `insert into revoked_keys (key_hash, project_id, api_key_id, label, revoked_at)
  select key_hash, project_id, id, label, cast(:endedAtMs as bigint) from api_keys where id = :id
  on conflict (key_hash) do update set revoked_at = excluded.revoked_at`,
);

const findRemembered = defineSql<{ keyHash: string }, { last_failure_at: number | null }>(
  'select last_failure_at from revoked_keys where key_hash = :keyHash',
);

/** A key that exists but is not recognised has expired. */
const findExpired = defineSql<{ keyHash: string }, { id: string; expires_at: number }>(
  'select id, expires_at from api_keys where key_hash = :keyHash and expires_at is not null',
);

interface FormerKeyRow {
  project_id: string;
  api_key_id: string;
  label: string | null;
  revoked_at: number;
}

/** The key, unless it has a newer entry. */
const claimEntry = defineSql<{ keyHash: string; beforeMs: number; nowMs: number }, FormerKeyRow>(
  `update revoked_keys set last_failure_at = :nowMs
  where key_hash = :keyHash and (last_failure_at is null or last_failure_at <= :beforeMs)
  returning project_id, api_key_id, label, revoked_at`,
);

/** Notes a call with an invalid key, and returns whether the key has expired. Never rejects. */
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
          // One of several simultaneous callers writes the entry.
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

/** Limit on addresses with an entry for a wrong token in the last hour; further ones get none until the hour is over. */
const mostAddresses = 100;

/** Notes a call with a wrong bootstrap token. Never throws. */
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
