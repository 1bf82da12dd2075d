// `metadata.notInstalled`: lock files of which nothing is installed in this folder yet, as in a fresh clone. A comparison with
// a folder where they are installed could not compare the packages, and says so. See docs/decisions/0081.

import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import type { CapturedMachine } from '../system/machine.ts';

/** Most lock files that are named. */
const maxFiles = 50;

const modulesFormats = new Set(['npm-shrinkwrap', 'npm-lock', 'yarn-lock', 'pnpm-lock', 'bun-lock']);
const plugAndPlay = ['.pnp.cjs', '.pnp.data.json', '.pnp.js'];

/** Lock files of Python and Ruby are never among them: their packages may be installed for the whole machine. */
export async function findNotInstalled(
  machine: CapturedMachine,
  folder: string,
  dependencies: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<string[]> {
  const { files } = machine;
  const { join } = files.paths;
  const found: string[] = [];
  for (const [file, locked] of Object.entries(dependencies)) {
    const format = formatOfFile(file)?.id ?? '';
    if (Object.keys(locked).length === 0 || found.length === maxFiles) continue;
    const root = files.paths.dirname(join(folder, ...file.split('/')));
    if (modulesFormats.has(format)) {
      // Programs find what stands in a folder above, too.
      const places = [...files.upward(root).map((above) => join(above, 'node_modules'))];
      const isInstalled = await someOf(places, (place) => files.isFolder(place));
      const isPlugged = await someOf(plugAndPlay, (name) => files.isFile(join(root, name)));
      if (!isInstalled && !isPlugged && (await files.isFile(join(root, 'package.json')))) found.push(file);
    } else if (format === 'composer-lock') {
      const config = await files.text(join(root, 'composer.json'));
      const hasOwnFolder = config === undefined || config.includes('"vendor-dir"');
      if (!hasOwnFolder && !(await files.isFolder(join(root, 'vendor')))) found.push(file);
    }
  }
  return found.sort();
}

async function someOf(
  places: readonly string[],
  test: (place: string) => Promise<boolean>,
): Promise<boolean> {
  for (const place of places) if (await test(place)) return true;
  return false;
}
