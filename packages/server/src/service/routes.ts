// Binds the operations about the service itself.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { commit, version } from '../version.ts';
import type { Work } from '../work.ts';
import type { Readiness } from './readiness.ts';

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
