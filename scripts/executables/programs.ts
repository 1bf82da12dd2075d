// The programs that executables are made of.

import { bundleCli } from './bundle-cli.ts';
import { bundleServer } from './bundle-server.ts';
import { type Target, type TargetName, targets } from './targets.ts';

/** The parts of an executable. */
export interface ProgramFiles {
  /** The main program, an ES module. */
  readonly main: string;
  /** Other contents: asset to file. */
  readonly assets: Readonly<Record<string, string>>;
  /** The licences of what is inside. */
  readonly licences: string;
}

export const programs = { envsnap: bundleCli, 'envsnap-server': bundleServer };

export type ProgramName = keyof typeof programs;

/** The file of a program. */
export function fileOf(program: ProgramName, { platform }: Target): string {
  return platform === 'win32' ? `${program}.exe` : program;
}

/**
 * The archive for a target: `envsnap-linux-x64.tar.gz`, for Windows a zip, which winget takes. Names have no version, so that
 * links to the newest stay.
 */
export function archiveOf(program: ProgramName, target: TargetName): string {
  return `${program}-${target}.${targets[target].platform === 'win32' ? 'zip' : 'tar.gz'}`;
}
