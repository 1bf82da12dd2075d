// Gives handlers access to the features. Each is built from an executor at its first use, so a transaction's features work in it
// without an argument, and a request pays only for those that it uses.

import { type ApiKeyService, createApiKeyService } from './api-keys/service.ts';
import { type AuditLog, type AuditOrigin, createAuditLog } from './audit/service.ts';
import { createSessionService } from './console/sessions.ts';
import { createDiagnosisService } from './diagnosis/service.ts';
import { createFileService } from './files/service.ts';
import { createFingerprintKeyService, type FingerprintKeyService } from './fingerprints/service.ts';
import { createNoticeService } from './health/notices.ts';
import { createHealthService } from './health/service.ts';
import type { Clock } from './infra/clock.ts';
import type { DataKeys } from './infra/crypto/data-keys.ts';
import type { Keyring } from './infra/crypto/master-keys.ts';
import type { Executor } from './infra/db/database.ts';
import type { IdGenerator } from './infra/ids.ts';
import type { ReplayedAnswer } from './infra/json-text.ts';
import type { Jobs } from './jobs.ts';
import type { QuotaLimits } from './projects/repository.ts';
import { createProjectService } from './projects/service.ts';
import { createShareService } from './shares/service.ts';
import { createSnapshotService } from './snapshots/service.ts';
import type { StoredJobs } from './snapshots/snapshot-rows.ts';
import { createTeamService } from './team/service.ts';
import { createUsageService } from './usage/service.ts';
import { createOutbox, type EventSignal, type Outbox } from './webhooks/outbox.ts';
import { createWebhookService } from './webhooks/service.ts';

interface FeatureDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  /** For events and deliveries, which are handled in the order of their ids. */
  readonly newEventId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly jobs: StoredJobs<Jobs>;
  /** Memory that the table of one diagnosis may take, in bytes. */
  readonly tableBytes: number;
  readonly keyring: Keyring;
  readonly signal: EventSignal;
  readonly traceparent: () => string | undefined;
  readonly defaultQuotas: QuotaLimits;
  readonly maxProjects: number | undefined;
  /** The command that installs envsnap, for the readers of shares. */
  readonly installHint: string | undefined;
  /** Writes the requests that the recorder still holds. */
  readonly flushLog: () => Promise<void>;
}

/** The dependencies of a feature: its executor, the actor for the audit log, and other features. */
interface Built {
  readonly executor: Executor;
  readonly origin: AuditOrigin;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
  readonly apiKeys: ApiKeyService;
  readonly fingerprintKeys: FingerprintKeyService;
}

function createBuilders(deps: FeatureDeps) {
  const { clock, newEventId } = deps;
  return {
    outbox: ({ executor }: Built) => createOutbox(executor, { ...deps, newId: newEventId }),
    audit: ({ executor, origin }: Built) => createAuditLog(executor, { clock, newId: newEventId, origin }),
    apiKeys: ({ executor, audit, outbox }: Built) =>
      createApiKeyService(executor, {
        ...deps,
        audit,
        memberRemoved: (projectId, member) => outbox.record(projectId, 'member.removed', member),
        keyExpiring: (projectId, key) => outbox.record(projectId, 'key.expiring', key),
      }),
    fingerprintKeys: ({ executor, audit }: Built) =>
      createFingerprintKeyService(executor, { ...deps, audit }),
    projects: ({ executor, audit, apiKeys, fingerprintKeys }: Built) =>
      createProjectService(executor, { ...deps, audit, apiKeys, fingerprintKeys }),
    team: ({ executor, audit, apiKeys, outbox }: Built) =>
      createTeamService(executor, { audit, apiKeys, outbox }),
    snapshots: ({ executor, audit, outbox }: Built) =>
      createSnapshotService(executor, { ...deps, audit, outbox }),
    diagnosis: ({ executor }: Built) => createDiagnosisService(executor, deps),
    health: ({ executor }: Built) => createHealthService(executor, deps),
    notices: ({ executor, outbox }: Built) => createNoticeService(executor, { ...deps, outbox }),
    sessions: ({ executor, audit }: Built) => createSessionService(executor, { ...deps, audit }),
    shares: ({ executor, audit }: Built) => createShareService(executor, { ...deps, audit }),
    files: ({ executor, audit, outbox }: Built) => createFileService(executor, { ...deps, audit, outbox }),
    usage: ({ executor }: Built) => createUsageService(executor, deps),
    webhooks: ({ executor, audit, outbox }: Built) =>
      createWebhookService(executor, { ...deps, audit, outbox }),
  };
}

type Builders = Omit<ReturnType<typeof createBuilders>, 'outbox'>;
export type Features = { readonly [Name in keyof Builders]: ReturnType<Builders[Name]> };

/** Builds the features of an executor; `origin` is the actor for the audit log, by default the server itself. */
export type CreateFeatures = (executor: Executor, origin?: AuditOrigin) => Features;

export interface Work {
  readonly read: Features;
  /**
   * Throws unless the caller may still do this; for effects and expensive work outside a transaction. For a retry with an
   * `Idempotency-Key`, returns the first response, because its resources may be gone.
   */
  confirm(): Promise<ReplayedAnswer | undefined>;
  /**
   * Runs changes in one transaction: committed when `change` resolves, rolled back when it throws. The caller's key and role are
   * read again first, and held until the end. A retry with an `Idempotency-Key` changes nothing and gets the first response,
   * whatever the handler then returns.
   */
  transact<Result>(change: (features: Features) => Promise<Result>): Promise<Result | ReplayedAnswer>;
}

export function createFeatureFactory(deps: FeatureDeps): CreateFeatures {
  const features = {};
  for (const [name, build] of Object.entries(createBuilders(deps))) {
    Object.defineProperty(features, name, {
      get(this: Built) {
        const value = build(this);
        Object.defineProperty(this, name, { value });
        return value;
      },
    });
  }
  return (executor, origin = { type: 'server' }) =>
    Object.create(features, { executor: { value: executor }, origin: { value: origin } });
}
