// Reads over many snapshots: the newest of each machine, and when a value changed. Snapshots are read a few at a time,
// so that memory stays small, and after each other requests get their turn.

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  dependencyVersion,
  type Machine,
  metadataValue,
  parseSnapshotKey,
  type SnapshotKey,
  type StringMap,
  type ValueSeries,
} from '@envsnap/shared';
import { unknownEntries } from '@envsnap/shared/catalogue/unknown';
import type { Executor } from '../infra/db/database.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import { createHistoryRepository, type KeyColumn, type ValueRow } from './history-repository.ts';

/** Opens the variables of a snapshot: JSON text. */
type OpenVariables = (projectId: string, row: { id: string; env_ciphertext: Buffer }) => Promise<string>;

export interface MachineListRequest {
  readonly projectId: string;
  readonly keys: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

export interface HistoryRequest {
  readonly projectId: string;
  readonly key: string;
  readonly machineName?: string | undefined;
  /** Most snapshots looked at, the newest ones. */
  readonly snapshots: number;
}

/** Snapshots whose large columns are in memory at one time. */
const batchSize = 8;

/** Reads over many snapshots, on one connection. */
export function createSnapshotHistory(executor: Executor, openVariables: OpenVariables) {
  const repository = createHistoryRepository(executor);

  return {
    /** A page of machines by name. */
    async machines({ projectId, keys, limit, offset }: MachineListRequest) {
      const [heads, total] = await Promise.all([
        repository.newestOfMachines(projectId, limit, offset),
        repository.countMachines(projectId),
      ]);
      const parsed = keys.map((key) => ({ key, parsed: parseSnapshotKey(key) as SnapshotKey }));
      const columns = [...new Set(parsed.map((item) => columnOf(item.parsed)))];
      const machines: Machine[] = [];
      for (const batch of batches(heads, batchSize)) {
        const rows = await repository.withColumns(
          projectId,
          batch.map((head) => head.id),
          ['os', 'arch', 'runtime_versions', 'metadata', ...columns],
        );
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const head of batch) {
          const row = byId.get(head.id);
          // Deleted between the two reads.
          if (!row) continue;
          const read = createReader(projectId, row);
          const values: Machine['values'] = [];
          for (const item of parsed) {
            const value = await read(item.parsed);
            values.push({
              key: item.key,
              value: item.parsed.kind === 'env' && value !== null ? 'set' : value,
            });
          }
          machines.push({
            machineName: head.machine_name,
            snapshots: head.snapshots,
            latest: {
              id: head.id,
              machineName: head.machine_name,
              os: row.os ?? null,
              arch: row.arch ?? null,
              runtimeVersions: JSON.parse(row.runtime_versions ?? '{}') as StringMap,
              metadata: JSON.parse(row.metadata ?? '{}') as Record<string, unknown>,
              createdAt: toTimestamp(head.created_at),
            },
            values,
          });
          await nextTurn();
        }
      }
      return { machines, total, limit, offset };
    },

    /** When a value changed, for each machine, over the newest snapshots. */
    async history({ projectId, key, machineName, snapshots }: HistoryRequest) {
      const parsed = parseSnapshotKey(key) as SnapshotKey;
      const [newest, total] = await Promise.all([
        repository.newest(projectId, machineName, snapshots),
        repository.countSnapshots(projectId, machineName),
      ]);
      const column = columnOf(parsed);
      const machines = new Map<string, MachineState>();
      const numbers = new Map<string, number>();
      for (const batch of batches(newest.reverse(), batchSize)) {
        const rows = await repository.withColumns(
          projectId,
          batch.map((head) => head.id),
          [column],
        );
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const head of batch) {
          const row = byId.get(head.id);
          if (!row) continue;
          const state = machines.get(head.machine_name) ?? newMachineState(head.machine_name);
          machines.set(head.machine_name, state);
          // Captures of a machine mostly hold the very same text as the one before: then nothing is parsed again.
          const text = column === 'env_ciphertext' ? undefined : (row[column] ?? undefined);
          const value =
            text !== undefined && state.text === text
              ? (state.value ?? null)
              : await createReader(projectId, row)(parsed);
          state.series.snapshots += 1;
          // What a capture could not read is not a change: the value before it stands.
          if (value === null && state.value && (await isUnknown(projectId, head.id, parsed))) continue;
          if (value !== state.value) {
            const shown = parsed.kind === 'env' && value !== null ? numberOf(numbers, value) : value;
            const createdAt = toTimestamp(head.created_at);
            state.series.changes.push({
              snapshotId: head.id,
              createdAt,
              value: shown,
              outcome: head.outcome,
            });
          }
          state.text = text;
          state.value = value;
          await nextTurn();
        }
      }
      const sorted = [...machines.values()]
        .map((item) => item.series)
        .sort((x, y) => (x.machineName < y.machineName ? -1 : 1));
      return { key, series: sorted, scanned: newest.length, total };
    },
  };

  /** Whether a snapshot says that it could not read a key. Only asked where a value is missing all at once. */
  async function isUnknown(projectId: string, id: string, key: SnapshotKey): Promise<boolean> {
    const section = key.kind === 'metadata' ? key.path[0] : key.kind;
    const name = key.kind === 'metadata' ? key.path.slice(1).join('.') : 'name' in key ? key.name : key.kind;
    const [row] = await repository.withColumns(projectId, [id], ['metadata']);
    return unknownEntries(JSON.parse(row?.metadata ?? '{}')).some(
      (entry) =>
        entry.section === section &&
        (entry.key === name || (section === 'dependencies' && name.startsWith(`${entry.key}/`))),
    );
  }

  /** Reads values of a row; each column is parsed once, however many keys read from it. */
  function createReader(projectId: string, row: ValueRow): (key: SnapshotKey) => Promise<string | null> {
    const parsed = new Map<KeyColumn, Promise<unknown>>();

    async function parse(column: KeyColumn): Promise<unknown> {
      if (column !== 'env_ciphertext') return JSON.parse(row[column] ?? '{}');
      if (!row.env_ciphertext) return {};
      return JSON.parse(await openVariables(projectId, { id: row.id, env_ciphertext: row.env_ciphertext }));
    }

    return async (key) => {
      if (key.kind === 'os' || key.kind === 'arch') return row[key.kind] ?? null;
      const column = columnOf(key);
      const parsing = parsed.get(column) ?? parse(column);
      parsed.set(column, parsing);
      const content = await parsing;
      switch (key.kind) {
        case 'runtimes':
        case 'env':
          return ownValue(content as StringMap, key.name);
        case 'dependencies':
          return dependencyVersion(content as Record<string, StringMap>, key.name);
        case 'metadata':
          return metadataValue(content as Record<string, unknown>, key.path);
      }
    };
  }
}

/** What was last seen of a machine while its history is read. */
interface MachineState {
  readonly series: ValueSeries;
  /** Undefined before the first snapshot. */
  value: string | null | undefined;
  text: string | undefined;
}

function newMachineState(machineName: string): MachineState {
  return { series: { machineName, snapshots: 0, changes: [] }, value: undefined, text: undefined };
}

function columnOf(key: SnapshotKey): KeyColumn {
  const columns = {
    os: 'os',
    arch: 'arch',
    runtimes: 'runtime_versions',
    dependencies: 'dependencies',
    metadata: 'metadata',
    env: 'env_ciphertext',
  } as const;
  return columns[key.kind];
}

/** A number for each different value, in the order in which they come: tells changes, and returns, and no value. */
function numberOf(numbers: Map<string, number>, value: string): string {
  const number = numbers.get(value) ?? numbers.size + 1;
  numbers.set(value, number);
  return `value ${number}`;
}

function ownValue(map: StringMap, key: string): string | null {
  return Object.hasOwn(map, key) ? (map[key] as string) : null;
}

function batches<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
