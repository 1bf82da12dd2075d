// The service's own operations: alive, ready.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { commit, version } from '../version.ts';
import type { Work } from '../work.ts';

export function mountService(mount: Mount<Work>, checkReady: () => Promise<void>): void {
  mount(operations.getHealth, async () => ({
    status: 'ok' as const,
    version,
    ...(commit !== undefined && { commit }),
  }));
  mount(operations.getReadiness, async () => {
    await checkReady();
    return { status: 'ready' as const };
  });
}
