// Captures this machine for the commands: loads the collectors, and knows the cache folder and the fingerprint key.

import type { CaptureProgress, CaptureRequest, CaptureResult, System } from '@envsnap/capture';
import { cacheFolder } from '../../bin/cache-folder.js';
import { CliError } from '../errors/cli-error.ts';
import { buildId, version } from '../program.ts';
import { runCapture } from '../threads/capture-jobs.ts';

/**
 * Captures this machine, or what `system` shows of it, of which nothing is remembered; of a workspace, only the package in the folder
 * `workspace`. Exit code 2 when the folder cannot be captured.
 */
export async function captureMachine(
  request: Omit<CaptureRequest, 'cacheDir' | 'toolVersion' | 'programId'> & { readonly workspace?: string },
  system?: System,
): Promise<CaptureResult> {
  const { workspace, ...options } = request;
  const programs = { toolVersion: version, programId: buildId() };
  const captured =
    system === undefined
      ? await runCapture({ ...options, ...programs, cacheDir: cacheFolder() })
      : await captureView({ ...options, ...programs }, system);
  if (workspace === undefined) return captured;
  const { workspaceView } = await import('@envsnap/compare/workspace/model/workspace-view');
  return { ...captured, snapshot: workspaceView(captured.snapshot, workspace) };
}

/** What another process or container sees of this machine. The view is made here, and read here too. */
async function captureView(request: CaptureRequest, system: System): Promise<CaptureResult> {
  const { CaptureError, capture } = await import('@envsnap/capture');
  try {
    return await capture(request, system);
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    throw new CliError(error.message, { code: 'invalid_folder', cause: error });
  }
}

/** What a progress event means to a person. */
export function progressText(event: CaptureProgress): string | undefined {
  if (event.kind === 'tool-probed') return `Asking tools for their versions  ${event.done} of ${event.total}`;
  if (event.kind === 'files-read') return `Reading dependency files  ${event.count}`;
  return undefined;
}
