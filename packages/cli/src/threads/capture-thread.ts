// The thread on which captures read and parse: whatever a file holds, the main one hears Ctrl-C.

import { parentPort, workerData } from 'node:worker_threads';
import { CaptureError, type CaptureRequest, capture } from '@envsnap/capture';
import { readInstalled } from '@envsnap/capture/workspace/installed/read-installed';
import { watchPrograms } from '@envsnap/capture/workspace/system/execute-process';
import { createSystem } from '@envsnap/capture/workspace/system/node-system';
import type { CaptureAnswer, CaptureJob } from './capture-jobs.ts';

const port = parentPort;
if (!port) throw new Error('this is a thread of envsnap, and no program of its own');

/** Asked to stop: what was started is ended with this thread. */
port.once('message', () => process.exit());
// A thread that waits for a message would not end.
port.unref();

function answer(message: CaptureAnswer): void {
  port?.postMessage(message);
}

watchPrograms((pid, runs) => answer({ kind: 'program', pid, runs }));

async function run(job: CaptureJob): Promise<CaptureAnswer> {
  if (job.kind === 'installed') {
    const { hostName, platform, arch } = createSystem();
    const state = await readInstalled(job.folder);
    return { kind: 'done', result: { ...state, machine: { hostName, platform, arch } } };
  }
  const request: CaptureRequest = {
    ...job.request,
    onProgress: (event) => answer({ kind: 'progress', event }),
  };
  return { kind: 'done', result: await capture(request) };
}

run(workerData as CaptureJob).then(answer, (error: unknown) => {
  if (!(error instanceof CaptureError)) throw error;
  answer({ kind: 'refused', message: error.message });
});
