// Holds what is installed against the lock files of a folder, and its work tree against the commit, without the rest of a capture.

import path from 'node:path';
import { collectDependencies } from '../dependencies/collect-dependencies.ts';
import { findProjectRoot } from '../project/find-project-root.ts';
import { type CheckoutState, collectGit } from '../project/git.ts';
import { openMachine } from '../system/machine.ts';
import { createSystem } from '../system/node-system.ts';
import type { System } from '../system/system.ts';
import { collectInstalled } from './collect-installed.ts';
import type { DriftContext } from './explain-drift.ts';

/** The parts of a snapshot that say what is locked, what is installed otherwise, and what the work tree holds. */
export interface InstalledState {
  readonly dependencies: Record<string, Record<string, string>>;
  readonly metadata: {
    readonly installed: Record<string, Record<string, string>>;
    readonly drift: Record<string, DriftContext>;
    readonly notInstalled: readonly string[];
    /** Absent outside of a repository. */
    readonly checkout?: CheckoutState;
  };
  /** Lock files whose packages on disk were looked at. */
  readonly examined: readonly string[];
}

/** By default of the project around the working folder. Starts nothing and never rejects: what cannot be read is left out. */
export async function readInstalled(dir?: string, system: System = createSystem()): Promise<InstalledState> {
  const folder = dir === undefined ? await findProjectRoot('.', system) : path.resolve(dir);
  const machine = openMachine(system);
  const { dependencies } = await collectDependencies(machine, { folder, manifests: false });
  const { installed, drift, notInstalled, examined } = await collectInstalled(machine, folder, dependencies);
  const { checkout } = await collectGit(machine, folder);
  return {
    dependencies,
    metadata: { installed, drift, notInstalled, ...(checkout && { checkout }) },
    examined,
  };
}
