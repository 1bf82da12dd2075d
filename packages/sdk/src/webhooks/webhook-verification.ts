// Verifies webhook deliveries: signature, freshness, and errors that say what to change. docs/specification.md §5.

import {
  defaultToleranceSeconds,
  findWebhookProblem,
  type WebhookVerificationFailure,
} from '@envsnap/shared/webhook-signature';
import type { WebhookPayload } from '../contract/types.ts';
import {
  type VerifyWebhookOptions,
  type WebhookBody,
  type WebhookHeaders,
  WebhookVerificationError,
} from './received-webhook.ts';

/** Implements `verifyWebhook` of the package. */
export async function verifyWebhook(
  rawBody: WebhookBody,
  headers: WebhookHeaders | undefined,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookPayload> {
  const secrets = (typeof secret === 'string' || !Array.isArray(secret) ? [secret] : secret).map(checkSecret);
  const body = await readBody(rawBody);
  const header = headerReader(headers ?? (isRequest(rawBody) ? rawBody.headers : {}));
  const { nowMs = Date.now(), toleranceSeconds = defaultToleranceSeconds, ...unknown } = options;
  for (const name of Object.keys(unknown)) {
    throw new WebhookVerificationError('invalid_options', `verifyWebhook has no option ${name}.`);
  }
  checkOption('nowMs', nowMs);
  checkOption('toleranceSeconds', toleranceSeconds);
  const nowSeconds = Math.floor(nowMs / 1000);
  let problem: WebhookVerificationFailure | undefined = 'wrong_signature';
  for (const candidate of secrets) {
    problem = await findWebhookProblem({ body, header, secret: candidate, nowSeconds, toleranceSeconds });
    if (problem !== 'wrong_signature') break;
  }
  const mistake = problem === 'wrong_signature' && secrets.map(describeMistake).find(Boolean);
  if (mistake) throw new WebhookVerificationError('invalid_secret', `The signature is wrong: ${mistake}`);
  if (problem) throw new WebhookVerificationError(problem, describe(problem, header, nowSeconds));
  return parsePayload(body);
}

/** With NaN every comparison of times is false, and a delivery of any age would pass. */
function checkOption(name: string, value: number): void {
  if (typeof value === 'number' && value >= 0) return;
  throw new WebhookVerificationError(
    'invalid_options',
    `${name} must be a number that is not negative; it is ${value}.`,
  );
}

function describe(
  problem: WebhookVerificationFailure,
  header: (name: string) => string | undefined,
  nowSeconds: number,
): string {
  switch (problem) {
    case 'missing_headers': {
      const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter(
        (name) => !header(name),
      );
      return `The delivery lacks ${missing.join(', ')}. Pass the headers of the incoming request; a proxy may have removed them.`;
    }
    case 'invalid_timestamp':
      return 'webhook-timestamp is not a number of Unix seconds.';
    case 'wrong_signature':
      return 'The signature is wrong. Either the secret belongs to another webhook, or the body is not byte for byte what was sent (a JSON parser or a proxy may have changed it).';
    case 'timestamp_too_old':
    case 'timestamp_too_new': {
      const seconds = Math.abs(nowSeconds - Number(header('webhook-timestamp')));
      const when = problem === 'timestamp_too_old' ? 'ago' : 'in the future';
      return `The delivery is genuine, but was signed ${seconds} s ${when}: it was replayed or delayed, or this machine's clock is wrong.`;
    }
  }
}

function checkSecret(secret: unknown): string {
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new WebhookVerificationError(
    'invalid_secret',
    'The webhook secret is missing. It was shown once, when the webhook was created.',
  );
}

/** The likely mistake in a secret that does not match. A secret that the user chose may look like this and still be right. */
function describeMistake(secret: string): string | undefined {
  if (secret !== secret.trim())
    return 'the webhook secret has whitespace around it, which is probably not part of it.';
  if (/^v1a?,/.test(secret)) {
    return 'the webhook secret begins with "v1,", which is the form of a signature. The secret may begin after the comma.';
  }
  if (secret.startsWith('whsec_') && !isBase64(secret.slice('whsec_'.length))) {
    return 'the webhook secret is damaged, since what follows "whsec_" is not base64. Copy it again, whole.';
  }
  return undefined;
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

const advice =
  'Pass the body as it came: express.raw({ type: "application/json" }) in Express, await request.text() with a Request.';

async function readBody(body: unknown): Promise<Uint8Array> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (isArrayBuffer(body)) return new Uint8Array(body);
  if (isRequest(body)) {
    if (body.bodyUsed) {
      throw new WebhookVerificationError(
        'body_already_parsed',
        `The request's body was read before. ${advice}`,
      );
    }
    return new Uint8Array(await body.arrayBuffer());
  }
  const problem = typeof body === 'object' && body !== null ? 'was parsed already' : 'is missing';
  throw new WebhookVerificationError('body_already_parsed', `The body ${problem}. ${advice}`);
}

/** Also true for objects from another realm, such as that of a test. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

function isRequest(value: unknown): value is Request {
  return Object.prototype.toString.call(value) === '[object Request]';
}

function headerReader(headers: WebhookHeaders): (name: string) => string | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const byName = new Map<string, string>();
  const entries = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of entries) {
    if (typeof value === 'string') byName.set(name.toLowerCase(), value);
    else if (Array.isArray(value)) byName.set(name.toLowerCase(), value.join(' '));
  }
  return (name) => byName.get(name);
}

function parsePayload(body: Uint8Array): WebhookPayload {
  let payload: unknown;
  try {
    payload = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    payload = undefined;
  }
  const { event, data } = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<
    string,
    unknown
  >;
  if (typeof event !== 'string' || typeof data !== 'object' || data === null) {
    throw new WebhookVerificationError(
      'invalid_payload',
      'The delivery is signed, but its body is not an event.',
    );
  }
  return payload as WebhookPayload;
}
