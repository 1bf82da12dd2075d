// Why a delivery attempt failed: a closed set of reasons, and the text that the delivery log shows for each.

/** Every reason, with whether another attempt can end differently. */
export const attemptFailureReasons = {
  /** The host name could not be resolved. */
  dns: { retryable: true },
  /** The address may not be reached; see target-guard.ts. The same refusal would follow, so there is no retry. */
  blocked: { retryable: false },
  /** No connection: refused, unreachable, reset. */
  connect: { retryable: true },
  /** The TLS handshake failed, or the certificate is not valid for the host. */
  tls: { retryable: true },
  /** No answer within the time limit. */
  timeout: { retryable: true },
  /** The connection ended before an answer came. */
  closed: { retryable: true },
  /** What came back is not HTTP. */
  protocol: { retryable: true },
  /** 3xx: redirects are not followed. */
  redirect: { retryable: true },
  /** 410: the endpoint wants no more; the webhook is switched off. */
  gone: { retryable: false },
  /** Any other status than 2xx. */
  status: { retryable: true },
  /** The server itself could not make the attempt, e.g. because the secret does not decrypt. */
  internal: { retryable: true },
  /** The server ended during attempt after attempt of this event. */
  interrupted: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

type AttemptFailureReason = keyof typeof attemptFailureReasons;

/** Why an attempt failed. */
export interface AttemptFailure {
  readonly reason: AttemptFailureReason;
  /** The reason, a colon, and a sentence; never a secret, a body or an address that the resolver gave. */
  readonly text: string;
}

/** Longest text that is kept, and the longest host name in it, so that the end of a sentence is never cut. */
const maxDetailLength = 300;
const maxHostLength = 100;

/** Builds a failure; `detail` is cut and freed of control characters, since it can come from the other side. */
export function describeFailure(reason: AttemptFailureReason, detail: string): AttemptFailure {
  const clean = detail.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return { reason, text: `${reason}: ${clean.slice(0, maxDetailLength).toWellFormed()}` };
}

/** The failure that a status is, or undefined for 2xx. */
export function failureOfStatus(status: number): AttemptFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 410)
    return describeFailure('gone', 'the endpoint answered 410, so the webhook was deactivated');
  if (status >= 300 && status < 400) {
    return describeFailure('redirect', `the endpoint answered ${status}; redirects are not followed`);
  }
  return describeFailure('status', `the endpoint answered ${status}`);
}

/** The failure that the guard's refusal is. It names the setting that would allow the address. */
export function failureOfRefusal(host: string, kind: string, isLiteral: boolean): AttemptFailure {
  const name = host.length > maxHostLength ? `${host.slice(0, maxHostLength)}…` : host;
  const what = isLiteral
    ? `${name} is not a public address (${kind})`
    : `${name} resolves to no public address (${kind})`;
  return describeFailure('blocked', `${what}; the operator can allow its network with ENVSNAP_WEBHOOK_ALLOW`);
}
