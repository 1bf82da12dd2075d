// `metadata.project`: where the project begins, what its files mention, what is around it.

import type { CapturedMachine } from '../system/machine.ts';
import { findRootOf } from './find-project-root.ts';
import { readProject } from './read-project.ts';
import { readSurroundings } from './surroundings.ts';

/** `open`: the machine without its guard, since the root may be above the captured folder. */
export async function collectProject(open: CapturedMachine, machine: CapturedMachine, folder: string) {
  const root = await findRootOf(open, folder);
  const inside = open.files.paths.relative(root, folder).replaceAll('\\', '/');
  const { outputs, above } = await readSurroundings(machine, folder, root);
  return {
    ...(await readProject(machine, folder)),
    root,
    ...(inside !== '' && { folder: inside }),
    ...(Object.keys(outputs).length > 0 && { outputs }),
    ...(Object.keys(above).length > 0 && { above }),
  };
}
