// What stands behind a shim: the small program that a version manager puts on `PATH` in a tool's place.

import type { MachineFiles } from '../system/machine-files.ts';
import type { System } from '../system/system.ts';

export interface ShimContext {
  readonly system: System;
  readonly files: MachineFiles;
  /** The captured folder: managers choose by the files found from there upward. */
  readonly folder: string;
}

/** What a manager makes of a command. */
export type ShimAnswer =
  | { readonly kind: 'tool'; readonly path: string; readonly selectedBy: string }
  /** The manager steps aside: the next place on `PATH` counts. */
  | { readonly kind: 'next' }
  /** The command would fail. `reason` ends the sentence “NAME is a shim of MANAGER, but …”. */
  | { readonly kind: 'absent'; readonly reason: string };

/** A candidate on `PATH`. */
export interface ShimCandidate {
  readonly name: string;
  readonly path: string;
  readonly realPath: string;
}

export interface ShimManager {
  readonly name: string;
  /** True when the candidate is one of this manager's shims. Cheap: called for every candidate. */
  recognises(context: ShimContext, candidate: ShimCandidate): boolean | Promise<boolean>;
  resolve(context: ShimContext, candidate: ShimCandidate): Promise<ShimAnswer>;
}

/** A file's name in texts for people: relative to the captured folder where it lies in or above it, else its path. */
export function displayName({ files: { paths, upward }, folder }: ShimContext, file: string): string {
  const isNear = upward(folder).includes(paths.dirname(file)) || file.startsWith(folder + paths.sep);
  return isNear ? paths.relative(folder, file).replaceAll('\\', '/') : file;
}
