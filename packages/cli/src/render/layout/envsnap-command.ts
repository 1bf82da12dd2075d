// A command that is advised, as a person may copy it into a shell.

import { shellWord } from '@envsnap/shared/text/visible';

/** `envsnap` with these words, each quoted where it needs to be. */
export function envsnapCommand(...words: readonly string[]): string {
  return ['envsnap', ...words].map(shellWord).join(' ');
}
