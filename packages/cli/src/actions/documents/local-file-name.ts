// Makes a name that came from a server safe to create in a folder here.

const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * The last part of a name without what a file system or terminal could misread: separators, control characters and
 * marks that reorder text, characters that Windows forbids, device names, dots and blanks at the end. `download` when
 * nothing is left.
 */
export function localFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const cleaned = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u{2028}\u{2029}<>:"|?*]/gu, '_')
    .replace(/(?<![. ])[. ]+$/, '')
    .trimStart();
  if (cleaned === '' || /^_+$/.test(cleaned)) return 'download';
  return reservedOnWindows.test(cleaned) ? `_${cleaned}` : cleaned;
}
