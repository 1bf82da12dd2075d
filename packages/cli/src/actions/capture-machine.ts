// Captures this machine for the commands: loads the collectors, and knows the cache folder and the fingerprint key.

import { homedir } from 'node:os';
import path from 'node:path';
import type { CaptureOptions, CaptureProgress, CaptureResult } from '@envsnap/capture';
import type { EnvSnap } from '@envsnap/sdk';
import type { Connection } from '../connection/settings.ts';
import { CliError } from '../errors/cli-error.ts';
import { refusalReason } from '../errors/refusal-reason.ts';
import { version } from '../program.ts';
import { projectOf } from './current-project.ts';

/** What a command asks for; the rest has defaults. */
export type CaptureRequest = Partial<Omit<CaptureOptions, 'folder' | 'toolVersion' | 'cacheDir'>> & {
  /** Folder to capture, relative to the working folder. Default `.`. */
  readonly folder?: string;
};

/** Captures this machine. Exit code 2 when the folder is none. */
export async function captureMachine(request: CaptureRequest): Promise<CaptureResult> {
  const { captureEnvironment, createSystem } = await import('@envsnap/capture');
  const system = createSystem();
  const folder = path.resolve(request.folder ?? '.');
  const status = await system.status(folder).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'there is no such folder' : `it cannot be read: ${refusalReason(error.code)}`;
    throw new CliError(`${folder}: ${reason}`, { code: 'invalid_folder', cause: error });
  });
  if (status.kind !== 'directory') throw new CliError(`${folder} is no folder`, { code: 'invalid_folder' });
  return captureEnvironment(system, {
    envValues: 'safe',
    envInclude: [],
    envExclude: [],
    manifests: false,
    metadata: {},
    ...request,
    folder,
    cacheDir: cacheFolder(),
    toolVersion: version,
  });
}

/** `$XDG_CACHE_HOME/envsnap`, by default `~/.cache/envsnap` (`%LOCALAPPDATA%` on Windows). Safe to delete. */
function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env.XDG_CACHE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'envsnap');
  if (process.platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'envsnap', 'cache');
  return path.join(homedir(), '.cache', 'envsnap');
}

/** The key of fingerprints where nothing is sent: only the one from the variable. */
export function ownFingerprintKey(): { fingerprintKey?: string } {
  const fingerprintKey = process.env.ENVSNAP_FINGERPRINT_KEY;
  return fingerprintKey ? { fingerprintKey } : {};
}

/** The key of fingerprints on the way to a project: the one from the variable, else the project's id. Decisions §10. */
export async function projectFingerprintKey(client: EnvSnap, connection: Connection): Promise<string> {
  return process.env.ENVSNAP_FINGERPRINT_KEY || projectOf(client, connection);
}

/** What a progress event means to a person. */
export function progressText(event: CaptureProgress): string | undefined {
  if (event.kind === 'tool-probed') return `Asking tools for their versions  ${event.done} of ${event.total}`;
  if (event.kind === 'files-read') return `Reading dependency files  ${event.count}`;
  return undefined;
}
