// The input of a webhook receiver, and the error for a delivery that is not accepted.

import type { WebhookVerificationFailure } from '@envsnap/shared/webhook-signature';
import { EnvsnapError } from '../errors.ts';

/** The body exactly as it came: text, bytes, or the request itself. */
export type WebhookBody = string | Uint8Array | ArrayBuffer | Request;

/** Headers in any of the usual forms; names in any letter case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

export interface VerifyWebhookOptions {
  /** Seconds that the delivery's time may differ from this clock, in either direction. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** This clock, in milliseconds since the epoch. Default `Date.now()`. */
  readonly nowMs?: number | undefined;
}

/** Why a delivery was not accepted, in a word. */
export type WebhookVerificationReason =
  | WebhookVerificationFailure
  | 'body_already_parsed'
  | 'invalid_secret'
  | 'invalid_options'
  | 'invalid_payload';

/** A delivery was not accepted. Respond with status 400, so that it shows in the webhook's log. */
export class WebhookVerificationError extends EnvsnapError {
  override name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
