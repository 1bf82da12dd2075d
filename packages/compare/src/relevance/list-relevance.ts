// Whether two lists of folders are so alike that what differs between them says something.

import { compareLists, splitList } from '../model/ordered-list.ts';

export interface RawLists {
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly os: readonly (string | null | undefined)[];
}

/** Most entries that may differ between two lists for them to count as one list with a change. */
const mostChanges = 2;
/** Folders in which a tool's manager or a session keeps what it runs: they come and go. */
const ownFolders =
  /\.nvm\/|\.volta|fnm|\.asdf|mise|\.pyenv|\.rbenv|\.rvm|\.sdkman|\.bun|\.deno|\.cargo\/bin|pnpm|homebrew|linuxbrew|\.vscode|\.cursor|JetBrains|snap\/bin|\.local\/share|node_modules\/\.bin|\.krew|\.jenv|\.local\/bin|fzf|\.opencode|go\/bin|WindowsApps|^\/mnt\/|^\/Applications\/|^~\/bin$|ccache|^\/usr\/lib\/wsl/i;

/** True when two lists of one system are nearly the same: then what differs was changed on purpose, or by mistake. */
export function isNearlySameList({ a, b, os }: RawLists): boolean {
  if (a === undefined || b === undefined || os[0] !== os[1]) return false;
  const left = splitList(a, os[0]);
  const right = splitList(b, os[1]);
  const change = compareLists(left, right, os[0]);
  if (!change) return false;
  const changed = [...change.added, ...change.removed, ...change.moved];
  const telling = changed.filter((folder) => !ownFolders.test(folder));
  const common = left.length - change.removed.length;
  return telling.length > 0 && changed.length <= mostChanges && common >= 3;
}
