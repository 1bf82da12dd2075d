// The folder for data that can be recreated. Plain JavaScript, because it is needed before the bundle is loaded.

const { homedir, userInfo } = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/**
 * The user's home folder, always an absolute path: with an empty or relative HOME it would be in the working folder, which may
 * be a stranger's. The root if the system knows of none, such as in a container without accounts.
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
