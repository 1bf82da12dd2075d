// Binds the diagnosis to its service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import type { Work } from '../work.ts';

/** Mounts the diagnosis. */
export function mountDiagnosis(mount: Mount<Work>): void {
  mount(operations.diagnose, async ({ body, principal, work }) => {
    const diagnosis = await work.read.diagnosis.diagnose(principal.projectId, body);
    return {
      ...diagnosis,
      findings: diagnosis.findings.map((finding) => ({ ...finding, keys: [...finding.keys] })),
      notes: [...diagnosis.notes],
    };
  });
}
