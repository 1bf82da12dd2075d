// Binds the list of audit entries to its service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { momentOf } from '../infra/list-parts.ts';
import type { Work } from '../work.ts';

export function mountAudit(mount: Mount<Work>): void {
  mount(operations.listAuditEntries, async ({ query, principal, work }) => {
    const { limit, offset, after, action, actor, from, to } = query;
    const span = { fromMs: momentOf(from), toMs: momentOf(to) };
    const filter = { projectId: principal.projectId, action, actor, ...span };
    return work.read.audit.list(filter, { limit, offset, after });
  });
}
