// Words of a line of output, short and safe to print.

const longestWords = 120;

/** `ERR_PNPM_LOCKFILE_BREAKING_CHANGE`, `InvalidAlgorithmParameterException`. */
const namesAnError = /^[A-Z]{2,20}(?:_[A-Z]{1,20}){1,9}$|^[A-Za-z]{1,80}(?:Exception|Error)$/;

/** The words at a place in a line with some context, safe to print. */
export function around(line: string, at: number, length: number): string {
  const short = line.length <= longestWords;
  const start = short ? 0 : Math.max(0, Math.min(at - 20, line.length - longestWords));
  const end = short
    ? line.length
    : Math.min(line.length, Math.max(start + longestWords, Math.min(at + length, start + longestWords)));
  return (
    line
      .slice(start, end)
      // A log may contain a token or a password in an address.
      .replace(/[A-Za-z0-9_-]{32,}/g, (long) => (namesAnError.test(long) ? long : '…'))
      .replace(/:\/\/[^\s/@]{1,100}@/g, '://…@')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}
