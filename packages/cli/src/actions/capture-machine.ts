// Captures this machine for the commands: loads the collectors, and knows the cache folder and the fingerprint key.

import type { CaptureProgress, CaptureRequest, CaptureResult } from '@envsnap/capture';
import { cacheFolder } from '../../bin/cache-folder.js';
import { buildId, version } from '../program.ts';
import { runCapture } from '../threads/capture-jobs.ts';
import type { Viewpoint } from '../threads/viewpoint.ts';

/**
 * Captures this machine, or what a view shows of it, which is never cached; in a workspace, only the package in the folder
 * `workspace`. Exit code 2 when the folder cannot be captured.
 */
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

/** What a progress event means to a person. */
export function progressText(event: CaptureProgress): string | undefined {
  if (event.kind === 'tool-probed') return `Asking tools for their versions  ${event.done} of ${event.total}`;
  if (event.kind === 'files-read') return `Reading dependency files  ${event.count}`;
  return undefined;
}
