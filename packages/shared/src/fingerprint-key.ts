// The fingerprint key of a project. Clients use it for the fingerprints of secrets, so that a comparison sees a changed
// secret and nobody without the key can test a guess. docs/specification.md §10.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export const fingerprintKey = p.object('FingerprintKey', {
  id: p.uuid.describe('Id of the fingerprint key.'),
  key: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('32 bytes in lower-case hex.')
    .meta({ examples: ['0'.repeat(64)] }),
  createdAt: p.timestamp.describe('When the key was created or last replaced.'),
});
export type FingerprintKey = z.infer<typeof fingerprintKey>;

export const fingerprintKeyOperations = defineOperations('keys', {
  getFingerprintKey: {
    route: 'GET /machine/fingerprint-key',
    summary: "Show the project's fingerprint key, for callers who may store snapshots",
    access: ['owner', 'admin', 'member'],
    response: fingerprintKey,
    answer: 'The fingerprint key of the project.',
  },

  rotateFingerprintKey: {
    route: 'POST /machine/fingerprint-key/rotate',
    summary: 'Replace the fingerprint key; old and new fingerprints are not comparable',
    access: ['owner', 'admin'],
    response: fingerprintKey,
    answer: 'The new fingerprint key.',
    idempotency: 'secret',
    isSweeping: true,
    errors: ['fingerprint_key_not_found'],
  },
});
