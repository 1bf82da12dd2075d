// The thread on which captures read and parse: whatever a file holds, the main one hears Ctrl-C.

import { parentPort } from 'node:worker_threads';
import { CaptureError, type CaptureProgress, capture } from '@envsnap/capture';
import { watchPrograms } from '@envsnap/capture/workspace/system/execute-process';
import type { CaptureAnswer, CaptureJob } from './capture-jobs.ts';
import { systemOf } from './viewpoint.ts';

const port = parentPort;
if (!port) throw new Error('this is a thread of envsnap, and no program of its own');

function answer(message: CaptureAnswer): void {
  port?.postMessage(message);
}

watchPrograms((pid, runs) => answer({ kind: 'program', pid, runs }));

port.once('message', ({ request, view, reports }: CaptureJob) => {
  // Asked to stop: what was started is ended with this thread.
  port.once('message', () => process.exit(1));
  // A thread that still waits for messages would not end.
  port.unref();
  const onProgress = (event: CaptureProgress) => answer({ kind: 'progress', event });
  capture({ ...request, ...(reports && { onProgress }) }, systemOf(view)).then(
    (result) => answer({ kind: 'done', result: JSON.stringify(result) }),
    (error: unknown) => {
      if (!(error instanceof CaptureError)) throw error;
      answer({ kind: 'refused', message: error.message });
    },
  );
});
