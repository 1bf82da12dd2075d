// The one table of exit codes, and which failure of the service has which. Interface: envsnap.

/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  different: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  limited: 5,
  unreachable: 6,
  failed: 7,
  interrupted: 130,
} as const;

/** What each exit code means, as help shows it. */
export const exitCodeMeanings: Record<keyof typeof exitCodes, string> = {
  done: 'done, or no difference that counts',
  different: 'compare or check found a difference that counts; why found no cause',
  usage: 'wrong usage or configuration',
  refused: 'refused: key or role',
  notFound: 'not found',
  limited: 'rate limited or over quota',
  unreachable: 'server or network unreachable',
  failed: 'any other failure',
  interrupted: 'interrupted',
};

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of an answer of the service by its HTTP status and stable error code. */
export function exitCodeOfAnswer(status: number, code: string): ExitCode {
  if (status === 429 || code.endsWith('_quota_exceeded')) return exitCodes.limited;
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  if (status === 400 || code === 'too_much_work') return exitCodes.usage;
  if (status === 502 || status === 503 || status === 504) return exitCodes.unreachable;
  return exitCodes.failed;
}
