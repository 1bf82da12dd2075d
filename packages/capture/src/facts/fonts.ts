// Which fonts are installed, by the names of their files, because reading thousands of them takes seconds.

import type { CapturedMachine } from '../system/machine.ts';
import { type FactReading, type FactSources, shortDigest } from './fact-reader.ts';

const fontFile = /\.(?:ttf|otf|ttc|otc|pfb|pfa|woff2?|dfont|pcf(?:\.gz)?)$/i;
const maxDepth = 6;
const maxFolders = 2000;

/** `57 sha256:…`: the number of files and a digest of their names; `0` if there are none. */
export async function readFonts({ machine }: FactSources): Promise<FactReading> {
  const { join } = machine.files.paths;
  const names: string[] = [];
  let visited = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    visited += 1;
    if (depth > maxDepth || visited > maxFolders) return;
    for (const { name, kind } of await machine.files.entries(folder)) {
      if (kind === 'directory') await visit(join(folder, name), depth + 1);
      else if (fontFile.test(name)) names.push(name);
    }
  };
  for (const folder of fontFolders(machine)) await visit(folder, 0);
  return names.length === 0 ? '0' : `${names.length} ${shortDigest(names.sort().join('\n'))}`;
}

function fontFolders({ env, files, homeDir, platform }: CapturedMachine): string[] {
  const { join } = files.paths;
  if (platform === 'darwin')
    return ['/System/Library/Fonts', '/Library/Fonts', join(homeDir, 'Library', 'Fonts')];
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA ?? join(homeDir, 'AppData', 'Local');
    return [join(env.SystemRoot ?? 'C:\\Windows', 'Fonts'), join(local, 'Microsoft', 'Windows', 'Fonts')];
  }
  const data = env.XDG_DATA_HOME || join(homeDir, '.local', 'share');
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(data, 'fonts'), join(homeDir, '.fonts')];
}
