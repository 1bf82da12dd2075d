// Which folder a command is about: the one that was named, else the root of the project around the working folder.

import { statSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../errors/cli-error.ts';

/** The flags that choose it. */
interface FolderFlags {
  readonly dir: string | undefined;
  readonly workspace: string | undefined;
}

export interface ProjectFolder {
  /** Absolute. */
  readonly folder: string;
  /** The root relative to the working folder, where it was found above it; undefined where it is the working folder. */
  readonly found: string | undefined;
  /** The package of the workspace that was asked for, relative to the folder, with `/`. */
  readonly workspace: string | undefined;
}

/** Finds it. Exit code 2 where the workspace has no such package. */
export async function projectFolder({ dir, workspace }: FolderFlags): Promise<ProjectFolder> {
  const { findProjectRoot } = await import('@envsnap/capture/workspace/project/find-project-root');
  const folder = dir === undefined ? await findProjectRoot() : path.resolve(dir);
  const found = dir === undefined ? path.relative(process.cwd(), folder) : '';
  return {
    folder,
    found: found === '' ? undefined : found,
    workspace: workspace === undefined ? undefined : packageIn(folder, workspace),
  };
}

function packageIn(folder: string, workspace: string): string {
  const inside = path.relative(folder, path.resolve(folder, workspace)).replaceAll(path.sep, '/');
  const isThere = statSync(path.join(folder, inside), { throwIfNoEntry: false })?.isDirectory() === true;
  if (inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside) && isThere) return inside;
  throw new CliError(`there is no package "${workspace}" below ${folder}`, {
    code: 'invalid_folder',
    hint: '--workspace takes the folder of a package, relative to the root of the project: packages/web.',
  });
}
