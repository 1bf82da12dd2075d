// Binds the operation of a project's health to its service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { jobContextOf } from '../snapshots/snapshot-rows.ts';
import type { Work } from '../work.ts';

export function mountHealth(mount: Mount<Work>): void {
  mount(operations.getProjectHealth, async (input) => input.work.read.health.read(jobContextOf(input)));
}
