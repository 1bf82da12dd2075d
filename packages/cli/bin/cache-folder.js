// Where the program keeps what it can make again: plain JavaScript, since it is needed before the bundle is loaded.

const { homedir } = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/** The user's home folder; the root where the system knows of none, as in a container without accounts. */
export function homeFolder() {
  try {
    return homedir();
  } catch {
    return path.parse(process.execPath).root || '/';
  }
}

/** `$XDG_CACHE_HOME/envsnap`, by default `~/.cache/envsnap` (`%LOCALAPPDATA%` on Windows). Safe to delete. */
export function cacheFolder(env = process.env) {
  const xdg = env.XDG_CACHE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'envsnap');
  if (process.platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'envsnap', 'cache');
  return path.join(homeFolder(), '.cache', 'envsnap');
}
