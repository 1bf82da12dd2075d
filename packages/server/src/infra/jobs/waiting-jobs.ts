// The jobs that wait for the thread: payers in turn, and the projects of each in turn.

import { type AppError, serverBusy } from '../app-error.ts';

interface WaitingJob {
  readonly request: { readonly payer: string; readonly projectId: string };
  readonly reject: (error: AppError) => void;
}

/** Creates the queue. Of more than `most` jobs, the last one of the payer with the most is refused. */
export function createWaitingJobs<Job extends WaitingJob>(most: number) {
  const waiting: Job[] = [];
  let turn = 0;
  /** The last turn of each payer and project with waiting jobs, and of those of the last job. */
  let lastTurns = new Map<string, number>();

  /** Rejects a job that waits; false if it does not. */
  function refuse(job: Job, error: AppError): boolean {
    const place = waiting.indexOf(job);
    if (place < 0) return false;
    waiting.splice(place, 1);
    job.reject(error);
    return true;
  }

  /** Refuses the last job of the payer with most, or of the newcomer's project with most, unless it would then have fewer. */
  function makeRoom({ payer, projectId }: WaitingJob['request']): void {
    const refusal = serverBusy('Too many requests that read stored data are waiting; try again.');
    const byPayer = Map.groupBy(waiting, ({ request }) => request.payer);
    const own = byPayer.get(payer) ?? [];
    const longestOf = longest(byPayer);
    if (longestOf.length - 1 > own.length) {
      refuse(longestOf.at(-1) as Job, refusal);
      return;
    }
    const byProject = Map.groupBy(own, ({ request }) => request.projectId);
    const longestOfOwn = own.length === 0 ? [] : longest(byProject);
    if (longestOfOwn.length - 1 <= (byProject.get(projectId)?.length ?? 0)) throw refusal;
    refuse(longestOfOwn.at(-1) as Job, refusal);
  }

  return {
    get length() {
      return waiting.length;
    },
    /** Errors: `server_busy`. */
    add(job: Job): void {
      if (waiting.length >= most) makeRoom(job.request);
      waiting.push(job);
    },
    refuse,
    /** Removes and returns the next job: of the payer, then the project, whose last turn is longest ago. */
    take(): Job | undefined {
      const lastTurnOf = (name: string) => lastTurns.get(name) ?? 0;
      let next: Job | undefined;
      for (const job of waiting) {
        const by = (name: (job: Job) => string) => next && lastTurnOf(name(job)) - lastTurnOf(name(next));
        if (next === undefined || (by(payerOf) || by(projectOf) || 0) < 0) next = job;
      }
      if (next === undefined) return undefined;
      turn += 1;
      lastTurns.set(payerOf(next), turn);
      lastTurns.set(projectOf(next), turn);
      const known = new Set([next, ...waiting].flatMap((job) => [payerOf(job), projectOf(job)]));
      lastTurns = new Map([...lastTurns].filter(([name]) => known.has(name)));
      waiting.splice(waiting.indexOf(next), 1);
      return next;
    },
    clear(error: AppError): void {
      for (const job of waiting.splice(0)) job.reject(error);
    },
  };
}

const payerOf = ({ request }: WaitingJob) => `payer ${request.payer}`;
const projectOf = ({ request }: WaitingJob) => `project ${request.projectId}`;

function longest<Job>(groups: ReadonlyMap<string, Job[]>): readonly Job[] {
  return [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one));
}
