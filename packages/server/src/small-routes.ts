// Binds the operations of the features that have one or two to their services.

import { operations } from '@envsnap/shared';
import type { NoteDisclosure } from './audit/disclosures.ts';
import type { Mount } from './infra/http/mount.ts';
import { momentOf } from './infra/list-parts.ts';
import type { Readiness } from './service/readiness.ts';
import { jobContextOf } from './snapshots/snapshot-rows.ts';
import { commit, version } from './version.ts';
import type { Work } from './work.ts';

export function mountService(mount: Mount<Work>, checkReady: Readiness['check']): void {
  mount(operations.getHealth, async () => ({
    status: 'ok' as const,
    version,
    ...(commit !== undefined && { commit }),
  }));
  mount(operations.getReadiness, async () => {
    const { clockSkewSeconds } = await checkReady();
    return { status: 'ready' as const, ...(clockSkewSeconds !== undefined && { clockSkewSeconds }) };
  });
}

export function mountSmallFeatures(mount: Mount<Work>, noteDisclosure: NoteDisclosure): void {
  mount(operations.diagnose, async (input) => {
    const { body, principal, request, work } = input;
    const diagnosis = await work.read.diagnosis.diagnose(body, jobContextOf(input));
    const target = { type: 'project', id: principal.projectId } as const;
    await noteDisclosure(request, { action: 'diagnosis.made', target });
    return diagnosis;
  });
  mount(operations.getProjectHealth, async (input) => input.work.read.health.read(jobContextOf(input)));

  mount(operations.getFingerprintKey, async ({ principal, work, request }) => {
    const key = await work.read.fingerprintKeys.get(principal.projectId);
    const target = { type: 'fingerprint_key', id: key.id } as const;
    await noteDisclosure(request, { action: 'fingerprint_key.read', target });
    return key;
  });
  mount(operations.rotateFingerprintKey, async ({ principal, work }) =>
    work.transact(({ fingerprintKeys }) => fingerprintKeys.rotate(principal.projectId)),
  );

  mount(operations.listAuditEntries, async ({ query, principal, work }) => {
    const { limit, offset, after, action, actor, from, to } = query;
    const span = { fromMs: momentOf(from), toMs: momentOf(to) };
    const filter = { projectId: principal.projectId, action, actor, ...span };
    return work.read.audit.list(filter, { limit, offset, after });
  });

  mount(operations.getUsage, async ({ principal, work }) => work.read.usage.get(principal.projectId));
  mount(operations.getUsageHistory, async ({ query, principal, work, hold }) =>
    work.read.usage.history(principal.projectId, query, hold),
  );
  mount(operations.getLiveRequests, async ({ principal, work }) => ({
    requests: await work.read.usage.live(principal.projectId),
  }));
}
