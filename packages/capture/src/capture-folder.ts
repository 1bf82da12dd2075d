// The capture as scripts call it: a folder of this machine, with a default for every option.

import path from 'node:path';
import { captureEnvironment } from './capture-environment.ts';
import type { CaptureOptions, CaptureResult } from './capture-types.ts';
import { findProjectRoot } from './project/find-project-root.ts';
import { createSystem } from './system/node-system.ts';
import type { System } from './system/system.ts';
import { version } from './version.ts';

/** Options of a capture; everything has a default. */
export type CaptureRequest = Partial<Omit<CaptureOptions, 'folder'>> & {
  /** Folder to capture, relative to the working folder. Default: the root of the project around the working folder. */
  readonly dir?: string;
};

/** Why nothing was captured: the folder does not exist, cannot be read, or is not a folder. */
export type CaptureErrorCode = 'folder_not_found' | 'folder_unreadable' | 'not_a_folder';

/** Thrown if the folder cannot be captured. Every other failure is a warning in the report. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
  readonly code: CaptureErrorCode;
  /** The folder's absolute path. */
  readonly folder: string;

  constructor(code: CaptureErrorCode, folder: string, options?: ErrorOptions) {
    const reason: Record<CaptureErrorCode, string> = {
      folder_not_found: 'there is no such folder',
      folder_unreadable: 'the folder cannot be read',
      not_a_folder: 'this is not a folder',
    };
    super(`${folder}: ${reason[code]}`, options);
    this.code = code;
    this.folder = folder;
  }
}

/**
 * Captures this machine and a folder. Starts no program of the folder, prints nothing, and writes nothing unless `cacheDir`
 * is given. Secrets are left out of the snapshot, or replaced by fingerprints where `fingerprintKey` is given. Rejects with
 * a {@link CaptureError}. docs/specification.md §10.
 */
export async function capture(
  request: CaptureRequest = {},
  system: System = createSystem(),
): Promise<CaptureResult> {
  const { dir, ...options } = request;
  const folder = dir === undefined ? await findProjectRoot('.', system) : path.resolve(dir);
  const status = await system.status(folder).catch((cause: NodeJS.ErrnoException) => {
    const isMissing = cause.code === 'ENOENT' || cause.code === 'ENOTDIR';
    throw new CaptureError(isMissing ? 'folder_not_found' : 'folder_unreadable', folder, { cause });
  });
  if (status.kind !== 'directory') throw new CaptureError('not_a_folder', folder);
  return captureEnvironment(system, {
    envValues: 'safe',
    envInclude: [],
    envExclude: [],
    manifests: false,
    metadata: {},
    toolVersion: version,
    ...options,
    folder,
  });
}
