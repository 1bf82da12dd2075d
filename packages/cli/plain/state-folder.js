// The folder for data that cannot be recreated. Plain JavaScript, because it is needed without the bundle too.

const path = process.getBuiltinModule('node:path');

import { homeFolder } from './cache-folder.js';

/** `$XDG_STATE_HOME/envsnap`, by default `~/.local/state/envsnap` (`%LOCALAPPDATA%\envsnap\state` on Windows). */
export function stateFolder(env = process.env) {
  const xdg = env.XDG_STATE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'envsnap');
  if (process.platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'envsnap', 'state');
  return path.join(homeFolder(), '.local/state/envsnap');
}
