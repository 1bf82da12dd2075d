// Binds the operation of the audit log to its service.

import { operations, parseMoment } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import type { Work } from '../work.ts';

export function mountAudit(mount: Mount<Work>): void {
  mount(operations.listAuditEntries, async ({ query, principal, work }) => {
    const { limit, offset, after, action, actor, from, to } = query;
    const filter = {
      projectId: principal.projectId,
      action,
      actor,
      fromMs: from === undefined ? undefined : parseMoment(from),
      toMs: to === undefined ? undefined : parseMoment(to),
    };
    return work.read.audit.list(filter, { limit, offset, after });
  });
}
