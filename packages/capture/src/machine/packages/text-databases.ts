// The databases of dpkg and apk: paragraphs of text.

import type { MachineFiles } from '../../system/machine-files.ts';
import type { System } from '../../system/system.ts';
import type { InstalledPackages } from './read-machine-packages.ts';

/** dpkg(1). A package that was removed may keep its configuration and its paragraph. */
export async function readDpkg(
  system: System,
  _files: MachineFiles,
  path: string,
): Promise<InstalledPackages> {
  const text = await system.readTextFile(path);
  const packages: [string, string][] = [];
  for (const paragraph of text.split('\n\n')) {
    const name = /^Package: (\S+)/m.exec(paragraph)?.[1];
    const version = /^Version: (\S+)/m.exec(paragraph)?.[1];
    if (name && version && /^Status: \S+ \S+ installed$/m.test(paragraph)) packages.push([name, version]);
  }
  return packages;
}

/** apk(5): `P:` the name, `V:` the version. */
export async function readApk(
  system: System,
  _files: MachineFiles,
  path: string,
): Promise<InstalledPackages> {
  const text = await system.readTextFile(path);
  const packages: [string, string][] = [];
  for (const paragraph of text.split('\n\n')) {
    const name = /^P:(\S+)/m.exec(paragraph)?.[1];
    const version = /^V:(\S+)/m.exec(paragraph)?.[1];
    if (name && version) packages.push([name, version]);
  }
  return packages;
}
