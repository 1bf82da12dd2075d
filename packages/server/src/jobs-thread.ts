// The program of the thread in which jobs run.

import { serveJobs } from './infra/jobs/serve-jobs.ts';
import { jobs } from './jobs.ts';

serveJobs(jobs);
