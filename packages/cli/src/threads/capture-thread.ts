// The thread on which captures read and parse, so that Ctrl-C works on the main thread whatever a file holds.

import { parentPort } from 'node:worker_threads';
import {
  CaptureError,
  type CaptureProgress,
  type CaptureRequest,
  type CaptureResult,
  capture,
} from '@envsnap/capture';
import { watchPrograms } from '@envsnap/capture/workspace/system/execute-process';
import { ProcessViewError } from '@envsnap/capture/workspace/system/process-view';
import type { CaptureAnswer, CaptureJob } from './capture-jobs.ts';
import { systemOf, type Viewpoint } from './viewpoint.ts';

const port = parentPort;
if (!port) throw new Error('this is a thread of envsnap and cannot run alone');

function answer(message: CaptureAnswer): void {
  port?.postMessage(message);
}

watchPrograms((pid, runs) => answer({ kind: 'program', pid, runs }));

port.once('message', ({ request, view, reports }: CaptureJob) => {
  // A request to stop: the programs that were started end with this thread.
  port.once('message', () => process.exit(1));
  // A thread that still waits for messages would not end.
  port.unref();
  const onProgress = (event: CaptureProgress) => answer({ kind: 'progress', event });
  captureFrom(view, { ...request, ...(reports && { onProgress }) }).then(
    (result) => answer({ kind: 'done', result: JSON.stringify(result) }),
    (error: unknown) => {
      const isOfProcess = error instanceof ProcessViewError;
      if (!isOfProcess && !(error instanceof CaptureError)) throw error;
      answer({ kind: 'refused', message: error.message, code: isOfProcess ? error.code : 'invalid_folder' });
    },
  );
});

/** Also rejects if the process of the view has ended since it was named. */
async function captureFrom(view: Viewpoint, request: CaptureRequest): Promise<CaptureResult> {
  return capture(request, systemOf(view));
}
