// Shims: small programs that version managers put on `PATH` in place of tools.

import type { UntrustedTree } from '../system/guarded-reads.ts';
import type { CapturedMachine } from '../system/machine.ts';

export interface ShimContext {
  readonly machine: CapturedMachine;
  /** The captured folder: managers choose by the files from there upward. */
  readonly folder: string;
  /** The captured folder, from which nothing is started. */
  readonly tree: UntrustedTree;
}

/** The result of a manager for a command. */
export type ShimAnswer =
  | {
      readonly kind: 'tool';
      readonly path: string;
      readonly selectedBy: string;
      /** The folder in which the manager keeps its versions: programs outside it are not started. */
      readonly root: string;
    }
  /** The manager does not apply, so the next place on `PATH` is used. `instead`: the chosen version that is not installed. */
  | { readonly kind: 'next'; readonly instead?: string }
  /** Only starting a program that the folder names could show it. `reason` says which. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** The command would fail. `reason` ends the sentence “NAME is a shim of MANAGER, but …”. */
  | { readonly kind: 'absent'; readonly reason: string };

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

/** Versions, and what chose them. */
export interface Choice {
  readonly versions: readonly string[];
  readonly selectedBy: string;
}

export const absent = (reason: string): ShimAnswer => ({ kind: 'absent', reason });

/** A version that leads to an arbitrary folder. */
export const namesFolder = (selectedBy: string, tool: string): ShimAnswer => ({
  kind: 'unknown',
  reason: `${selectedBy} names a folder instead of a version of ${tool}`,
});

export const nextAfter = (missing: string): ShimAnswer =>
  missing === '' ? { kind: 'next' } : { kind: 'next', instead: `${missing} is not installed` };

/** The first of several programs that exists. */
export async function firstProgram(
  { machine: { files } }: ShimContext,
  paths: readonly string[],
  selectedBy: string,
  root: string,
): Promise<ShimAnswer | undefined> {
  for (const path of paths)
    if ((await files.status(path))?.executable) return { kind: 'tool', path, selectedBy, root };
  return undefined;
}

/** Whether a version is just a folder's name: no path, no prefix that leads elsewhere, neither `.` nor `..`. */
export function isPlainVersion(version: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.+@~-]{0,99}$/.test(version);
}

/** Where Windows programs keep the data of one user on one machine. */
export function localAppData({ env, homeDir, files }: CapturedMachine): string {
  return env.LOCALAPPDATA ?? files.paths.join(homeDir, 'AppData', 'Local');
}

/** A file's name in messages: relative to the captured folder if the file is in or above it, otherwise its path. */
export function displayName({ machine: { files }, folder }: ShimContext, file: string): string {
  const { dirname, relative, sep } = files.paths;
  const isNear = files.upward(folder).includes(dirname(file)) || file.startsWith(folder + sep);
  return isNear ? relative(folder, file).replaceAll('\\', '/') : file;
}
