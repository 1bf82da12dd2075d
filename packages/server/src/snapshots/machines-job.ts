// A page of machines with their newest snapshots and the values of some keys.

import type { Machine, operations, ResponseOf, StringMap } from '@envsnap/shared';
import { parseSnapshotKey, type SnapshotKey } from '@envsnap/shared/snapshot-key';
import { toTimestamp } from '../infra/timestamp.ts';
import { columnOf, createReader } from './key-values.ts';
import { readStored, type StoredColumn, type StoredJob } from './stored-rows.ts';

/** A machine's newest snapshot; `createdAt` in milliseconds since the epoch. */
export interface MachineHead {
  readonly id: string;
  readonly machineName: string;
  readonly createdAt: number;
  /** How often its fingerprints were replaced: with them, its metadata change. */
  readonly revision: number;
  /** How many the machine has. */
  readonly snapshots: number;
}

export interface MachinesInput {
  readonly heads: readonly MachineHead[];
  readonly keys: readonly string[];
  /** Beside the machines in the answer. */
  readonly page: { readonly total: number; readonly limit: number; readonly offset: number };
}

export type MachinesAnswer = ResponseOf<typeof operations.listMachines>;

/** Most characters of values in an answer: a page that would have more ends before. */
const mostLength = 16 * 1024 ** 2;

/** Reads the page; at least one machine, fewer than were asked for where their values are long. */
export const listMachineValues: StoredJob<MachinesInput, MachinesAnswer> = async (
  { heads, keys, page },
  ask,
) => {
  const parsed = keys.map((key) => ({ key, parsed: parseSnapshotKey(key) as SnapshotKey }));
  const columns: StoredColumn[] = ['os', 'arch', 'runtime_versions', 'metadata'];
  const machines: Machine[] = [];
  let length = 0;
  const ids = heads.map(({ id }) => id);
  const all = [...new Set([...columns, ...parsed.map((item) => columnOf(item.parsed))])];
  for await (const [place, row] of readStored(ask, ids, all)) {
    // Deleted between the two reads.
    if (!row) continue;
    const head = heads[place] as MachineHead;
    const read = createReader(row);
    const values = parsed.map((item) => {
      const value = read(item.parsed);
      return { key: item.key, value: item.parsed.kind === 'env' && value !== null ? 'set' : value };
    });
    length += values.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    if (machines.length > 0 && length > mostLength) break;
    machines.push({
      machineName: head.machineName,
      snapshots: head.snapshots,
      latest: {
        id: head.id,
        machineName: head.machineName,
        os: row.os,
        arch: row.arch,
        runtimeVersions: JSON.parse(row.runtime_versions) as StringMap,
        metadata: JSON.parse(row.metadata) as Record<string, unknown>,
        createdAt: toTimestamp(head.createdAt),
      },
      values,
    });
  }
  return { machines, ...page };
};
