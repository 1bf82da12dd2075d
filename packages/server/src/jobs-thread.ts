// The program of the threads in which jobs run.

import { inJson } from './infra/jobs/job.ts';
import { serveJobs } from './infra/jobs/serve-jobs.ts';
import { jobs } from './jobs.ts';
import type { RowsComparison } from './snapshots/comparison-job.ts';
import { intakeJobs } from './snapshots/new-snapshot.ts';

const compareRows = async (input: RowsComparison) =>
  (await import('./snapshots/comparison-job.ts')).compareRows(input);

serveJobs({ ...inJson({ ...jobs, compareRows }), ...intakeJobs });
