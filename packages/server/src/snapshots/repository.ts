// Rows of snapshots. Maps and metadata are stored as the JSON text that answers carry; variables as one ciphertext.

import type { Knex } from 'knex';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { ListPlace } from '../infra/list-parts.ts';

/** A snapshot's row; JSON columns are text, `created_at` is milliseconds since the epoch. */
export interface SnapshotRow {
  id: string;
  created_at: number;
  machine_name: string;
  os: string | null;
  arch: string | null;
  runtime_versions: string;
  metadata: string;
  /** How often its fingerprints were replaced. */
  revision: number;
  env_names: string;
  env_ciphertext: Buffer;
  dependencies: string;
}
export type SnapshotSummaryRow = Omit<
  SnapshotRow,
  'dependencies' | 'env_names' | 'env_ciphertext' | 'revision'
>;

/** Filters of a list; times in milliseconds since the epoch, both ends included. */
export interface SnapshotFilter {
  readonly projectId: string;
  readonly machineName?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
  readonly outcome?: string | undefined;
  readonly outcomeOf?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

interface NewSnapshot {
  id: string;
  projectId: string;
  nowMs: number;
  machineName: string;
  os: string | null;
  arch: string | null;
  runtimeVersions: string;
  metadata: string;
  envNames: string;
  envCiphertext: Buffer;
  dependencies: string;
  /** How the run ended and what it is called, as the metadata say; null where they say nothing of the kind. */
  outcome: string | null;
  outcomeOf: string | null;
}

const summaryColumns = ['id', 'created_at', 'machine_name', 'os', 'arch', 'runtime_versions', 'metadata'];

const insert = defineStatement<NewSnapshot>((qb, p) =>
  qb('snapshots').insert({
    id: p.id,
    project_id: p.projectId,
    created_at: p.nowMs,
    machine_name: p.machineName,
    os: p.os,
    arch: p.arch,
    runtime_versions: p.runtimeVersions,
    metadata: p.metadata,
    env_names: p.envNames,
    env_ciphertext: p.envCiphertext,
    dependencies: p.dependencies,
    outcome: p.outcome,
    outcome_of: p.outcomeOf,
  }),
);

/** Columns of a whole snapshot that can be large. */
const largeColumns = ['env_names', 'env_ciphertext', 'dependencies'] as const;
/** Bytes of {@link largeColumns} from which they are read by themselves, once there is room for them. */
const largeBytes = 256 * 1024;

/** A snapshot whose large columns are null when they are large together. */
interface SizedRow extends Omit<SnapshotRow, (typeof largeColumns)[number]> {
  large_bytes: number;
  env_names: string | null;
  env_ciphertext: Buffer | null;
  dependencies: string | null;
}

const findSized = defineStatement<{ projectId: string; id: string }, SizedRow>((qb, p) => {
  const bytes = largeColumns.map((column) => `octet_length(${column})`).join(' + ');
  const ifSmall = largeColumns.map((column) =>
    qb.raw(`case when ${bytes} <= ${largeBytes} then ${column} end as ${column}`),
  );
  return qb('snapshots')
    .select(...summaryColumns, 'revision', qb.raw(`${bytes} as large_bytes`), ...ifSmall)
    .where({ id: p.id, project_id: p.projectId });
});

const findLarge = defineStatement<
  { projectId: string; id: string },
  Pick<SnapshotRow, (typeof largeColumns)[number] | 'revision'>
>((qb, p) =>
  qb('snapshots')
    .select(...largeColumns, 'revision')
    .where({ id: p.id, project_id: p.projectId }),
);

const remove = defineStatement<{ projectId: string; id: string }>((qb, p) =>
  qb('snapshots').where({ id: p.id, project_id: p.projectId }).delete(),
);

const takeQuota = defineStatement<{ projectId: string }, { fingerprint_key_id: string | null }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .where('snapshots_used', '<', qb.ref('max_snapshots'))
    .increment('snapshots_used', 1)
    .returning('fingerprint_key_id'),
);

const returnQuota = defineStatement<{ projectId: string }>((qb, p) =>
  qb('project_quotas').where('project_id', p.projectId).decrement('snapshots_used', 1),
);

const findQuota = defineStatement<{ projectId: string }, { max_snapshots: number }>((qb, p) =>
  qb('project_quotas').select('max_snapshots').where('project_id', p.projectId),
);

function behind(query: Knex.QueryBuilder, place: ListPlace | undefined): Knex.QueryBuilder {
  return place ? query.whereRaw('(created_at, id) < (?, ?)', [place.createdAt, place.id]) : query;
}

const findTime = defineStatement<{ projectId: string; id: string }, { created_at: number }>((qb, p) =>
  qb('snapshots').select('created_at').where({ id: p.id, project_id: p.projectId }),
);

/** Queries of snapshots. */
export function createSnapshotRepository(executor: Executor) {
  const { builder } = executor.dialect;

  function matching(filter: SnapshotFilter): Knex.QueryBuilder {
    const query = builder('snapshots').where('project_id', filter.projectId);
    if (filter.machineName !== undefined) query.where('machine_name', filter.machineName);
    if (filter.os !== undefined) query.where('os', filter.os);
    if (filter.arch !== undefined) query.where('arch', filter.arch);
    if (filter.outcome !== undefined) query.where('outcome', filter.outcome);
    if (filter.outcomeOf !== undefined) query.where('outcome_of', filter.outcomeOf);
    if (filter.fromMs !== undefined) query.where('created_at', '>=', filter.fromMs);
    if (filter.toMs !== undefined) query.where('created_at', '<=', filter.toMs);
    return query;
  }

  return {
    /** At the latest with the commit. */
    insert: (snapshot: NewSnapshot) => executor.write(insert, snapshot),
    /** A whole snapshot. `hold` is told the bytes of a large one before they are read. */
    async find(
      projectId: string,
      id: string,
      hold?: (bytes: number) => void,
    ): Promise<SnapshotRow | undefined> {
      const { large_bytes: bytes, ...row } = (await executor.get(findSized, { projectId, id })) ?? {};
      if (bytes === undefined) return undefined;
      if (bytes <= largeBytes) return row as SnapshotRow;
      hold?.(bytes);
      const large = await executor.get(findLarge, { projectId, id });
      return large && ({ ...row, ...large } as SnapshotRow);
    },
    /** Newest first: by time, then by id. */
    list: (filter: SnapshotFilter, limit: number, offset: number, after?: ListPlace) =>
      executor.all<SnapshotSummaryRow>(
        behind(matching(filter), after)
          .select(summaryColumns)
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(limit)
          .offset(offset),
      ),
    /** When a snapshot was stored. */
    findTime: async (projectId: string, id: string) =>
      (await executor.get(findTime, { projectId, id }))?.created_at,
    count: async (filter: SnapshotFilter) =>
      (await executor.get<{ total: number }>(matching(filter).count({ total: '*' })))?.total ?? 0,
    /** True when there was such a snapshot. */
    remove: async (projectId: string, id: string) => (await executor.run(remove, { projectId, id })) > 0,
    /**
     * Counts one snapshot more, unless the quota is used up: then undefined. Locks the quota's row until the commit; so
     * does a rotation of the fingerprint key, whose current id this returns.
     */
    takeQuota: (projectId: string) => executor.get(takeQuota, { projectId }),
    returnQuota: (projectId: string) => executor.run(returnQuota, { projectId }),
    maxSnapshots: async (projectId: string) => (await executor.get(findQuota, { projectId }))?.max_snapshots,
  };
}
