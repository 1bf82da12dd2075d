// Seals responses that are kept for retries and contain a secret, such as a new key. They may belong to no project yet, so the
// operator's master key seals them.

import { open, SealedDataError, seal } from './envelope.ts';
import type { Keyring } from './master-keys.ts';

export type AnswerCipher = ReturnType<typeof createAnswerCipher>;

/** Creates the cipher. The newest master key seals; opening tries each key. */
export function createAnswerCipher(keyring: Keyring) {
  const contextOf = (scope: string) => ({
    purpose: 'idempotent answer',
    projectId: '',
    table: 'idempotency_keys',
    recordId: scope,
  });
  return {
    seal: (scope: string, answer: Uint8Array) => seal(keyring.primary.key, contextOf(scope), answer),
    open(scope: string, sealed: Uint8Array) {
      for (const { key } of keyring.keys.values()) {
        try {
          return open(key, contextOf(scope), sealed);
        } catch (error) {
          if (!(error instanceof SealedDataError)) throw error;
        }
      }
      throw new SealedDataError('a stored response cannot be decrypted with any master key of this server');
    },
  };
}
