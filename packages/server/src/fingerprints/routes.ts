// Binds the operations of fingerprint keys to their service.

import { operations } from '@envsnap/shared';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import type { Mount } from '../infra/http/mount.ts';
import { ReplayedAnswer } from '../infra/http/replayed-answer.ts';
import type { Work } from '../work.ts';

/**
 * Mounts the operations of fingerprint keys. `afterRotation` runs once a rotation is committed; the answer waits for
 * it.
 */
export function mountFingerprintKeys(
  mount: Mount<Work>,
  afterRotation: (projectId: string) => Promise<void>,
  noteDisclosure: NoteDisclosure,
): void {
  mount(operations.getFingerprintKey, async ({ principal, work, request }) => {
    const { projectId } = principal;
    const key =
      (await work.read.fingerprintKeys.find(projectId)) ??
      (await work.transact(({ fingerprintKeys }) => fingerprintKeys.getOrCreate(projectId)));
    if (key instanceof ReplayedAnswer) return key;
    const target = { type: 'fingerprint_key', id: key.id } as const;
    await noteDisclosure(request, { action: 'fingerprint_key.read', target });
    return key;
  });

  mount(operations.rotateFingerprintKey, async ({ principal, work }) => {
    const { projectId } = principal;
    const made = await work.transact(({ fingerprintKeys }) => fingerprintKeys.rotate(projectId));
    if (!(made instanceof ReplayedAnswer)) await afterRotation(projectId);
    return made;
  });
}
