// Creates, recognises, lists and revokes keys. docs/specification.md §1, §3, §9.

import { type ApiKey, parseMoment, type Role, type WebhookEventData } from '@envsnap/shared';
import type { Recording } from '../audit/service.ts';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import { apiKeyPrefixOf, generateApiKey, hashApiKey } from '../infra/crypto/api-key.ts';
import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, ofExisting } from '../infra/db/project-quotas.ts';
import type { Principal } from '../infra/http/request-context.ts';
import * as rows from './repository.ts';

/** Message for a key that its creator keeps. docs/specification.md §3. */
export const storeKeyMessage = 'Store this API key securely; it will not be shown again.';

type NewKey = {
  readonly projectId: string;
  readonly role: Role;
  readonly label: string | null;
  /** Id of the key that requested it; null for a project's first owner, to whom no quota applies. */
  readonly invitedBy: string | null;
  /** A moment in ISO 8601; null or absent for a key that does not expire. */
  readonly expiresAt?: string | null | undefined;
};

/** How long before its expiry a key is announced, in milliseconds. A key with a shorter life is not announced. */
const announcedBeforeMs = 7 * 24 * 3_600_000;
const announcedAtOnce = 100;

/** A new key in clear text, which is shown only now. */
export interface IssuedKey {
  readonly apiKeyId: string;
  readonly apiKey: string;
  readonly memberId: string;
  readonly expiresAt: string | null;
}

interface ApiKeyServiceDeps extends Recording {
  /** Writes the requests that the recorder still holds, so that `lastUsedAt` is current. */
  readonly flushLog: () => Promise<void>;
  /** Notifies the webhooks that a member is gone; part of the transaction. */
  readonly memberRemoved: (
    projectId: string,
    member: { memberId: string; apiKeyId: string },
  ) => Promise<void>;
  /** Notifies the webhooks that a key expires soon; part of the transaction. */
  readonly keyExpiring: (projectId: string, key: WebhookEventData['key.expiring']) => Promise<void>;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

export function createApiKeyService(
  executor: Executor,
  { clock, newId, audit, flushLog, memberRemoved, keyExpiring }: ApiKeyServiceDeps,
) {
  async function checkQuota(projectId: string): Promise<void> {
    const { max_api_keys: max } = ofExisting(await executor.get(lockQuotas, { projectId }));
    const keys = await executor.get(rows.countKeys, { projectId });
    if (keys && keys.total < max) return;
    throw new AppError('key_quota_exceeded', `API key quota exceeded (max ${max})`);
  }

  /** Creates a key with its membership; the caller writes the audit entry. */
  async function issue(key: NewKey): Promise<IssuedKey> {
    const nowMs = clock.nowMs();
    const expiresAtMs = key.expiresAt ? (parseMoment(key.expiresAt) as number) : null;
    if (expiresAtMs !== null && expiresAtMs <= nowMs) {
      const details = [{ path: 'expiresAt', message: 'must be in the future' }];
      throw new AppError('validation_failed', 'Invalid body: expiresAt must be in the future', details);
    }
    if (key.role !== 'owner') await checkQuota(key.projectId);
    const apiKey = generateApiKey();
    const expiresAt = expiresAtMs === null ? null : toTimestamp(expiresAtMs);
    const issued = { apiKeyId: newId(), apiKey, memberId: newId(), expiresAt };
    await executor.run(rows.insertKey, {
      id: issued.apiKeyId,
      project_id: key.projectId,
      key_hash: hashApiKey(apiKey),
      prefix: apiKeyPrefixOf(apiKey),
      label: key.label,
      role: key.role,
      created_at: nowMs,
      expires_at: expiresAtMs,
    });
    await executor.run(rows.insertMembership, {
      id: issued.memberId,
      project_id: key.projectId,
      api_key_id: issued.apiKeyId,
      invited_by: key.invitedBy,
      joined_at: nowMs,
    });
    return issued;
  }

  return {
    /**
     * Creates a key for an owner or a member; the caller writes the audit entry. Errors: `key_quota_exceeded`,
     * `validation_failed` for an expiry in the past.
     */
    issue,

    /** Creates a key for the caller. Call it in a transaction. Errors: those of `issue`. */
    async create(key: NewKey): Promise<IssuedKey> {
      const issued = await issue(key);
      audit.record(
        key.projectId,
        'key.created',
        { type: 'key', id: issued.apiKeyId, name: key.label },
        {
          role: key.role,
          ...(issued.expiresAt !== null && { expiresAt: issued.expiresAt }),
        },
      );
      return issued;
    },

    async list(projectId: string): Promise<ApiKey[]> {
      await flushLog();
      return (await executor.all(rows.listKeys, { projectId })).map((row) => ({
        ...toAnswer(row),
        apiKeyId: row.id,
      }));
    },

    async current(principal: Principal) {
      await flushLog();
      const row = ofExisting(await executor.get(rows.findCurrent, { id: principal.apiKeyId }));
      return { ...toAnswer(row), apiKeyId: row.id };
    },

    /** Checks that a key is still valid. Errors: `api_key_not_found`. */
    async confirm(apiKey: string): Promise<void> {
      if (await executor.get(rows.findValidByHash, { value: hashApiKey(apiKey), nowMs: clock.nowMs() }))
        return;
      throw new AppError('api_key_not_found', 'The key has been revoked or replaced, or has expired');
    },

    /** Announces some keys that expire within a week, each once, and returns their number. Call it in a transaction. */
    async announceExpiring(): Promise<number> {
      const nowMs = clock.nowMs();
      const keys = await executor.all(rows.claimExpiring, {
        nowMs,
        beforeMs: nowMs + announcedBeforeMs,
        minLifeMs: announcedBeforeMs,
        limit: announcedAtOnce,
      });
      for (const { id, project_id, label, role, expires_at } of keys) {
        const expiresAt = toTimestamp(expires_at);
        await keyExpiring(project_id, { apiKeyId: id, label, role, expiresAt });
      }
      return keys.length;
    },

    /** Removes the key of a member; the caller writes the audit entry. */
    remove: (id: string) => rows.removeKey(executor, id, clock.nowMs()),

    /** Revokes a key of the project and removes its membership, and notifies the webhooks. An operator calls without a key. */
    async revoke(
      caller: { readonly projectId: string; readonly apiKeyId?: string },
      id: string,
    ): Promise<void> {
      const { projectId, apiKeyId } = caller;
      if (id === apiKeyId) throw new AppError('own_key_protected', 'Cannot revoke your own API key');
      const row = await executor.get(rows.findKey, { id, projectId });
      if (!row) throw new AppError('api_key_not_found', 'API key not found');
      if (row.role === 'owner')
        throw new AppError('owner_protected', "Cannot revoke the project owner's API key");
      const memberId = (await executor.get(rows.findMemberId, { apiKeyId: id }))?.id;
      await rows.removeKey(executor, id, clock.nowMs());
      audit.record(
        projectId,
        'key.revoked',
        { type: 'key', id, name: row.label },
        { role: row.role, memberId: memberId ?? null },
      );
      if (memberId) await memberRemoved(projectId, { memberId, apiKeyId: id });
    },
  };
}

export function toPrincipal(row: rows.PrincipalRow): Principal {
  return {
    apiKeyId: row.id,
    projectId: row.project_id,
    role: row.role,
    maxRequestsPerMinute: row.max_requests_per_minute,
    maxRequestsPerDay: row.max_requests_per_day,
    payer: row.payer ?? row.project_id,
  };
}
