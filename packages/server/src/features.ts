// Builds the features of an executor, each at its first use: a request pays only for those it touches.

import { createApiKeyService } from './api-keys/service.ts';
import { type AuditOrigin, createAuditLog } from './audit/service.ts';
import { createSessionService } from './console/sessions.ts';
import { createDiagnosisService } from './diagnosis/service.ts';
import { createFileService } from './files/service.ts';
import { createFingerprintKeyService } from './fingerprints/service.ts';
import { createNoticeService } from './health/notices.ts';
import { createHealthService } from './health/service.ts';
import type { Clock } from './infra/clock.ts';
import type { DataKeys } from './infra/crypto/data-keys.ts';
import type { Keyring } from './infra/crypto/master-keys.ts';
import type { Executor } from './infra/db/database.ts';
import type { IdGenerator } from './infra/ids.ts';
import type { Jobs } from './jobs.ts';
import type { QuotaLimits } from './projects/repository.ts';
import { createProjectService } from './projects/service.ts';
import { createShareService } from './shares/service.ts';
import { createSnapshotService } from './snapshots/service.ts';
import type { StoredJobs } from './snapshots/stored-rows.ts';
import { createTeamService } from './team/service.ts';
import { createUsageService } from './usage/service.ts';
import { createOutbox, type EventSignal, type Outbox } from './webhooks/outbox.ts';
import { createWebhookService } from './webhooks/service.ts';
import type { CreateFeatures, Features } from './work.ts';

interface FeatureDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  /** For events and deliveries, which are worked off in the order of their ids. */
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

/** What a feature is built from: its executor, who the audit log names, and the other features. */
interface Built extends Features {
  readonly executor: Executor;
  readonly origin: AuditOrigin;
  readonly outbox: Outbox;
}

export function createFeatureFactory(deps: FeatureDeps): CreateFeatures {
  const { clock, newEventId } = deps;
  const builders: { readonly [Name in keyof Features | 'outbox']: (built: Built) => Built[Name] } = {
    outbox: ({ executor }) => createOutbox(executor, { ...deps, newId: newEventId }),
    audit: ({ executor, origin }) => createAuditLog(executor, { clock, newId: newEventId, origin }),
    apiKeys: ({ executor, audit, outbox }) =>
      createApiKeyService(executor, {
        ...deps,
        audit,
        memberRemoved: (projectId, member) => outbox.record(projectId, 'member.removed', member),
        keyExpiring: (projectId, key) => outbox.record(projectId, 'key.expiring', key),
      }),
    fingerprintKeys: ({ executor, audit }) => createFingerprintKeyService(executor, { ...deps, audit }),
    projects: ({ executor, audit, apiKeys, fingerprintKeys }) =>
      createProjectService(executor, { ...deps, audit, apiKeys, fingerprintKeys }),
    team: ({ executor, audit, apiKeys, outbox }) => createTeamService(executor, { audit, apiKeys, outbox }),
    snapshots: ({ executor, audit, outbox }) => createSnapshotService(executor, { ...deps, audit, outbox }),
    diagnosis: ({ executor }) => createDiagnosisService(executor, deps),
    health: ({ executor }) => createHealthService(executor, deps),
    notices: ({ executor, outbox }) => createNoticeService(executor, { ...deps, outbox }),
    sessions: ({ executor, audit }) => createSessionService(executor, { ...deps, audit }),
    shares: ({ executor, audit }) => createShareService(executor, { ...deps, audit }),
    files: ({ executor, audit, outbox }) => createFileService(executor, { ...deps, audit, outbox }),
    usage: ({ executor }) => createUsageService(executor, deps),
    webhooks: ({ executor, audit, outbox }) => createWebhookService(executor, { ...deps, audit, outbox }),
  };
  const features = {};
  for (const [name, build] of Object.entries(builders)) {
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
