// What an `Idempotency-Key` stands for: one caller, one operation, one key; and what tells two requests with it apart.

import { createHash } from 'node:crypto';
import { limits, type Operation } from '@envsnap/shared';
import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';
import { contextOf } from '../infra/http/request-context.ts';

/**
 * The scope of a request's key; hashed, since a caller may put anything into the key. Errors: `validation_failed`, also
 * for a key that could be guessed where anybody may call and the replay shows a secret.
 */
export function scopeOf(request: Request, operation: Operation, key: string | string[]): string {
  const shortest = operation.access === 'public' ? limits.openIdempotencyKeyMinLength : 1;
  if (typeof key !== 'string' || key.length < shortest || key.length > limits.idempotencyKeyLength) {
    const message = `Idempotency-Key must have ${shortest} to ${limits.idempotencyKeyLength} characters`;
    throw new AppError('validation_failed', message, [{ path: 'Idempotency-Key', message }]);
  }
  const { principal, clientAddress } = contextOf(request);
  const caller = principal?.apiKeyId ?? clientAddress;
  return createHash('sha256')
    .update(JSON.stringify([caller, operation.name, key]))
    .digest('hex');
}

/** Says whether two requests are the same: their bodies and paths. */
export function requestDigestOf(bodyDigest: Uint8Array | undefined, path: string): string {
  return createHash('sha256')
    .update(bodyDigest ?? Buffer.alloc(0))
    .update(path)
    .digest('hex');
}
