// Records calls with keys that have been revoked, and with wrong bootstrap tokens. A key that nobody ever had names no
// project, so only the request log knows of those. However many calls come, a key or an address has one entry an hour at the most.

import { isWellFormedApiKey } from '@envsnap/shared';
import type { Clock } from '../infra/clock.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import type { Database } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { RequestOrigin } from '../infra/http/request-context.ts';
import type { IdGenerator } from '../infra/ids.ts';
import type { Logger } from '../infra/logger.ts';
import { createAuditLog } from './service.ts';

/** Time between two entries of one key, in milliseconds. */
const intervalMs = 3_600_000;

interface RevokedKeyRow {
  project_id: string;
  api_key_id: string;
  label: string | null;
  revoked_at: number;
}

const findRevoked = defineStatement<{ keyHash: string; beforeMs: number }, RevokedKeyRow>((qb, p) =>
  qb('revoked_keys')
    .select('project_id', 'api_key_id', 'label', 'revoked_at')
    .where('key_hash', p.keyHash)
    .andWhere((condition) =>
      condition.whereNull('last_failure_at').orWhere('last_failure_at', '<=', p.beforeMs),
    ),
);

/** A key that is still there and yet is not recognised has ended. */
const findExpired = defineStatement<{ keyHash: string }, { id: string }>((qb, p) =>
  qb('api_keys').select('id').where('key_hash', p.keyHash).whereNotNull('expires_at'),
);

const claimEntry = defineStatement<{ keyHash: string; beforeMs: number; nowMs: number }>((qb, p) =>
  qb('revoked_keys')
    .where('key_hash', p.keyHash)
    .andWhere((condition) =>
      condition.whereNull('last_failure_at').orWhere('last_failure_at', '<=', p.beforeMs),
    )
    .update({ last_failure_at: p.nowMs }),
);

export interface SignInFailureDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly logger: Logger;
}

/** Takes note of a call with a key that is none or none any more, and tells whether its time is over. Never rejects. */
export type NoteUnknownKey = (apiKey: string, request: RequestOrigin) => Promise<'unknown' | 'expired'>;

/** Creates the step. */
export function createNoteUnknownKey({ database, clock, newId, logger }: SignInFailureDeps): NoteUnknownKey {
  return async (apiKey, request) => {
    if (!isWellFormedApiKey(apiKey)) return 'unknown';
    const keyHash = hashApiKey(apiKey);
    const nowMs = clock.nowMs();
    const beforeMs = nowMs - intervalMs;
    try {
      const revoked = await database.get(findRevoked, { keyHash, beforeMs });
      if (!revoked) return (await database.get(findExpired, { keyHash })) ? 'expired' : 'unknown';
      await database.transact(
        async (executor) => {
          // Of callers at the same time, one writes.
          if ((await executor.run(claimEntry, { keyHash, beforeMs, nowMs })) === 0) return;
          const origin = { type: 'request', apiKeyId: undefined, ...request } as const;
          createAuditLog(executor, { clock, newId, origin }).record({
            projectId: revoked.project_id,
            action: 'sign_in.failed',
            target: { type: 'key', id: revoked.api_key_id, name: revoked.label },
            details: { reason: 'revoked', revokedAt: new Date(revoked.revoked_at).toISOString() },
          });
        },
        { durability: 'process' },
      );
    } catch (error) {
      logger.warn({ err: error, requestId: request.requestId }, 'a failed sign-in could not be recorded');
    }
    return 'unknown';
  };
}

/** Addresses of the last hour that have an entry for a wrong token; further ones have none until an hour is over. */
const mostAddresses = 100;

/** Takes note of a call with a wrong bootstrap token. Never throws. */
export type NoteWrongToken = (request: RequestOrigin) => void;

/** Creates the step. */
export function createNoteWrongToken({ database, clock, newId, logger }: SignInFailureDeps): NoteWrongToken {
  const notedMs = new Map<string, number>();
  return (request) => {
    const { clientAddress } = request;
    const nowMs = clock.nowMs();
    for (const [address, atMs] of notedMs) if (nowMs - atMs >= intervalMs) notedMs.delete(address);
    if (notedMs.has(clientAddress) || notedMs.size >= mostAddresses) return;
    notedMs.set(clientAddress, nowMs);
    const origin = { type: 'request', apiKeyId: undefined, ...request } as const;
    const writing = database.transact(async (executor) => {
      createAuditLog(executor, { clock, newId, origin }).record({
        projectId: null,
        action: 'bootstrap.refused',
        target: { type: 'server' },
        details: { reason: 'wrong_token' },
      });
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
