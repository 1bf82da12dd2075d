// Finds the manager that installed a tool, by the folder that the tool is in.

import type { CapturedMachine } from '../system/machine.ts';
import folders from './tool-folders.json' with { type: 'json' };

const markers = Object.entries(folders).map(([name, path]) => ({ name, path: new RegExp(path, 'i') }));

/** The manager whose folder contains the tool; undefined for the system's own tools and for unknown places. */
export function toolManager(
  machine: CapturedMachine,
  toolPath: string,
  realPath: string,
): string | undefined {
  const [place, realPlace] = [toolPath, realPath].map((each) => each.replaceAll('\\', '/'));
  const environment = machine.env.VIRTUAL_ENV?.replaceAll('\\', '/');
  if (environment && place?.startsWith(`${environment}/`)) return 'venv';
  return markers.find(({ path }) => path.test(place ?? '') || path.test(realPlace ?? ''))?.name;
}
