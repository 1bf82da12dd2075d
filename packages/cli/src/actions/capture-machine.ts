// Captures this machine for the commands: loads the collectors, and passes them the cache folder and the fingerprint key.

import { statSync } from 'node:fs';
import path from 'node:path';
import type { CaptureProgress, CaptureRequest, CaptureResult } from '@envsnap/capture';
import { cacheFolder } from '../../plain/cache-folder.js';
import { CliError } from '../errors/cli-error.ts';
import { buildId, version } from '../program.ts';
import { runCapture } from '../threads/capture-jobs.ts';
import type { Viewpoint } from '../threads/viewpoint.ts';

/** A capture from the view of another process is never cached. Exit code 2 if the folder cannot be captured. */
export async function captureMachine(
  request: Omit<CaptureRequest, 'cacheDir' | 'toolVersion' | 'programId'> & { readonly workspace?: string },
  view?: Viewpoint,
): Promise<CaptureResult> {
  const { workspace, ...options } = request;
  const programs = { toolVersion: version, programId: buildId() };
  const captured = view
    ? await runCapture({ ...options, ...programs }, view)
    : await runCapture({ ...options, ...programs, cacheDir: cacheFolder() }, { kind: 'own' });
  if (workspace === undefined) return captured;
  const { workspaceView } = await import('@envsnap/compare/workspace/model/workspace-view');
  return { ...captured, snapshot: workspaceView(captured.snapshot, workspace) };
}

export function progressText(event: CaptureProgress): string | undefined {
  if (event.kind === 'tool-probed') return `Asking tools for their versions  ${event.done} of ${event.total}`;
  if (event.kind === 'files-read') return `Reading dependency files  ${event.count}`;
  return undefined;
}

export interface ProjectFolder {
  /** Absolute. */
  readonly folder: string;
  /** The root relative to the working folder, if it was found above it; undefined if they are the same. */
  readonly found: string | undefined;
  /** The selected package of the workspace, relative to the folder, with `/`. */
  readonly workspace: string | undefined;
}

export async function projectFolder({
  dir,
  workspace,
}: Record<'dir' | 'workspace', string | undefined>): Promise<ProjectFolder> {
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
