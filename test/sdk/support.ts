// Shared by the SDK's tests: a well-formed key, and a client with short waits.

import { type ClientOptions, EnvSnap } from '@envsnap/sdk';
import { apiKeyChecksum } from '@envsnap/shared/api-key-format';

const digits = '0123456789abcdef'.repeat(4).slice(0, 56);
/** A key with right check digits that no server knows. */
export const testKey = `mk_${digits}${apiKeyChecksum(digits)}`;

export const snapshotId = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';

/** A client of a server on this machine. */
export function clientOf(
  server: { readonly baseUrl: string },
  options: Partial<ClientOptions> = {},
): EnvSnap {
  return new EnvSnap({ apiKey: testKey, baseUrl: server.baseUrl, timeoutMs: 5000, ...options });
}

/** The error of a call that has to fail. */
export function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => Promise.reject(new Error('the call did not fail')),
    (error: unknown) => error,
  );
}
