// Binds the operations on fingerprint keys to their service.

import { operations } from '@envsnap/shared';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import type { Mount } from '../infra/http/mount.ts';
import type { Work } from '../work.ts';

export function mountFingerprintKeys(mount: Mount<Work>, noteDisclosure: NoteDisclosure): void {
  mount(operations.getFingerprintKey, async ({ principal, work, request }) => {
    const key = await work.read.fingerprintKeys.get(principal.projectId);
    const target = { type: 'fingerprint_key', id: key.id } as const;
    await noteDisclosure(request, { action: 'fingerprint_key.read', target });
    return key;
  });
  mount(operations.rotateFingerprintKey, async ({ principal, work }) =>
    work.transact(({ fingerprintKeys }) => fingerprintKeys.rotate(principal.projectId)),
  );
}
