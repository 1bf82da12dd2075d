// Captures this machine for the commands: loads the collectors, and knows the cache folder and the fingerprint key.

import { homedir } from 'node:os';
import path from 'node:path';
import type { CaptureProgress, CaptureRequest, CaptureResult } from '@envsnap/capture';
import { CliError } from '../errors/cli-error.ts';
import { version } from '../program.ts';

/** Captures this machine. Exit code 2 when the folder cannot be captured. */
export async function captureMachine(
  request: Omit<CaptureRequest, 'cacheDir' | 'toolVersion'>,
): Promise<CaptureResult> {
  const { CaptureError, capture } = await import('@envsnap/capture');
  try {
    return await capture({ ...request, cacheDir: cacheFolder(), toolVersion: version });
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    throw new CliError(error.message, { code: 'invalid_folder', cause: error });
  }
}

/** `$XDG_CACHE_HOME/envsnap`, by default `~/.cache/envsnap` (`%LOCALAPPDATA%` on Windows). Safe to delete. */
function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env.XDG_CACHE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'envsnap');
  if (process.platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'envsnap', 'cache');
  return path.join(homedir(), '.cache', 'envsnap');
}

/** What a progress event means to a person. */
export function progressText(event: CaptureProgress): string | undefined {
  if (event.kind === 'tool-probed') return `Asking tools for their versions  ${event.done} of ${event.total}`;
  if (event.kind === 'files-read') return `Reading dependency files  ${event.count}`;
  return undefined;
}
