// Sessions of the console: somebody signs in once, with a key or a link, and the browser keeps a token in place of the key. A
// session may do what its key may do at that moment. docs/specification.md §18.

import type { ConsoleSession } from '@envsnap/console';
import type { operations, ResponseOf } from '@envsnap/shared';
import { findValidByHash, findValidById, type ValidKeyRow } from '../api-keys/repository.ts';
import { createAuditLog, type Recording } from '../audit/service.ts';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import { generateToken, hashToken } from '../infra/crypto/api-key.ts';
import type { Executor } from '../infra/db/database.ts';
import type { Principal, RequestOrigin } from '../infra/http/request-context.ts';
import type { IdGenerator } from '../infra/ids.ts';
import * as rows from './session-repository.ts';

/** Idle time and age after which a session ends, in milliseconds. */
const idleMs = 12 * 3_600_000;
export const sessionLifeMs = 7 * 24 * 3_600_000;
const sessionsPerKey = 20;
/** Precision of the time of last use, in milliseconds. */
const touchedMs = 60_000;
const linkMs = 60_000;

interface SessionDeps extends Recording {
  readonly newEventId: IdGenerator;
}

export function createSessionService(executor: Executor, { clock, newId, newEventId, audit }: SessionDeps) {
  const alive = () => ({ nowMs: clock.nowMs(), idleSinceMs: clock.nowMs() - idleMs });

  /** Opens a session and returns its token; undefined if the key was revoked or expired in the meantime. */
  async function open(key: ValidKeyRow, origin: RequestOrigin): Promise<string | undefined> {
    const nowMs = clock.nowMs();
    if (!(await executor.get(rows.lockKey, { id: key.id }))) return undefined;
    const older = await executor.all(rows.listIdsOfKey, { apiKeyId: key.id });
    for (const { id } of older.slice(sessionsPerKey - 1))
      await executor.run(rows.deleteSession, { projectId: key.project_id, id });
    const id = newId();
    const token = generateToken();
    await executor.run(rows.insertSession, {
      id,
      token_hash: hashToken(token) as string,
      project_id: key.project_id,
      api_key_id: key.id,
      created_at: nowMs,
      last_used_at: nowMs,
      expires_at: nowMs + sessionLifeMs,
    });
    createAuditLog(executor, {
      clock,
      newId: newEventId,
      origin: { type: 'request', apiKeyId: key.id, ...origin },
    }).record(key.project_id, 'session.opened', { type: 'session', id, name: key.label });
    return token;
  }

  return {
    /**
     * Signs in with a key, by its hash, and returns the token of a new session; undefined if there is no such key. In a
     * transaction.
     */
    async signIn(keyHash: string, origin: RequestOrigin): Promise<string | undefined> {
      const key = await executor.get(findValidByHash, { value: keyHash, nowMs: clock.nowMs() });
      return key && open(key, origin);
    },

    /** Signs in with a link, which can be used once. Undefined if it has expired or was used. Call it in a transaction. */
    async followLink(
      token: string,
      origin: RequestOrigin,
    ): Promise<{ readonly token: string; readonly page: string } | undefined> {
      const tokenHash = hashToken(token);
      if (tokenHash === undefined) return undefined;
      const link = await executor.get(rows.takeLink, { tokenHash });
      const nowMs = clock.nowMs();
      if (!link || link.expires_at <= nowMs) return undefined;
      const key = await executor.get(findValidById, { value: link.api_key_id, nowMs });
      const session = key && (await open(key, origin));
      return session === undefined ? undefined : { token: session, page: link.page };
    },

    /** Creates a link that signs in once, with the caller's key. Call it in a transaction. */
    async createLink(
      { projectId, apiKeyId }: Principal,
      page: string,
      consoleUrl: string,
    ): Promise<ResponseOf<typeof operations.createConsoleLink>> {
      const token = generateToken();
      const expiresAtMs = clock.nowMs() + linkMs;
      await executor.run(rows.insertLink, {
        token_hash: hashToken(token) as string,
        project_id: projectId,
        api_key_id: apiKeyId,
        page,
        expires_at: expiresAtMs,
      });
      return { url: `${consoleUrl}/sign-in?link=${token}`, expiresAt: toTimestamp(expiresAtMs) };
    },

    async confirmLink(url: string): Promise<void> {
      const tokenHash = hashToken(new URL(url).searchParams.get('link') ?? '');
      if (tokenHash && (await executor.get(rows.findLink, { tokenHash, nowMs: clock.nowMs() }))) return;
      throw new AppError('console_link_not_found', 'The link has expired, or was already used');
    },

    /** Ends the session that a browser had before it signed in again. Call it in a transaction. */
    async replace(token: string | undefined): Promise<void> {
      const tokenHash = token === undefined ? undefined : hashToken(token);
      const before = tokenHash && (await executor.get(rows.findByToken, { tokenHash, ...alive() }));
      if (before) await executor.run(rows.deleteSession, { projectId: before.project_id, id: before.id });
    },

    async find(token: string): Promise<rows.SessionKeyRow | undefined> {
      const tokenHash = hashToken(token);
      if (tokenHash === undefined) return undefined;
      const session = await executor.get(rows.findByToken, { tokenHash, ...alive() });
      const nowMs = clock.nowMs();
      // If nothing can be written, such as on a full disk, pages can still be read.
      if (session && nowMs - session.last_used_at >= touchedMs)
        await executor.run(rows.touchSession, { id: session.id, nowMs }).catch(() => undefined);
      return session;
    },

    /** A part of the sessions of a project, or of one of its keys, newest first, and how many there are. */
    async list(
      request: rows.SessionListRequest,
      currentId: string,
    ): Promise<{ readonly sessions: ConsoleSession[]; readonly total: number }> {
      const found = await executor.all(rows.listSessions, { ...request, ...alive() });
      const sessions = found.map(({ total: _, ...row }) => ({
        ...toAnswer(row),
        current: row.id === currentId,
      }));
      return { sessions, total: found[0]?.total ?? 0 };
    },

    async end(projectId: string, id: string, apiKeyId?: string): Promise<void> {
      const session = await executor.get(rows.findToEnd, { projectId, id });
      const isTheirs = session && (apiKeyId ?? session.api_key_id) === session.api_key_id;
      if (!isTheirs || (await executor.run(rows.deleteSession, { projectId, id })) === 0)
        throw new AppError('session_not_found', 'Session not found');
      audit.record(projectId, 'session.ended', { type: 'session', id, name: session.label });
    },
  };
}
