// Rows of snapshots for jobs: the main thread reads them, a few at a time, and decrypts their variables; the job thread
// parses them.

import type { ServerResponse } from 'node:http';
import { AppError } from '../infra/app-error.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import type { HoldBytes } from '../infra/http/mount.ts';
import type { AnswerOf, InputOf, Job } from '../infra/jobs/job.ts';
import type { JsonText } from '../infra/json-text.ts';

/** A snapshot as it is stored; maps are JSON text, `created_at` is milliseconds since the epoch. */
export interface StoredSnapshot {
  readonly machine_name: string;
  readonly created_at: number;
  readonly os: string | null;
  readonly arch: string | null;
  readonly runtime_versions: string;
  readonly metadata: string;
  readonly dependencies: string;
  readonly env_names: string;
  readonly env_vars: string;
}

export type StoredColumn = keyof StoredSnapshot;

/** The rows that a job needs: some columns of some snapshots, by their ids. */
export interface RowsQuestion {
  readonly ids: readonly string[];
  readonly columns: readonly StoredColumn[];
  /** Whether the request fails (`snapshot_not_found`) if one of them no longer exists. */
  readonly required?: boolean;
}

/** The snapshots of the first ids, one for each; undefined for one that no longer exists. */
export type RowsReply = readonly (Partial<StoredSnapshot> | undefined)[];

export type StoredJob<Input, Answer> = Job<Input, Answer, RowsQuestion, RowsReply>;

export type AskForRows = (question: RowsQuestion) => Promise<RowsReply>;

export interface JobContext {
  readonly projectId: string;
  readonly payer: string;
  readonly hold: HoldBytes;
  /** Throws unless the caller may still read the project: called when the job begins, and before its response leaves. */
  readonly confirm: () => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly releaseSlot?: () => void;
}

/** The context of a request's jobs: they end when its connection closes. */
export function jobContextOf({
  principal,
  hold,
  work,
  response,
  releaseSlot,
}: {
  readonly principal: { readonly projectId: string; readonly payer: string };
  readonly hold: HoldBytes;
  readonly work: Pick<JobContext, 'confirm'>;
  readonly response: ServerResponse;
  readonly releaseSlot?: () => void;
}): JobContext {
  const closing = new AbortController();
  if (response.closed) closing.abort();
  else response.once('close', () => closing.abort());
  const { projectId, payer } = principal;
  return {
    projectId,
    payer,
    hold,
    confirm: () => work.confirm(),
    signal: closing.signal,
    ...(releaseSlot && { releaseSlot }),
  };
}

/**
 * The jobs as features call them: `memoryBytes` is the memory of a job besides the rows that it reads, in bytes of the budget for
 * bodies; default 0. Errors: `server_busy`, `shutting_down`.
 */
export type StoredJobs<Jobs> = {
  readonly [Name in keyof Jobs]: (
    input: InputOf<Jobs[Name]>,
    context: JobContext,
    memoryBytes?: number,
  ) => Promise<JsonText<AnswerOf<Jobs[Name]>>>;
};

const idsAtOnce = 32;

/** Reads columns of snapshots, one after the other in this order, with their place among the ids. */
export async function* readStored<Column extends StoredColumn>(
  ask: AskForRows,
  ids: readonly string[],
  columns: readonly Column[],
): AsyncGenerator<[place: number, row: Pick<StoredSnapshot, Column> | undefined], void, undefined> {
  for (let place = 0; place < ids.length; ) {
    for (const row of await ask({ ids: ids.slice(place, place + idsAtOnce), columns })) {
      yield [place, row as Pick<StoredSnapshot, Column> | undefined];
      place += 1;
    }
  }
}

const largeColumns = {
  runtime_versions: 'runtime_versions',
  metadata: 'metadata',
  dependencies: 'dependencies',
  env_names: 'env_names',
  env_vars: 'env_ciphertext',
} as const satisfies Partial<Record<StoredColumn, string>>;

/** Bytes to read and pass on at once: a few milliseconds of the main thread. One snapshot may have more. */
const bytesAtOnce = 1024 ** 2;

export function createSnapshotRows(executor: Executor, dataKeys: DataKeys) {
  const { builder, unindexed } = executor.dialect;
  const isTheirs = `${unindexed('project_id')} = ?`;

  async function sizesOf(projectId: string, { ids, columns }: RowsQuestion): Promise<Map<string, number>> {
    const large = columns.flatMap((column) =>
      column in largeColumns ? [largeColumns[column as keyof typeof largeColumns]] : [],
    );
    const bytes = ['0', ...large.map((column) => `octet_length(${column})`)].join(' + ');
    const rows = await executor.all<{ id: string; bytes: number }>(
      builder('snapshots')
        .select('id', builder.raw(`${bytes} as bytes`))
        .whereIn('id', [...ids])
        .whereRaw(isTheirs, [projectId]),
    );
    return new Map(rows.map((row) => [row.id, row.bytes]));
  }

  return {
    /** Reads the first of the snapshots, as many as fit; `hold` gets the bytes before they are read. */
    async answer(projectId: string, question: RowsQuestion, hold: HoldBytes): Promise<RowsReply> {
      const { columns } = question;
      const sizes = await sizesOf(projectId, question);
      let sum = 0;
      const ids = question.ids.filter((id, place) => {
        sum += sizes.get(id) ?? 0;
        return place === 0 || sum <= bytesAtOnce;
      });
      hold(ids.reduce((bytes, id) => bytes + (sizes.get(id) ?? 0), 0));
      const names = columns.map((column) => (column === 'env_vars' ? largeColumns.env_vars : column));
      const rows = await executor.all<{ id: string; env_ciphertext?: Buffer }>(
        builder('snapshots')
          .select('id', ...new Set(names))
          .whereIn('id', ids)
          .whereRaw(isTheirs, [projectId]),
      );
      const cipher = columns.includes('env_vars') ? await dataKeys.cipherOf(executor, projectId) : undefined;
      const found = new Map<string, Partial<StoredSnapshot>>();
      for (const { id, env_ciphertext, ...row } of rows) {
        const env_vars = env_ciphertext && cipher?.open(variablesPlace(id), env_ciphertext).toString('utf8');
        found.set(id, { ...row, ...(env_vars !== undefined && { env_vars }) });
      }
      if (question.required && found.size < new Set(ids).size)
        throw new AppError('snapshot_not_found', 'Snapshot not found');
      return ids.map((id) => found.get(id));
    },
  };
}
