// Writes the home folder as `~` and the checkout as `<checkout>`, so that a snapshot names no user and two users' machines
// compare equal wherever they keep their work. See docs/decisions/0013.

import { checkoutMark } from '@envsnap/shared/text/places';
import type { CapturedMachine } from './machine.ts';

/** Replaces each mention of the home folder in a text by `~`. */
export type HomeAbbreviation = (text: string) => string;

/**
 * Replaces the home folder as the environment names it and by its real path; `checkout` has the names of the work tree. These are
 * replaced first, because most are in a home folder.
 */
export async function createHomeAbbreviation(
  machine: CapturedMachine,
  checkout: readonly string[] = [],
): Promise<HomeAbbreviation> {
  const real = await machine.files.realPath(machine.homeDir);
  const variable = machine.platform === 'win32' ? machine.env.USERPROFILE : machine.env.HOME;
  const onWindows = machine.platform === 'win32';
  const own = homeAbbreviation([machine.homeDir, real, variable], onWindows);
  const ofCheckout = homeAbbreviation(checkout, onWindows, checkoutMark);
  return (text) => withoutOtherHomes(own(ofCheckout(text)));
}

/** Accounts that are not a person's. Their folders show what is installed. */
const sharedAccounts = String.raw`(?:linuxbrew|Shared|Public|Default|All Users|lost\+found)`;
const person = String.raw`(?!${sharedAccounts}(?![\w.-]))[^\s/:;"'\\]+`;
/** Further words of a person's name belong to the folder if its path continues after them: `/Users/Jane Doe/src`. */
const furtherWords = String.raw`(?:(?:\\? [^\s/\\:;"',<>|=$@+*?-][^\s/\\:;",<>|=]*){1,3}(?=/))?`;
const otherHome = new RegExp(
  // POSIX, also on another system's disk, and Windows in its three spellings.
  String.raw`(?:(?<![\w./~-])|(?<=:\/\/\/?))(?:/var)?(?:/home/${person}|/Users/${person}${furtherWords})` +
    String.raw`|(?<![\w./~-])(?:/mnt|/cygdrive)?/[a-z]/Users/${person}${furtherWords}` +
    String.raw`|(?<![\w~-])(?<![\w~]/)[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/)(?!${sharedAccounts}(?![\w.-]))[^/:;"'\\]+`,
  'g',
);

/** Writes other users' home folders as `~` too: of Windows under WSL, of the account that called sudo, of a colleague. */
export function withoutOtherHomes(text: string): string {
  return /home\/|Users[\\/]/.test(text) ? text.replace(otherHome, '~') : text;
}

/**
 * Replaces whole folder names only: with the home `/home/dev`, `/home/dev/x` becomes `~/x`, while `/home/developer`
 * and `/mnt/home/dev` stay. Compiler flags (`-I/home/dev/include`) and file URLs count as starts of a path.
 */
export function homeAbbreviation(
  homes: readonly (string | undefined)[],
  onWindows: boolean,
  mark = '~',
): HomeAbbreviation {
  const usable = new Set<string>();
  for (const home of homes) {
    const trimmed = home?.replace(/(?<![\\/])[\\/]+$/, '');
    // The root of a file system, or an empty home, is not a name worth hiding.
    if (trimmed && !/^[A-Za-z]:$/.test(trimmed)) usable.add(trimmed);
  }
  if (usable.size === 0) return (text) => text;
  const alternatives = [...usable]
    .sort((a, b) => b.length - a.length)
    .map((home) => home.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .map((home) => (onWindows ? home.replace(/\\\\|\//g, '[\\\\/]+') : home));
  const before = onWindows
    ? String.raw`(?<![\w.~-])(?<![\w.~-][\\/])`
    : String.raw`(?:(?<![\w./~-])|(?<=:\/\/\/?)|(?<=(?:^|[\s"'])-{1,2}[A-Za-z]))`;
  const pattern = new RegExp(
    String.raw`${before}(?:${alternatives.join('|')})(?![\w~-]|\.\w)`,
    onWindows ? 'gi' : 'g',
  );
  // Most texts name no home folder, and a search is far cheaper than the expression.
  const mayMatch = onWindows
    ? () => true
    : (text: string): boolean => [...usable].some((home) => text.includes(home));
  return (text) => (mayMatch(text) ? text.replace(pattern, mark) : text);
}
