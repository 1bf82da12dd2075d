// Shares: pages that open without a key, at an address with a token that only the creator of the share knows.
// docs/specification.md §17.

import type { operations, ResponseOf, Share, ShareBody } from '@envsnap/shared';
import { limits } from '@envsnap/shared/catalogue/limits';
import type { Recording } from '../audit/service.ts';
import { AppError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import { generateToken, hashToken } from '../infra/crypto/api-key.ts';
import type { Executor } from '../infra/db/database.ts';
import { lockQuotas, ofExisting } from '../infra/db/project-quotas.ts';
import type { CompressedPage } from '../infra/http/compressed-page.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { peekSnapshot } from '../snapshots/repository.ts';
import type { JobContext, StoredJobs } from '../snapshots/snapshot-rows.ts';
import * as rows from './repository.ts';
import type { makeSharePage } from './share-job.ts';

interface ShareServiceDeps extends Recording {
  readonly jobs: StoredJobs<{ share: typeof makeSharePage }>;
  readonly installHint: string | undefined;
}

type FrozenPage = rows.SharePageRow & {
  readonly kind: rows.ShareRow['kind'];
  readonly snapshots: readonly string[];
  readonly expiresAtMs: number;
};

export function createShareService(executor: Executor, deps: ShareServiceDeps) {
  const { clock, newId, audit, jobs, installHint } = deps;
  return {
    async freeze(body: ShareBody, serverUrl: string, context: JobContext): Promise<FrozenPage> {
      const fields = body.kind === 'snapshot' ? (['snapshotId'] as const) : (['a', 'b'] as const);
      const snapshots = fields.map((field) => body[field] as string);
      const sizes = await Promise.all(snapshots.map((id) => peekSnapshot(executor, context.projectId, id)));
      const details = fields
        .filter((_, place) => sizes[place] === undefined)
        .map((path) => ({ path, message: 'does not exist in this project' }));
      if (details.length > 0) throw new AppError('snapshot_not_found', 'Snapshot not found', details);
      const bytes = sizes.reduce((sum, size) => sum + (size?.bytes ?? 0), 0);
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + body.expiresIn * 1000;
      const moments = { sharedAt: toTimestamp(nowMs), expiresAt: toTimestamp(expiresAtMs) };
      const input = { snapshots, serverUrl, installHint, ...moments };
      const made = JSON.parse((await jobs.share(input, context, bytes)).text) as CompressedPage;
      return {
        kind: body.kind,
        snapshots,
        expiresAtMs,
        page: Buffer.from(made.packed, 'base64'),
        content_security_policy: made.contentSecurityPolicy,
      };
    },

    /** Puts a page at a new address below `serverUrl`. Call it in a transaction. Errors: `share_quota_exceeded`. */
    async create(
      { projectId, apiKeyId }: Principal,
      { kind, snapshots, expiresAtMs, page, content_security_policy }: FrozenPage,
      serverUrl: string,
    ): Promise<ResponseOf<typeof operations.createShare>> {
      const nowMs = clock.nowMs();
      ofExisting(await executor.get(lockQuotas, { projectId }));
      const existing = await executor.get(rows.countShares, { projectId, nowMs });
      if (existing && existing.total >= limits.sharesPerProject) {
        const text = `Share quota exceeded (max ${limits.sharesPerProject}); revoke one first`;
        throw new AppError('share_quota_exceeded', text);
      }
      const id = newId();
      const token = generateToken();
      await executor.run(rows.insertShare, {
        id,
        project_id: projectId,
        token_hash: hashToken(token) as string,
        kind,
        snapshot_a: snapshots[0] as string,
        snapshot_b: snapshots[1] ?? null,
        created_by: apiKeyId,
        created_at: nowMs,
        expires_at: expiresAtMs,
        page,
        content_security_policy,
      });
      const expiresAt = toTimestamp(expiresAtMs);
      audit.record(projectId, 'share.created', { type: 'share', id }, { kind, snapshots, expiresAt });
      return { id, url: `${serverUrl}/share/${token}`, expiresAt };
    },

    list: async (projectId: string): Promise<Share[]> =>
      (await executor.all(rows.listShares, { projectId, nowMs: clock.nowMs() })).map(toShare),

    async confirm(projectId: string, id: string): Promise<void> {
      if (!(await executor.get(rows.findShare, { projectId, id, nowMs: clock.nowMs() })))
        throw shareNotFound();
    },

    async revoke(projectId: string, id: string): Promise<void> {
      if ((await executor.run(rows.deleteShare, { projectId, id, nowMs: clock.nowMs() })) === 0)
        throw shareNotFound();
      audit.record(projectId, 'share.revoked', { type: 'share', id });
    },

    async findPage(token: string): Promise<rows.SharePageRow | undefined> {
      const tokenHash = hashToken(token);
      if (tokenHash === undefined) return undefined;
      return executor.get(rows.findPage, { tokenHash, nowMs: clock.nowMs() });
    },
  };
}

function shareNotFound(): AppError {
  return new AppError('share_not_found', 'Share not found');
}

function toShare(row: rows.ShareRow): Share {
  return {
    id: row.id,
    kind: row.kind,
    snapshots: row.snapshot_b === null ? [row.snapshot_a] : [row.snapshot_a, row.snapshot_b],
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}
