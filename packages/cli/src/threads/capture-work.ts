// What a capture's job is, wherever it runs: in its thread, or beside everything else where the program is a single file.

import { type CaptureProgress, type CaptureResult, capture } from '@envsnap/capture';
import { readInstalled } from '@envsnap/capture/workspace/installed/read-installed';
import { createSystem } from '@envsnap/capture/workspace/system/node-system';
import type { CaptureJob, InstalledHere } from './capture-jobs.ts';

/** Does a job. Rejects with a `CaptureError` where the folder cannot be captured. */
export async function performJob(
  job: CaptureJob,
  onProgress: (event: CaptureProgress) => void,
): Promise<CaptureResult | InstalledHere> {
  if (job.kind === 'capture') return capture({ ...job.request, onProgress });
  const { hostName, platform, arch } = createSystem();
  return { ...(await readInstalled(job.folder)), machine: { hostName, platform, arch } };
}
