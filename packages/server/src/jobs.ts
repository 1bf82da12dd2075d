// The jobs: all work whose cost grows with what is stored and that is more than a few milliseconds. They run in a thread of
// their own (jobs-thread.ts); features call them through stored-jobs.ts, and those that take snapshots in through
// snapshots/intake.ts.

import { makePage } from './console/page-jobs.ts';
import { diagnoseRuns } from './diagnosis/diagnosis-job.ts';
import { judgeSnapshot } from './health/verdict-job.ts';
import type { JobTable } from './infra/jobs/job.ts';
import { makeSharePage } from './shares/share-job.ts';
import { compareInThread } from './snapshots/comparison-job.ts';
import { followValue } from './snapshots/history-job.ts';
import { listMachineValues } from './snapshots/machines-job.ts';
import { searchSnapshots } from './snapshots/search-job.ts';
import type { RowsQuestion, RowsReply } from './snapshots/snapshot-rows.ts';

export const jobs = {
  compare: compareInThread,
  machines: listMachineValues,
  history: followValue,
  search: searchSnapshots,
  diagnose: diagnoseRuns,
  verdict: judgeSnapshot,
  share: makeSharePage,
  page: makePage,
} satisfies JobTable<RowsQuestion, RowsReply>;

export type Jobs = typeof jobs;
