// A page of machines with their newest snapshots and the values of some keys.

import { isHiddenValue, isNamesOnly } from '@envsnap/compare/workspace';
import type { Machine, operations, ResponseOf, StringMap } from '@envsnap/shared';
import { fingerprintKeyOf, isFingerprint } from '@envsnap/shared/opaque-value';
import { parseSnapshotKey, type SnapshotKey } from '@envsnap/shared/snapshot-key';
import { toTimestamp } from '../infra/timestamp.ts';
import { columnOf, createReader, numberOf } from './key-values.ts';
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
  const numbered = createNumbering();
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
    const metadata = JSON.parse(row.metadata) as Record<string, unknown>;
    const { machineName } = head;
    const namesOnly =
      all.includes('env_vars') &&
      isNamesOnly({ machineName, envVars: JSON.parse(row.env_vars) as StringMap, metadata });
    const found = parsed.map((item) => ({ ...item, value: read(item.parsed) }));
    length += found.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    if (machines.length > 0 && length > mostLength) break;
    machines.push({
      machineName,
      snapshots: head.snapshots,
      latest: {
        id: head.id,
        machineName,
        os: row.os,
        arch: row.arch,
        runtimeVersions: JSON.parse(row.runtime_versions) as StringMap,
        metadata,
        createdAt: toTimestamp(head.createdAt),
      },
      values: found.map(({ key, parsed: { kind }, value }) => {
        if (kind !== 'env' || value === null) return { key, value };
        return { key, value: namesOnly ? 'set' : numbered(key, value, metadata) };
      }),
    });
  }
  return { machines, ...page };
};

/** Gives values of variables as numbers, the same for equal ones of a key; those that cannot be compared as `set`. */
function createNumbering() {
  const numbers = new Map<string, Map<string, number>>();
  let fingerprintKey: string | undefined;
  return (key: string, value: string, metadata: Record<string, unknown>): string => {
    if (isHiddenValue(value)) {
      const madeWith = isFingerprint(value) ? (fingerprintKeyOf(metadata) ?? '') : undefined;
      fingerprintKey ??= madeWith;
      if (madeWith === undefined || madeWith !== fingerprintKey) return 'set';
    }
    const ofKey = numbers.get(key) ?? new Map<string, number>();
    numbers.set(key, ofKey);
    return numberOf(ofKey, value);
  };
}
