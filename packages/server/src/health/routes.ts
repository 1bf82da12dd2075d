// Binds the health of a project to its service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { jobContextOf } from '../snapshots/snapshot-rows.ts';
import type { Work } from '../work.ts';

export function mountProjectHealth(mount: Mount<Work>): void {
  mount(operations.getProjectHealth, async (input) => input.work.read.health.read(jobContextOf(input)));
}
