// Binds the diagnosis of runs to its service.

import { operations } from '@envsnap/shared';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import type { Mount } from '../infra/http/mount.ts';
import { jobContextOf } from '../snapshots/snapshot-rows.ts';
import type { Work } from '../work.ts';

export function mountDiagnosis(mount: Mount<Work>, noteDisclosure: NoteDisclosure): void {
  mount(operations.diagnose, async (input) => {
    const { body, principal, request, work } = input;
    const diagnosis = await work.read.diagnosis.diagnose(body, jobContextOf(input));
    const target = { type: 'project', id: principal.projectId } as const;
    await noteDisclosure(request, { action: 'diagnosis.made', target });
    return diagnosis;
  });
}
