// Builds the features of an executor, each at its first use: a request pays only for those it touches.

import { createApiKeyService } from './api-keys/service.ts';
import type { AuditOrigin } from './audit/origin.ts';
import { createAuditLog } from './audit/service.ts';
import { createSessionService } from './console/sessions.ts';
import { createDiagnosisService } from './diagnosis/service.ts';
import { createFileService } from './files/service.ts';
import { createFingerprintKeyService } from './fingerprints/service.ts';
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
import type { EventSignal } from './webhooks/event-signal.ts';
import { createOutbox } from './webhooks/outbox.ts';
import { createWebhookService } from './webhooks/service.ts';
import type { CreateFeatures, Features } from './work.ts';

export interface FeatureDeps {
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
  /** The current span, when requests are traced. */
  readonly traceparent: () => string | undefined;
  readonly defaultQuotas: QuotaLimits;
  readonly maxProjects: number | undefined;
  /** Writes the requests that the recorder still holds. */
  readonly flushLog: () => Promise<void>;
}

/** Creates the factory of features. */
export function createFeatureFactory(deps: FeatureDeps): CreateFeatures {
  return (executor, origin = { type: 'server' }) => new LazyFeatures(executor, deps, origin);
}

class LazyFeatures implements Features {
  readonly #executor: Executor;
  readonly #deps: FeatureDeps;
  readonly #origin: AuditOrigin;
  readonly #built = new Map<keyof Features | 'outbox', unknown>();

  constructor(executor: Executor, deps: FeatureDeps, origin: AuditOrigin) {
    this.#executor = executor;
    this.#deps = deps;
    this.#origin = origin;
  }

  get audit() {
    return this.#once('audit', () =>
      createAuditLog(this.#executor, {
        clock: this.#deps.clock,
        newId: this.#deps.newEventId,
        origin: this.#origin,
      }),
    );
  }

  get apiKeys() {
    return this.#once('apiKeys', () =>
      createApiKeyService(this.#executor, {
        ...this.#deps,
        audit: this.audit,
        memberRemoved: (projectId, member) => this.#outbox.record(projectId, 'member.removed', member),
        keyExpiring: (projectId, key) => this.#outbox.record(projectId, 'key.expiring', key),
      }),
    );
  }

  get fingerprintKeys() {
    return this.#once('fingerprintKeys', () =>
      createFingerprintKeyService(this.#executor, { ...this.#deps, audit: this.audit }),
    );
  }

  get projects() {
    return this.#once('projects', () =>
      createProjectService(this.#executor, {
        ...this.#deps,
        audit: this.audit,
        apiKeys: this.apiKeys,
        createDataKey: async (projectId) => {
          await this.#deps.dataKeys.create(this.#executor, projectId);
        },
        createFingerprintKey: async (projectId) => {
          await this.fingerprintKeys.create(projectId);
        },
      }),
    );
  }

  get team() {
    return this.#once('team', () =>
      createTeamService(this.#executor, { audit: this.audit, apiKeys: this.apiKeys, outbox: this.#outbox }),
    );
  }

  get snapshots() {
    return this.#once('snapshots', () =>
      createSnapshotService(this.#executor, {
        ...this.#deps,
        audit: this.audit,
        outbox: this.#outbox,
        fingerprintKeys: this.fingerprintKeys,
      }),
    );
  }

  get diagnosis() {
    return this.#once('diagnosis', () => createDiagnosisService(this.#executor, this.#deps));
  }

  get sessions() {
    return this.#once('sessions', () =>
      createSessionService(this.#executor, { ...this.#deps, audit: this.audit }),
    );
  }

  get shares() {
    return this.#once('shares', () =>
      createShareService(this.#executor, { ...this.#deps, audit: this.audit }),
    );
  }

  get files() {
    return this.#once('files', () =>
      createFileService(this.#executor, { ...this.#deps, audit: this.audit, outbox: this.#outbox }),
    );
  }

  get usage() {
    return this.#once('usage', () => createUsageService(this.#executor, this.#deps));
  }

  get webhooks() {
    return this.#once('webhooks', () =>
      createWebhookService(this.#executor, { ...this.#deps, audit: this.audit }),
    );
  }

  get #outbox() {
    return this.#once('outbox', () =>
      createOutbox(this.#executor, { ...this.#deps, newId: this.#deps.newEventId }),
    );
  }

  #once<T>(name: keyof Features | 'outbox', build: () => T): T {
    const known = this.#built.get(name) as T | undefined;
    if (known !== undefined) return known;
    const made = build();
    this.#built.set(name, made);
    return made;
  }
}
