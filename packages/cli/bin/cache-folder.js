// Where the program keeps what it can make again: plain JavaScript, since it is needed before the bundle is loaded.

const { homedir, userInfo } = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/**
 * The user's home folder, always an absolute path: where HOME is set and empty, or relative, it would lie in the working
 * folder, which may be a stranger's. The root where the system knows of none, as in a container without accounts.
 */
export function homeFolder() {
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const folder = ask();
      if (path.isAbsolute(folder)) return folder;
    } catch {
      // No such account.
    }
  }
  return path.parse(process.execPath).root || '/';
}

/** `$XDG_CACHE_HOME/envsnap`, by default `~/.cache/envsnap` (`%LOCALAPPDATA%` on Windows). Safe to delete. */
export function cacheFolder(env = process.env) {
  const xdg = env.XDG_CACHE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'envsnap');
  if (process.platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'envsnap', 'cache');
  return path.join(homeFolder(), '.cache', 'envsnap');
}
