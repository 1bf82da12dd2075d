// Finds who a key stands for and the row of its counters, in one query: every request asks this.

import { isWellFormedApiKey } from '@envsnap/shared';
import { findPrincipal, type PrincipalRow } from '../api-keys/repository.ts';
import { toPrincipal } from '../api-keys/service.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import type { Executor } from '../infra/db/database.ts';
import {
  defineLookup,
  defineStatement,
  type Statement,
  type StatementBuilder,
} from '../infra/db/statement.ts';
import type { Principal } from '../infra/http/request-context.ts';
import type { WindowRow } from './rate-limiter.ts';

/** A caller; its counters are undefined before its first request. */
export interface FoundCaller {
  readonly principal: Principal;
  readonly window: WindowRow | undefined;
}

type FindCaller = Statement<{ keyHash: string }, PrincipalRow & WindowRow>;

const withWindow =
  (lock: boolean): StatementBuilder<{ keyHash: string }> =>
  (qb, p, dialect) =>
    qb.raw(
      'select api_keys.id, api_keys.project_id, role, max_requests_per_minute, max_requests_per_day, counters, ' +
        '? as now_ms from api_keys join project_quotas on project_quotas.project_id = api_keys.project_id ' +
        'join rate_limit_windows on subject = cast(api_keys.id as text) where key_hash = ? ' +
        (lock ? dialect.lockTables([{ table: 'rate_limit_windows', against: 'everything' }]) : ''),
      [dialect.nowMs(), p.keyHash],
    );

const findWithWindow: FindCaller = defineLookup({ keyHash: 'text' }, withWindow(false));
const findAndLockWindow: FindCaller = defineStatement(withWindow(true));

/**
 * Who a key belongs to; undefined when it is malformed, unknown or revoked. Never cached: docs/specification.md §1. With `lock`, its
 * counters stay locked until the end of the transaction that the executor is of.
 */
export async function findCaller(
  executor: Executor,
  apiKey: string,
  { lock }: { lock: boolean },
): Promise<FoundCaller | undefined> {
  if (!isWellFormedApiKey(apiKey)) return undefined;
  const keyHash = hashApiKey(apiKey);
  const row = await executor.get(lock ? findAndLockWindow : findWithWindow, { keyHash });
  if (row) return { principal: toPrincipal(row), window: row };
  const unseen = await findPrincipal(executor, keyHash);
  return unseen && { principal: toPrincipal(unseen), window: undefined };
}
