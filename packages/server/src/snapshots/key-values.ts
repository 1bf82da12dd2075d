// Reads values by their addresses from stored snapshots. Each column is parsed once, however many addresses are read from it.

import { type Environment, environmentOf } from '@envsnap/compare/workspace';
import type { Address } from '@envsnap/shared/address';
import type { StoredSnapshot } from './snapshot-rows.ts';
import { snapshotOf } from './stored-environment.ts';

type ValueColumn = Exclude<keyof StoredSnapshot, 'created_at' | 'env_names'>;

const columns: Partial<Record<Address['section'], ValueColumn>> = {
  os: 'os',
  arch: 'arch',
  machineName: 'machine_name',
  runtimes: 'runtime_versions',
  dependencies: 'dependencies',
  env: 'env_vars',
  paths: 'env_vars',
};

export function columnOf({ section, name }: Address): ValueColumn {
  // A file's settings for all its packages.
  if (section === 'dependencies' && name.includes('/#')) return 'metadata';
  return columns[section] ?? 'metadata';
}

export function environmentOfRow(row: Partial<StoredSnapshot>): Environment {
  return environmentOf(snapshotOf('', row));
}

/** A number for each different value, in order of appearance: shows equality, but no value. */
export function numberOf(numbers: Map<string, number>, value: string): string {
  const number = numbers.get(value) ?? numbers.size + 1;
  numbers.set(value, number);
  return `value ${number}`;
}
