// The jobs: all work whose cost grows with what is stored and that is more than a few milliseconds. They run in a separate thread
// (jobs-thread.ts), which loads a job's code with its first call. Features call them through stored-jobs.ts, and new snapshots go
// through snapshots/intake.ts.

import type { Job, JobTable } from './infra/jobs/job.ts';
import type { RowsQuestion, RowsReply } from './snapshots/snapshot-rows.ts';

type Stored<Input, Answer> = Job<Input, Answer, RowsQuestion, RowsReply>;

const loaded =
  <Input, Answer>(load: () => Promise<Stored<Input, Answer>>): Stored<Input, Answer> =>
  async (input, ask) =>
    (await load())(input, ask);

export const jobs = {
  compare: loaded(async () => (await import('./snapshots/comparison-job.ts')).compareInThread),
  machines: loaded(async () => (await import('./snapshots/machines-job.ts')).listMachineValues),
  history: loaded(async () => (await import('./snapshots/history-job.ts')).followValue),
  search: loaded(async () => (await import('./snapshots/search-job.ts')).searchSnapshots),
  diagnose: loaded(async () => (await import('./diagnosis/diagnosis-job.ts')).diagnoseRuns),
  verdict: loaded(async () => (await import('./health/verdict-job.ts')).judgeSnapshot),
  share: loaded(async () => (await import('./shares/share-job.ts')).makeSharePage),
  page: loaded(async () => (await import('./console/page-jobs.ts')).makePage),
} satisfies JobTable<RowsQuestion, RowsReply>;

export type Jobs = typeof jobs;
