// Which executables are made, and with which Node.js: one row per target. All have the same version, because Node.js writes an
// executable for its own version only.

import type { NodePackage } from './fetch-node.ts';
import rows from './targets.json' with { type: 'json' };

/** The Node.js inside every executable. */
export const nodeVersion = '26.10.0';

/** A platform for which executables are made. */
export interface Target extends NodePackage {
  /** `process.platform` and `process.arch` of the target. */
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
  /** Packed with its own loader and libraries, so that it runs with any C library. */
  readonly ownLibraries: boolean;
}

/** Rows name a package of the npm registry, and the integrity of its tarball as the registry publishes it. */
export type TargetName = keyof typeof rows;

export const targets = Object.fromEntries(
  Object.entries(rows).map(([name, { nodePackage, integrity }]) => {
    const [system = '', arch, ownLibraries] = name.split('-');
    const isWindows = system === 'win';
    const target = {
      version: nodeVersion,
      platform: isWindows ? 'win32' : system,
      arch,
      nodePackage,
      nodeFile: isWindows ? 'bin/node.exe' : 'bin/node',
      integrity,
      ownLibraries: ownLibraries !== undefined,
    };
    return [name, target];
  }),
) as Record<TargetName, Target>;

/** The target that this machine can run; undefined if there is none. */
export function hostTarget(): TargetName | undefined {
  const names = Object.keys(targets) as TargetName[];
  return names.find((name) => {
    const { platform, arch, ownLibraries } = targets[name];
    return platform === process.platform && arch === process.arch && !ownLibraries;
  });
}
