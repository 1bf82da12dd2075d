// What a new key is asked for: above all when it expires, as a flag says.

import { CliError, exitCodes } from '../../errors/cli-error.ts';

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** The longest time from now that a key may be given: 200 years. */
const longestMs = 200 * 365.25 * 86_400_000;

/** A time in hours, days or weeks (`12h`, `90d`, `4w`; at most six digits) as milliseconds; undefined for other text. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const ms = unitMs[unit];
  return ms && Number(count) * ms;
}

/**
 * The moment that a flag names: a time from now (`12h`, `90d`, `4w`) or a day (`2027-03-31`, its beginning in UTC).
 * Errors: CliError when it is neither, or not in the future.
 */
export function parseExpiry(text: string, nowMs: number): string {
  const span = parseSpan(text);
  const ms = span === undefined ? parseDay(text) : nowMs + span;
  if (Number.isNaN(ms) || (span ?? 0) > longestMs) {
    throw new CliError('--expires must be a time from now or a day', {
      code: 'invalid_flag',
      hint: 'For example --expires 90d, --expires 12h or --expires 2027-03-31.',
    });
  }
  if (ms <= nowMs) throw new CliError('--expires must be in the future', { code: 'invalid_flag' });
  return new Date(ms).toISOString();
}

/** The request that the flags of a new key make. Errors: as of `parseExpiry`. */
export function newKeyRequest<Role>(flags: {
  label: string | undefined;
  role: Role;
  expires: string | undefined;
}) {
  const { label = null, role, expires } = flags;
  return { label, role, ...(expires !== undefined && { expiresAt: parseExpiry(expires, Date.now()) }) };
}

/** Throws a CliError where a server that knows no expiry has made a key without the one asked for. */
export function expectEnd(
  made: { readonly apiKeyId: string; readonly expiresAt?: string | null },
  asked: { readonly expiresAt?: string },
): void {
  if (asked.expiresAt === undefined || made.expiresAt) return;
  throw new CliError('this server makes keys that stay until they are revoked', {
    code: 'expiry_unknown',
    exitCode: exitCodes.failed,
    hint: `Revoke the key that it has made: envsnap key revoke ${made.apiKeyId}`,
  });
}

function parseDay(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : Number.NaN;
}
