// A page of machines with their newest snapshots and the values of some keys.

import type { Reading } from '@envsnap/compare/workspace';
import type { Machine, operations, ResponseOf } from '@envsnap/shared';
import { type Address, isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { toTimestamp } from '../infra/clock.ts';
import { columnOf, environmentOfRow, numberOf } from './key-values.ts';
import { readStored, type StoredColumn, type StoredJob } from './snapshot-rows.ts';

/** A machine's newest snapshot; `createdAt` in milliseconds since the epoch. */
interface MachineHead {
  readonly id: string;
  readonly machineName: string;
  readonly createdAt: number;
  readonly snapshots: number;
}

export interface MachinesInput {
  readonly heads: readonly MachineHead[];
  readonly keys: readonly string[];
  readonly page: { readonly total: number; readonly limit: number; readonly offset: number };
}

export type MachinesAnswer = ResponseOf<typeof operations.listMachines>;

/** Maximum characters of values in a response; a page with more ends earlier. */
const mostLength = 16 * 1024 ** 2;

/** Reads the page; at least one machine, fewer than requested if their values are long. */
export const listMachineValues: StoredJob<MachinesInput, MachinesAnswer> = async (
  { heads, keys, page },
  ask,
) => {
  const requested = keys.map((key) => ({ key, address: parseAddress(key) as Address }));
  const numbered = createNumbering();
  const columns: StoredColumn[] = ['os', 'arch', 'runtime_versions', 'metadata'];
  const machines: Machine[] = [];
  let length = 0;
  const ids = heads.map(({ id }) => id);
  const all = [...new Set([...columns, ...requested.map(({ address }) => columnOf(address))])];
  for await (const [place, row] of readStored(ask, ids, all)) {
    // Deleted between the two reads.
    if (!row) continue;
    const head = heads[place] as MachineHead;
    const environment = environmentOfRow(row);
    const { machineName } = head;
    const found = requested.map(({ key, address }) => {
      const value = environment.textAt(address);
      if (value === null || !isVariableAddress(address)) return { key, value };
      return { key, value: numbered(key, value, environment.read(address)) };
    });
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
        runtimeVersions: environment.runtimes,
        metadata: environment.snapshot.metadata ?? {},
        createdAt: toTimestamp(head.createdAt),
      },
      values: found,
    });
  }
  return { machines, ...page };
};

/** Replaces values of variables by numbers, the same for equal values of a key. Values that cannot be compared become `set`. */
function createNumbering() {
  const numbers = new Map<string, Map<string, number>>();
  let fingerprintKey: string | undefined;
  return (key: string, value: string, reading: Reading | undefined): string => {
    if (reading?.state === 'fingerprint') {
      const madeWith = reading.key ?? '';
      fingerprintKey ??= madeWith;
      if (madeWith !== fingerprintKey) return 'set';
    } else if (reading?.state !== 'known') return 'set';
    const ofKey = numbers.get(key) ?? new Map<string, number>();
    numbers.set(key, ofKey);
    return numberOf(ofKey, value);
  };
}
