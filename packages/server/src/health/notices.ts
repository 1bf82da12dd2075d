// The events that a stored snapshot causes: its machine changed, a run fails, or a run passes again. docs/specification.md §19.

import type { WebhookEventData } from '@envsnap/shared';
import type { SnapshotVerdict } from '@envsnap/shared/machine-state';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import type { JobContext } from '../snapshots/snapshot-rows.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { deleteNotice, findNoticed, type NoticedRow } from './notice-queue.ts';
import * as rows from './repository.ts';
import type { VerdictInput } from './verdict-job.ts';
import { type VerdictJobs, verdictOf } from './verdicts.ts';

type NoticeEvent = 'environment.changed' | 'run.failed' | 'run.recovered';
type Notice = {
  [E in NoticeEvent]: { readonly event: E; readonly data: WebhookEventData[E] };
}[NoticeEvent];

interface NoticeDeps {
  readonly jobs: VerdictJobs;
  readonly outbox: Outbox;
}

export function createNoticeService(executor: Executor, { jobs, outbox }: NoticeDeps) {
  const verdict = (input: VerdictInput, context: JobContext) => verdictOf(executor, jobs, input, context);

  return {
    snapshot: (snapshotId: string) => executor.get(findNoticed, { snapshotId }),

    /** The event that a snapshot causes, if any. Errors: those of {@link verdictOf}. */
    async workOut(snapshotId: string, row: NoticedRow, context: JobContext): Promise<Notice | undefined> {
      if (row.outcome === null) return changeOf(snapshotId, row, context);
      const run = { ...row, id: snapshotId, outcome_of: row.outcome_of ?? '' };
      const failure = await rows.findFailureRow(executor, context.projectId, run);
      if (row.outcome === 'failed') return failureOf(run, failure, context);
      if (failure.failedRuns === 0) return undefined;
      const { machine_name: machineName, outcome_of: of } = run;
      return {
        event: 'run.recovered',
        data: { snapshotId, of, machineName, failedRuns: failure.failedRuns },
      };
    },

    /** Ends a notice and records its event, once on any number of servers. Call it in a transaction. */
    async end(projectId: string, snapshotId: string, notice: Notice | undefined): Promise<void> {
      if ((await executor.run(deleteNotice, { snapshotId })) === 0 || !notice) return;
      await outbox.record(projectId, notice.event, notice.data);
    },
  };

  async function changeOf(
    snapshotId: string,
    { machine_name: machineName }: NoticedRow,
    context: JobContext,
  ): Promise<Notice | undefined> {
    const [pair] = await executor.all(rows.listPrevious, { ids: [snapshotId] });
    const previousSnapshotId = pair?.previous_id;
    if (!previousSnapshotId) return undefined;
    const input = { snapshotId, againstId: previousSnapshotId, kind: 'machine' } as const;
    const { counting, causes } = (await verdict(input, context)) ?? {};
    if (!counting || !causes) return undefined;
    const data = { snapshotId, previousSnapshotId, machineName, counting, causes: [...causes] };
    return { event: 'environment.changed', data };
  }

  async function failureOf(
    run: NoticedRow & { readonly id: string; readonly outcome_of: string },
    { lastPassedId, failedRuns, sinceMs }: rows.FailureRow,
    context: JobContext,
  ): Promise<Notice | undefined> {
    const against = lastPassedId && { snapshotId: run.id, againstId: lastPassedId, kind: 'run' as const };
    const judged = against ? await verdict(against, context) : undefined;
    const causes = [...(judged?.causes ?? [])];
    if (failedRuns > 1 && !(lastPassedId && (await isNews(run, lastPassedId, causes)))) return undefined;
    return {
      event: 'run.failed',
      data: {
        snapshotId: run.id,
        of: run.outcome_of,
        machineName: run.machine_name,
        lastPassedId,
        failingSince: toTimestamp(sinceMs ?? run.created_at),
        causes,
      },
    };
  }

  /** Whether no earlier failure of the series has the same causes. */
  async function isNews(
    { id, created_at }: NoticedRow & { readonly id: string },
    againstId: string,
    causes: SnapshotVerdict['causes'],
  ): Promise<boolean> {
    const earlier = await executor.all(rows.listEarlierVerdicts, { againstId, createdAt: created_at, id });
    const textOf = (causes: SnapshotVerdict['causes']) => JSON.stringify(causes.map(({ what }) => what));
    return earlier.every(
      (row) => textOf((JSON.parse(row.verdict) as SnapshotVerdict).causes) !== textOf(causes),
    );
  }
}
