// Runs a capture in its own thread, and ends it when the program is interrupted.

import type { Worker } from 'node:worker_threads';
import type { CaptureProgress, CaptureRequest, CaptureResult } from '@envsnap/capture';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { captureThread } from '../program.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import type { Viewpoint } from './viewpoint.ts';

export interface CaptureJob {
  readonly request: Omit<CaptureRequest, 'onProgress'>;
  readonly view: Viewpoint;
  /** Whether to report progress. A message costs the thread as much as reading a file. */
  readonly reports: boolean;
}

export type CaptureAnswer =
  | { readonly kind: 'progress'; readonly event: CaptureProgress }
  /** As JSON: V8 takes ten times as long to copy an object with a thousand keys. */
  | { readonly kind: 'done'; readonly result: string }
  /** A program that was started, or has ended. It leads its own process group. */
  | { readonly kind: 'program'; readonly pid: number; readonly runs: boolean }
  | { readonly kind: 'refused'; readonly message: string; readonly code: string };

/** Why nothing was captured: exit code 2 for a folder, 4 for a missing process, 7 for one of another account. */
export function captureRefusal(message: string, code: string, cause?: unknown): CliError {
  const { usage, notFound, failed } = exitCodes;
  const exitCode = code === 'invalid_folder' ? usage : code === 'process_not_found' ? notFound : failed;
  return new CliError(message, { code, exitCode, cause });
}

/** How long an interrupted thread may take to end. */
const patienceMs = 500;

/** Captures this machine as the view shows it. Exit code 2 if the folder cannot be captured. */
export async function runCapture(request: CaptureRequest, view: Viewpoint): Promise<CaptureResult> {
  const thread = captureThread();
  return thread ? runThread(thread, request, view) : captureHere(request, view);
}

/** Executables have no thread. There, a signal still ends the program, but without a message. */
async function captureHere(request: CaptureRequest, view: Viewpoint): Promise<CaptureResult> {
  const [{ CaptureError, capture }, { systemOf }] = await Promise.all([
    import('@envsnap/capture'),
    import('./viewpoint.ts'),
  ]);
  try {
    return await capture(request, systemOf(view));
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    throw captureRefusal(error.message, 'invalid_folder', error);
  }
}

function runThread(
  thread: Worker,
  { onProgress, ...request }: CaptureRequest,
  view: Viewpoint,
): Promise<CaptureResult> {
  const job: CaptureJob = { request, view, reports: onProgress !== undefined };
  const ended = new Promise<boolean>((resolve) => thread.once('exit', () => resolve(true)));
  const programs = new Set<number>();
  const forget = onInterrupt(async () => {
    for (const pid of programs) endProgram(pid);
    thread.postMessage('stop');
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patienceMs));
    return (await Promise.race([ended, late])) ? undefined : 'stuck';
  });
  thread.ref();
  thread.postMessage(job);
  return new Promise<CaptureResult>((resolve, reject) => {
    thread.on('message', (message: CaptureAnswer) => {
      if (message.kind === 'progress') onProgress?.(message.event);
      else if (message.kind === 'program') {
        if (message.runs) programs.add(message.pid);
        else programs.delete(message.pid);
      } else if (message.kind === 'done') resolve(JSON.parse(message.result) as CaptureResult);
      else reject(captureRefusal(message.message, message.code));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread of the capture ended without a result')));
  }).finally(forget);
}

function endProgram(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The program has ended in the meantime.
  }
}
