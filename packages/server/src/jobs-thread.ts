// The program of the threads in which jobs run, one after the other.

import { type MessagePort, parentPort } from 'node:worker_threads';
import { setToday } from '@envsnap/compare/workspace/policy/today';
import { TooMuchWorkError } from '@envsnap/shared/work-budget';
import { AppError } from './infra/app-error.ts';
import { type FromThread, inJson, type Job, type JobTable, type ToThread } from './infra/jobs/job.ts';
import { jobs } from './jobs.ts';
import type { RowsComparison } from './snapshots/comparison-job.ts';
import { intakeJobs } from './snapshots/new-snapshot.ts';
import type { RowsQuestion, RowsReply } from './snapshots/snapshot-rows.ts';

const compareRows = async (input: RowsComparison) =>
  (await import('./snapshots/comparison-job.ts')).compareRows(input);

const table: JobTable<RowsQuestion, RowsReply> = { ...inJson({ ...jobs, compareRows }), ...intakeJobs };
const port = parentPort as MessagePort;
let replied: ((reply: RowsReply) => void) | undefined;

function send(message: FromThread): void {
  // Bytes are transferred; everything else is copied.
  const bytes =
    message.kind === 'answer' && message.answer instanceof Uint8Array ? [message.answer.buffer] : [];
  port.postMessage(message, bytes as ArrayBuffer[]);
}

function ask(question: RowsQuestion): Promise<RowsReply> {
  return new Promise((resolve) => {
    replied = resolve;
    send({ kind: 'question', question });
  });
}

async function run(name: string, input: unknown): Promise<void> {
  try {
    const job = table[name] as Job<unknown, unknown, RowsQuestion, RowsReply>;
    send({ kind: 'answer', answer: await job(input, ask) });
  } catch (thrown) {
    // Work budgets belong to libraries that do not know HTTP errors.
    const error = thrown instanceof TooMuchWorkError ? new AppError('too_much_work', thrown.message) : thrown;
    if (!(error instanceof AppError)) return send({ kind: 'failure', error });
    const { code, message, details } = error;
    send({ kind: 'refusal', refusal: { code, message, details } });
  }
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'job') {
    setToday(new Date(message.nowMs));
    void run(message.name, message.input);
  } else replied?.(message.reply as RowsReply);
});
