// Reads values by their keys from stored snapshots. Each column is parsed once, however many keys read from it.

import type { StringMap } from '@envsnap/shared';
import { dependencyVersion, metadataValue, type SnapshotKey } from '@envsnap/shared/snapshot-key';
import type { StoredSnapshot } from './stored-rows.ts';

/** A column that a key reads its value from. */
export type KeyColumn = Exclude<keyof StoredSnapshot, 'machine_name' | 'created_at' | 'env_names'>;

/** The column of a key. */
export function columnOf(key: SnapshotKey): KeyColumn {
  const columns = {
    os: 'os',
    arch: 'arch',
    runtimes: 'runtime_versions',
    dependencies: 'dependencies',
    metadata: 'metadata',
    env: 'env_vars',
  } as const;
  return columns[key.kind];
}

/** Reads the values of a snapshot; null where it has none. */
export function createReader(row: Partial<StoredSnapshot>): (key: SnapshotKey) => string | null {
  const parsed = new Map<KeyColumn, unknown>();

  function contentOf(column: KeyColumn): unknown {
    if (!parsed.has(column)) parsed.set(column, JSON.parse(row[column] ?? '{}'));
    return parsed.get(column);
  }

  return (key) => {
    switch (key.kind) {
      case 'os':
      case 'arch':
        return row[key.kind] ?? null;
      case 'runtimes':
      case 'env':
        return ownValue(contentOf(columnOf(key)) as StringMap, key.name);
      case 'dependencies':
        return dependencyVersion(contentOf('dependencies') as Record<string, StringMap>, key.name);
      case 'metadata':
        return metadataValue(contentOf('metadata') as Record<string, unknown>, key.path);
    }
  };
}

function ownValue(map: StringMap, key: string): string | null {
  return Object.hasOwn(map, key) ? (map[key] as string) : null;
}

/** A number for each different value, in the order in which they come: says what is equal, and no value. */
export function numberOf(numbers: Map<string, number>, value: string): string {
  const number = numbers.get(value) ?? numbers.size + 1;
  numbers.set(value, number);
  return `value ${number}`;
}
