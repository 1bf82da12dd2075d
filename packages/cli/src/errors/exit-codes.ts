// The one table of exit codes, and which failure of the service has which. Interface: envsnap.

/** Exit codes of every command. */
export const exitCodes = {
  /** Done, or no difference. */
  done: 0,
  /** `compare` found a difference that counts. */
  different: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** Refused by the server: 401, 403. */
  refused: 3,
  /** What was named does not exist. */
  notFound: 4,
  /** Rate limited or over quota. */
  limited: 5,
  /** Server or network unreachable. */
  unreachable: 6,
  /** Any other failure. */
  failed: 7,
  /** Interrupted with Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of an answer of the service by its HTTP status and stable error code. */
export function exitCodeOfAnswer(status: number, code: string): ExitCode {
  if (status === 429 || code.endsWith('_quota_exceeded')) return exitCodes.limited;
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  if (status === 400) return exitCodes.usage;
  if (status === 502 || status === 503 || status === 504) return exitCodes.unreachable;
  return exitCodes.failed;
}
