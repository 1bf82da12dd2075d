// Distinguishes errors of an unreachable machine from errors of configuration.

const codes = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH EPIPE'.split(
    ' ',
  ),
);

/** Whether the network or the other end failed; a socket that is not there is a server that does not run. */
export function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return codes.has(code) || (code === 'ENOENT' && syscall === 'connect');
}
