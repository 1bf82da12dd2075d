// The machine as every collector sees it: its files, and programs that are started only if they are outside the captured folder.

import type { Spend } from '@envsnap/shared/work-budget';
import { createEffort } from './effort.ts';
import { type FileCache, noFileCache } from './file-cache.ts';
import type { UntrustedTree } from './guarded-reads.ts';
import { guardReads } from './guarded-reads.ts';
import { createMachineFiles, type MachineFiles } from './machine-files.ts';
import { createProcessSlots } from './process-slots.ts';
import type { ExecuteResult, System } from './system.ts';

/** One machine during one capture. */
export interface CapturedMachine extends System {
  /** Its files, of which any may be absent; each is read once. Methods of the machine itself reject. */
  readonly files: MachineFiles;
  /** Cached contents of files from an earlier capture. */
  readonly fileCache: FileCache;
  /** Counts the work that repositories and their rules cause. */
  readonly spend: Spend;
}

/** Opens the view of a machine that one capture, or one check, shares. Programs start as the system starts them. */
export function openMachine(system: System, fileCache: FileCache = noFileCache): CapturedMachine {
  return { ...system, files: createMachineFiles(system), fileCache, spend: createEffort() };
}

/** Processes at once. Measured on 2 cores: fewer leave them idle, more only add switching; never above 8. */
const processLimit = 4;

/**
 * The same machine with a guard before its files and its programs. No link of the captured folder is read that leads out of it
 * (see {@link guardReads}). Programs get the given variables (asked for when the first one starts) and no others, none of the
 * captured folder's is ever started, and only a limited number runs at once.
 */
export function guardMachine(
  machine: CapturedMachine,
  tree: UntrustedTree,
  variables: () => Readonly<Record<string, string>>,
): CapturedMachine {
  const inTimeSlice = createProcessSlots(processLimit);
  let environment: Readonly<Record<string, string>> | undefined;
  const guarded = { ...machine, ...guardReads(machine, tree) };
  return {
    ...guarded,
    files: createMachineFiles(guarded),
    async execute(file, args, { weight = 'urgent', ...options } = {}) {
      const real = await machine.realPath(file).catch(() => file);
      if (tree.holds(file) || tree.holds(real)) return notStarted;
      environment ??= variables();
      const given = { ...options, environment };
      return inTimeSlice(() => machine.execute(file, args, given), weight);
    },
  };
}

export const notStarted: ExecuteResult = {
  outcome: 'failed-to-start',
  exitCode: null,
  stdout: '',
  stderr: '',
  durationMs: 0,
};
