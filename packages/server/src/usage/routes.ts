// Binds the operations on usage to their service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import type { Work } from '../work.ts';

export function mountUsage(mount: Mount<Work>): void {
  mount(operations.getUsage, async ({ principal, work }) => work.read.usage.get(principal.projectId));
  mount(operations.getUsageHistory, async ({ query, principal, work, hold }) =>
    work.read.usage.history(principal.projectId, query, hold),
  );
  mount(operations.getLiveRequests, async ({ principal, work }) => ({
    requests: await work.read.usage.live(principal.projectId),
  }));
}
