// Signing secrets: how they are made, and how they are sealed for their row. docs/specification.md §5, §8.

import { randomBytes } from 'node:crypto';
import type { ProjectCipher } from '../infra/crypto/data-keys.ts';

/** A new secret: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Seals a secret for the row of its webhook. */
export function sealSecret(cipher: ProjectCipher, webhookId: string, secret: string): Buffer {
  return cipher.seal(placeOf(webhookId), Buffer.from(secret));
}

/** Opens a sealed secret. Errors: SealedDataError. */
export function openSecret(cipher: ProjectCipher, webhookId: string, sealed: Uint8Array): string {
  return cipher.open(placeOf(webhookId), sealed).toString('utf8');
}

function placeOf(webhookId: string) {
  return { purpose: 'webhook secret', table: 'webhooks', recordId: webhookId };
}
