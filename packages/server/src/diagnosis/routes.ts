// Binds the diagnosis to its service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { jobContextOf } from '../snapshots/stored-rows.ts';
import type { Work } from '../work.ts';

/** Mounts the diagnosis. */
export function mountDiagnosis(mount: Mount<Work>): void {
  mount(operations.diagnose, async (input) =>
    input.work.read.diagnosis.diagnose(input.body, jobContextOf(input)),
  );
}
