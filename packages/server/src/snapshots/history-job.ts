// When a value changed, on each machine, over the newest snapshots.

import type { LockedPackage } from '@envsnap/compare/workspace';
import { type Observation, seriesOf } from '@envsnap/compare/workspace/machines/history';
import type { operations, ResponseOf } from '@envsnap/shared';
import { type Address, isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { toTimestamp } from '../infra/clock.ts';
import { columnOf, environmentOfRow, numberOf } from './key-values.ts';
import { type AskForRows, readStored, type StoredJob, type StoredSnapshot } from './snapshot-rows.ts';

interface HistoryHead {
  readonly id: string;
  readonly machineName: string;
  readonly createdAt: number;
  readonly outcome: 'passed' | 'failed' | null;
}

export interface HistoryInput {
  readonly key: string;
  readonly heads: readonly HistoryHead[];
  readonly total: number;
}

export type HistoryAnswer = ResponseOf<typeof operations.getHistory>;

/** Maximum characters to read, and maximum characters of values to keep for the response. */
const mostRead = 256 * 1024 ** 2;
const mostKept = 8 * 1024 ** 2;

/** Consecutive captures of a machine mostly have the same text. It is parsed once. */
interface ReadValue {
  readonly text: string | undefined;
  /** A package in that text. The metadata says where it comes from. */
  readonly locked: LockedPackage | undefined;
  readonly value: string | null;
}

/** Reads the history from the newest snapshot back, as far as its limits allow. */
export const followValue: StoredJob<HistoryInput, HistoryAnswer> = async ({ key, heads, total }, ask) => {
  const address = parseAddress(key) as Address;
  const column = columnOf(address);
  const observations: Observation[] = [];
  const latest = new Map<string, ReadValue>();
  let scanned = 0;
  let readLength = 0;
  let keptLength = 0;
  const ids = heads.map(({ id }) => id);
  const columns = new Set([column, ...(address.section === 'dependencies' ? (['metadata'] as const) : [])]);
  for await (const [place, row] of readStored(ask, ids, [...columns])) {
    if (readLength > mostRead || keptLength > mostKept) break;
    scanned += 1;
    // Deleted between the two reads.
    if (!row) continue;
    const head = heads[place] as HistoryHead;
    const text = row[column] ?? undefined;
    for (const name of columns) readLength += row[name]?.length ?? 0;
    const after = latest.get(head.machineName);
    const { locked, value: found } = readValue(address, row, text, after);
    const isSame = after?.value === found;
    if (!isSame) keptLength += found?.length ?? 0;
    // Equal values are stored once.
    const value = isSame ? after.value : found;
    latest.set(head.machineName, { text, locked, value });
    const { id: snapshotId, machineName, outcome } = head;
    observations.push({
      snapshotId,
      machineName,
      createdAt: toTimestamp(head.createdAt),
      value,
      outcome,
      isUnknown: () => isUnknown(snapshotId, address, ask),
    });
  }
  const numbers = new Map<string, number>();
  const series = await seriesOf(observations.reverse(), (value) =>
    isVariableAddress(address) && value !== null ? numberOf(numbers, value) : value,
  );
  return { key, series, scanned, total, limitReached: scanned < heads.length };
};

function readValue(
  address: Address,
  row: Partial<StoredSnapshot>,
  text: string | undefined,
  after: ReadValue | undefined,
): ReadValue {
  const isSame = after !== undefined && after.text === text;
  if (isSame && !after.locked) return after;
  const environment = environmentOfRow(isSame ? { metadata: row.metadata ?? '{}' } : row);
  const locked = isSame ? after.locked : environment.packageAt(address.name);
  return { text, locked, value: locked ? environment.packageText(locked) : environment.textAt(address) };
}

async function isUnknown(id: string, address: Address, ask: AskForRows): Promise<boolean> {
  const [row] = await ask({ ids: [id], columns: ['metadata'] });
  return environmentOfRow(row ?? {}).whyUnknown(address) !== undefined;
}
