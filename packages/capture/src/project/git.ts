// State of the git repository that holds the captured folder, read from its files. git itself is never started: it would
// obey the repository's settings, which name programs. docs/specification.md §10.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CapturedMachine } from '../system/machine.ts';
import { findRepository, readHead } from './git/repository.ts';
import { readCleanliness } from './git/work-tree.ts';

export interface GitState {
  /** Full object name; absent before the first commit. */
  readonly commit?: string;
  /** Absent when the head is detached. */
  readonly branch?: string;
  /** Changed, staged or untracked files; absent where that cannot be told without starting a program. */
  readonly dirty?: boolean;
}

export interface CollectedGit {
  readonly git?: GitState;
  readonly unknown: readonly UnknownEntry[];
}

/** Reads the state; no repository gives neither a state nor anything unknown. */
export async function collectGit(machine: CapturedMachine, folder: string): Promise<CollectedGit> {
  const repository = await findRepository(machine.files, folder);
  if (!repository) return { unknown: [] };
  const { commit, branch, unreadable } = await readHead(machine.files, repository);
  const state = await readCleanliness(machine, repository);
  const unknown: UnknownEntry[] = [];
  if (unreadable !== undefined) unknown.push({ section: 'git', key: 'commit', reason: unreadable });
  if ('unknown' in state) unknown.push({ section: 'git', key: 'dirty', reason: state.unknown });
  return {
    git: {
      ...(commit !== undefined && { commit }),
      ...(branch !== undefined && { branch }),
      ...('dirty' in state && { dirty: state.dirty }),
    },
    unknown,
  };
}
