// Why a delivery attempt failed: a closed set of reasons, and the text that the delivery log shows for each.

/** Every reason, and whether another attempt can end differently. */
export const isRetryable = {
  dns: true,
  /** The address is not allowed; see target-guard.ts. */
  blocked: false,
  connect: true,
  /** The TLS handshake failed, or the certificate is not valid for the host. */
  tls: true,
  timeout: true,
  closed: true,
  protocol: true,
  redirect: true,
  /** 410: the endpoint wants no more deliveries; the webhook is switched off. */
  gone: false,
  status: true,
  /** The server itself could not make the attempt, e.g. because the secret does not decrypt. */
  internal: true,
  /** The server ended during several attempts of this event. */
  interrupted: false,
} as const;

type AttemptFailureReason = keyof typeof isRetryable;

export interface AttemptFailure {
  readonly reason: AttemptFailureReason;
  /** The reason, a colon, and a sentence; never a secret, a body or an address that the resolver gave. */
  readonly text: string;
}

/** Longest text that is kept, and the longest host name in it, so that the end of a sentence is never cut. */
const maxDetailLength = 300;
const maxHostLength = 100;

/** Builds a failure; `detail` is cut and loses its control characters, because it can come from the other side. */
export function describeFailure(reason: AttemptFailureReason, detail: string): AttemptFailure {
  const clean = detail.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return { reason, text: `${reason}: ${clean.slice(0, maxDetailLength).toWellFormed()}` };
}

export function failureOfStatus(status: number): AttemptFailure | undefined {
  const answered = `the endpoint returned ${status}`;
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return describeFailure('gone', `${answered}, so the webhook was switched off`);
  if (status >= 300 && status < 400)
    return describeFailure('redirect', `${answered}; redirects are not followed`);
  return describeFailure('status', answered);
}

/** The failure for an address that the guard refuses. It names the setting that would allow the address. */
export function failureOfRefusal(host: string, kind: string, isLiteral: boolean): AttemptFailure {
  const name = host.length > maxHostLength ? `${host.slice(0, maxHostLength)}…` : host;
  const verb = isLiteral ? 'is not a' : 'resolves to no';
  return describeFailure(
    'blocked',
    `${name} ${verb} public address (${kind}); the operator can allow its network with ENVSNAP_WEBHOOK_ALLOW`,
  );
}
