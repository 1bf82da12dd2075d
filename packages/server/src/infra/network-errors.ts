// Distinguishes errors of an unreachable machine from errors of configuration.

const codes = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH EPIPE'.split(
    ' ',
  ),
);

/** Whether the network or the other end failed; a missing socket means that the server is not running. */
export function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return codes.has(code) || (code === 'ENOENT' && syscall === 'connect');
}
