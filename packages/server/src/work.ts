// How handlers reach the features: each is built from an executor, so a transaction's features work in it and need no
// argument for it.

import type { ApiKeyService } from './api-keys/service.ts';
import type { AuditLog, AuditOrigin } from './audit/service.ts';
import type { SessionService } from './console/sessions.ts';
import type { DiagnosisService } from './diagnosis/service.ts';
import type { FileService } from './files/service.ts';
import type { FingerprintKeyService } from './fingerprints/service.ts';
import type { NoticeService } from './health/notices.ts';
import type { HealthService } from './health/service.ts';
import type { Executor } from './infra/db/database.ts';
import type { ReplayedAnswer } from './infra/http/replayed-answer.ts';
import type { ProjectService } from './projects/service.ts';
import type { ShareService } from './shares/service.ts';
import type { SnapshotService } from './snapshots/service.ts';
import type { TeamService } from './team/service.ts';
import type { UsageService } from './usage/service.ts';
import type { WebhookService } from './webhooks/service.ts';

export interface Features {
  readonly audit: AuditLog;
  readonly apiKeys: ApiKeyService;
  readonly fingerprintKeys: FingerprintKeyService;
  readonly projects: ProjectService;
  readonly team: TeamService;
  readonly snapshots: SnapshotService;
  readonly diagnosis: DiagnosisService;
  readonly health: HealthService;
  readonly notices: NoticeService;
  readonly sessions: SessionService;
  readonly shares: ShareService;
  readonly files: FileService;
  readonly usage: UsageService;
  readonly webhooks: WebhookService;
}

/** Builds the features of an executor; `origin` is who the audit log names, the server itself when absent. */
export type CreateFeatures = (executor: Executor, origin?: AuditOrigin) => Features;

export interface Work {
  readonly read: Features;
  /**
   * Throws unless the caller may still do this; for what has its effect, or costs much, outside a transaction. Gives the first
   * answer to a retry with an `Idempotency-Key`: what it was made of may be gone.
   */
  confirm(): Promise<ReplayedAnswer | undefined>;
  /**
   * Runs changes in one transaction: committed when `change` resolves, rolled back when it throws. The caller's key and
   * role are read again first, and held until the end. A retry with an `Idempotency-Key` changes nothing and gets the first
   * answer, whatever the handler then returns.
   */
  transact<Result>(change: (features: Features) => Promise<Result>): Promise<Result | ReplayedAnswer>;
}
