// Reads the words of `envsnap run` without the command framework, which would cost as much time as Node.js itself.

/** @typedef {'text' | 'texts' | 'switch'} FlagKind */

/** The flags of `envsnap run`, which the command class describes; a test compares the two. */
export const runFlags = /** @type {const} */ ({
  of: 'text',
  junit: 'texts',
  ctrf: 'texts',
  'machine-name': 'text',
  quiet: 'switch',
  json: 'switch',
  'base-url': 'text',
  profile: 'text',
});

/**
 * Parses the words of `envsnap run`; undefined if some cannot be parsed, and the command class then explains the error.
 *
 * @param {readonly string[]} words The words after `run`.
 * @returns {{ flags: Record<string, string | boolean | string[]>, command: string[] } | undefined}
 */
export function readRunWords(words) {
  const cut = words.indexOf('--');
  if (cut < 0 || cut === words.length - 1) return undefined;
  /** @type {Record<string, string | boolean | string[]>} */
  const flags = {};
  const before = words.slice(0, cut);
  for (let at = 0; at < before.length; at += 1) {
    const [, name = '', inline] =
      /^--([a-z-]+)(?:=(.*))?$/s.exec(before[at] === '-q' ? '--quiet' : before[at]) ?? [];
    const kind = Object.hasOwn(runFlags, name)
      ? /** @type {Record<string, FlagKind>} */ (runFlags)[name]
      : undefined;
    if (kind === undefined) return undefined;
    if (kind === 'switch') {
      if (inline !== undefined) return undefined;
      flags[name] = true;
      continue;
    }
    if (inline === undefined) at += 1;
    const value = inline ?? before[at];
    // A value that looks like a flag is more likely one whose value was forgotten.
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('-')))
      return undefined;
    if (kind === 'text') {
      if (flags[name] !== undefined) return undefined;
      flags[name] = value;
    } else flags[name] = [.../** @type {string[]} */ (flags[name] ?? []), value];
  }
  return { flags, command: words.slice(cut + 1) };
}
