// Reads a `Retry-After` header: the SDK from a response of the service, the service from a receiver of webhooks.

/** The three forms of an HTTP date; the last one (asctime) names no time zone. RFC 9110 §5.6.7. */
const httpDate = /^[A-Z][a-z]{2,8},? .*?( GMT| \d{4})$/;

/**
 * Milliseconds that a `Retry-After` header asks for, from `nowMs` (since the epoch): whole seconds, or an HTTP date, which counts
 * as 0 once it is over. Undefined if the header is absent or malformed. RFC 9110 §10.2.3.
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | undefined {
  const value = header?.trim();
  if (!value) return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1000;
  const zone = httpDate.exec(value)?.[1];
  if (zone === undefined) return undefined;
  const delayMs = Date.parse(zone === ' GMT' ? value : `${value} GMT`) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
