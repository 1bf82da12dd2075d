// Signs and verifies webhook deliveries with WebCrypto: the plain hex HMAC and the Standard Webhooks 1.0 headers.
// docs/specification.md §5.

/** Seconds that `webhook-timestamp` may differ from the receiver's clock, in either direction. */
export const defaultToleranceSeconds = 300;

export interface WebhookSignatureInput {
  /** Value of `webhook-id`; the same on every attempt of one event. */
  readonly id: string;
  readonly timestampSeconds: number;
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
  readonly secret: string;
}

export interface WebhookSignatureHeaders {
  readonly 'x-webhook-signature': string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

const encoder = new TextEncoder();

export type HmacSha256 = (key: Uint8Array, content: Uint8Array) => Promise<Uint8Array> | Uint8Array;

/**
 * Signs one attempt of a delivery with both schemes. `hmac` is for callers that sign many deliveries and have a faster one than
 * WebCrypto, whose every step goes to another thread and back.
 */
export async function signWebhook(
  input: WebhookSignatureInput,
  hmac: HmacSha256 = hmacSha256,
): Promise<WebhookSignatureHeaders> {
  const timestamp = String(input.timestampSeconds);
  const plain = await hmac(encoder.encode(input.secret), input.body);
  const standard = await hmac(standardKey(input.secret), signedContent(input.id, timestamp, input.body));
  return {
    'x-webhook-signature': toHex(plain),
    'webhook-id': input.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${toBase64(standard)}`,
  };
}

export type WebhookVerificationFailure =
  | 'missing_headers'
  | 'invalid_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'wrong_signature';

export interface WebhookVerificationInput {
  readonly body: Uint8Array;
  /** Looks a header up by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly secret: string;
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
}

/**
 * Verifies a delivery by its Standard Webhooks headers. Undefined if it is genuine and fresh; otherwise the reason. The plain
 * signature alone proves no freshness, so it is not enough.
 */
export async function findWebhookProblem(
  input: WebhookVerificationInput,
): Promise<WebhookVerificationFailure | undefined> {
  const id = input.header('webhook-id');
  const timestamp = input.header('webhook-timestamp');
  const signatures = input.header('webhook-signature');
  if (!id || !timestamp || !signatures) return 'missing_headers';
  if (!/^\d{1,12}$/.test(timestamp)) return 'invalid_timestamp';
  const expected = await hmacSha256(standardKey(input.secret), signedContent(id, timestamp, input.body));
  const token = `v1,${toBase64(expected)}`;
  let matches = false;
  for (const candidate of signatures.split(' ')) matches = equalsConstantTime(candidate, token) || matches;
  if (!matches) return 'wrong_signature';
  const tolerance = input.toleranceSeconds ?? defaultToleranceSeconds;
  const age = input.nowSeconds - Number(timestamp);
  if (age < -tolerance) return 'timestamp_too_new';
  // Not `age > tolerance`: with NaN nothing may be accepted.
  return age <= tolerance ? undefined : 'timestamp_too_old';
}

/** Key of the Standard Webhooks signature: the decoded base64 of a `whsec_` secret, the bytes of any other one. */
function standardKey(secret: string): Uint8Array {
  if (!secret.startsWith('whsec_')) return encoder.encode(secret);
  try {
    return Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0));
  } catch {
    return encoder.encode(secret);
  }
}

function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

async function hmacSha256(key: Uint8Array, content: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const cryptoKey = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', cryptoKey, new Uint8Array(content)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Compares two texts in a time that depends on their lengths only. */
function equalsConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
