// Rows of snapshots. Maps and metadata are stored as the JSON text that answers carry; variables as one ciphertext.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { CountedSnapshot } from './snapshot-blocks.ts';
import { createSnapshotCounts } from './snapshot-counts.ts';
import type { SnapshotFilter } from './snapshot-filter.ts';
import { createSnapshotLists, type ListPart } from './snapshot-lists.ts';

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

/** A new snapshot's row. */
export interface NewSnapshotRow extends Omit<SnapshotRow, 'revision'> {
  project_id: string;
  /** How the run ended and what it is called, as the metadata say; null where they say nothing of the kind. */
  outcome: string | null;
  outcome_of: string | null;
}

const summaryColumns = ['id', 'created_at', 'machine_name', 'os', 'arch', 'runtime_versions', 'metadata'];

const insert = defineStatement<NewSnapshotRow>((qb, p) =>
  qb('snapshots').insert({
    id: p.id,
    project_id: p.project_id,
    created_at: p.created_at,
    machine_name: p.machine_name,
    os: p.os,
    arch: p.arch,
    runtime_versions: p.runtime_versions,
    metadata: p.metadata,
    env_names: p.env_names,
    env_ciphertext: p.env_ciphertext,
    dependencies: p.dependencies,
    outcome: p.outcome,
    outcome_of: p.outcome_of,
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

type RemovedRow = Pick<
  NewSnapshotRow,
  'machine_name' | 'os' | 'arch' | 'outcome' | 'outcome_of' | 'created_at'
>;

const remove = defineStatement<{ projectId: string; id: string }, RemovedRow>((qb, p) =>
  qb('snapshots')
    .where({ id: p.id, project_id: p.projectId })
    .delete()
    .returning(['machine_name', 'os', 'arch', 'outcome', 'outcome_of', 'created_at']),
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

const findTime = defineStatement<{ projectId: string; id: string }, { created_at: number }>((qb, p) =>
  qb('snapshots').select('created_at').where({ id: p.id, project_id: p.projectId }),
);

/** Queries of snapshots. */
export function createSnapshotRepository(executor: Executor) {
  const lists = createSnapshotLists(executor);
  const counts = createSnapshotCounts(executor, async (projectId, machineName) => {
    const [newest] = await lists.newest(['id', 'created_at'], { projectId, machineName }, 1);
    return newest;
  });

  return {
    /** Adds a snapshot and counts it, at the latest with the commit. */
    insert(row: NewSnapshotRow): void {
      executor.write(insert, row);
      counts.add(countedOf(row));
    },
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
    /** How large a snapshot is, in bytes; with its row where that is not much. Undefined when there is none. */
    async peek(
      projectId: string,
      id: string,
    ): Promise<{ readonly bytes: number; readonly row: SnapshotRow | undefined } | undefined> {
      const { large_bytes: bytes, ...row } = (await executor.get(findSized, { projectId, id })) ?? {};
      if (bytes === undefined) return undefined;
      return { bytes, row: bytes <= largeBytes ? (row as SnapshotRow) : undefined };
    },
    /** A part of a list, newest first (by time, then by id), and how many snapshots match in all. */
    list: (filter: SnapshotFilter, part: ListPart) =>
      lists.page<SnapshotSummaryRow>(summaryColumns, filter, part),
    /** When a snapshot was stored. */
    findTime: async (projectId: string, id: string) =>
      (await executor.get(findTime, { projectId, id }))?.created_at,
    /** True when there was such a snapshot; it leaves the counts with it. */
    async remove(projectId: string, id: string): Promise<boolean> {
      const row = await executor.get(remove, { projectId, id });
      if (!row) return false;
      await counts.remove(countedOf({ ...row, id, project_id: projectId }));
      return true;
    },
    /**
     * Counts one snapshot more, unless the quota is used up: then undefined. Locks the quota's row until the commit; so
     * does a rotation of the fingerprint key, whose current id this returns.
     */
    takeQuota: (projectId: string) => executor.get(takeQuota, { projectId }),
    returnQuota: (projectId: string) => executor.run(returnQuota, { projectId }),
    maxSnapshots: async (projectId: string) => (await executor.get(findQuota, { projectId }))?.max_snapshots,
  };
}

function countedOf(row: RemovedRow & Pick<NewSnapshotRow, 'id' | 'project_id'>): CountedSnapshot {
  const { id, os, arch, outcome } = row;
  return {
    ...{ id, os, arch, outcome },
    projectId: row.project_id,
    machineName: row.machine_name,
    outcomeOf: row.outcome_of,
    createdAt: row.created_at,
  };
}
