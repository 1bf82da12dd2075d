// Reads whole stored snapshots in the job thread.

import type { Snapshot } from '@envsnap/shared';
import { toTimestamp } from '../infra/clock.ts';
import type { AskForRows, StoredColumn, StoredSnapshot } from './snapshot-rows.ts';

export const wholeColumns = [
  ...(['machine_name', 'created_at', 'os', 'arch', 'runtime_versions'] as const),
  ...(['metadata', 'dependencies', 'env_vars'] as const),
] satisfies readonly StoredColumn[];

export async function readEnvironment(ask: AskForRows, id: string): Promise<Snapshot> {
  const [row = {}] = await ask({ ids: [id], columns: wholeColumns, required: true });
  return snapshotOf(id, row);
}

/** A snapshot, as far as the columns of its row were read. */
export function snapshotOf(id: string, row: Partial<StoredSnapshot>): Snapshot {
  const parse = <T>(json: string | undefined): T => JSON.parse(json ?? '{}') as T;
  return {
    id,
    machineName: row.machine_name ?? '',
    createdAt: toTimestamp(row.created_at ?? 0),
    os: row.os ?? null,
    arch: row.arch ?? null,
    runtimeVersions: parse(row.runtime_versions),
    dependencies: parse(row.dependencies),
    envVars: parse(row.env_vars),
    metadata: parse(row.metadata),
  };
}
