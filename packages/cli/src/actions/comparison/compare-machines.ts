// Asks for the newest snapshots of many machines, to put them side by side.

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import { matrixRows } from '@envsnap/compare/workspace/machines/matrix-rows';
import type { Machine } from '@envsnap/shared';
import { addressForms, isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { limits } from '@envsnap/shared/catalogue/limits';
import type { Matrix } from '../../documents/machine-documents.ts';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { listMachines, machinesOf, type SnapshotStore } from '../../runs/snapshot-store.ts';
import { isFile } from '../references/expand-files.ts';
import {
  knownMachines,
  noSnapshotOf,
  nothingStored,
  readSnapshotFile,
} from '../references/resolve-snapshot.ts';

/** Checks a key before a server is asked. Exit code 2 when it is not a key. */
export function checkKey(key: string): string {
  // A list of keys is joined by commas on the way to the server.
  if (parseAddress(key) && !key.includes(',')) return key;
  throw new CliError(`"${key}" is not a key`, { code: 'invalid_key', hint: `Keys: ${addressForms}.` });
}

/** Compares the newest snapshots of these machines, of all when none is named, or files. Exit code 4 when one has none. */
export async function compareMachines(
  openStore: () => Promise<SnapshotStore>,
  names: readonly string[],
  keys: readonly string[],
): Promise<Matrix> {
  for (const key of keys) checkKey(key);
  if (names.some(isFile)) return matrixOf(machinesOf(await Promise.all(names.map(readFile)), keys), keys);
  const store = await openStore();
  const listed = await listMachines(store, keys);
  const all = 'client' in store ? listed.map(withoutLaterNumbers) : listed;
  const machines = names.length === 0 ? all : names.map((name) => findMachine(name, all));
  if (machines.length === 0) throw nothingStored(store);
  return matrixOf(machines, keys);
}

async function readFile(name: string) {
  // With its own name, which compare takes: files may be of one machine.
  if (isFile(name)) return { machineName: name, latest: await readSnapshotFile(name), snapshots: 1 };
  throw usageError(
    `"${name}" is not a file, and the others are`,
    'Name files only, or machines only: envsnap capture --output FILE writes a file.',
  );
}

async function matrixOf(
  machines: readonly (Omit<Machine, 'latest'> & { readonly latest: ComparableEnvironment })[],
  keys: readonly string[],
): Promise<Matrix> {
  return {
    machines: machines.map(({ latest, machineName }) => ({
      machineName,
      snapshotId: latest.id ?? null,
      createdAt: latest.createdAt ?? null,
    })),
    rows: matrixRows(machines, keys, await outcomesOf(machines.map(({ latest }) => latest))),
  };
}

/** The policy's code is loaded only where a machine carries one. */
async function outcomesOf(snapshots: readonly ComparableEnvironment[]) {
  if (!snapshots.some(({ metadata }) => Object.hasOwn(metadata ?? {}, 'policy'))) return [];
  const { ownOutcomes } = await import('@envsnap/compare/own-policy');
  return ownOutcomes(snapshots);
}

/** Numbers of variables' values hold within one answer of the server: those of later answers say only that one is set. */
function withoutLaterNumbers(machine: Machine, place: number): Machine {
  if (place < limits.pageMax) return machine;
  const values = machine.values.map(({ key, value }) => {
    const address = parseAddress(key);
    return { key, value: value !== null && address && isVariableAddress(address) ? 'set' : value };
  });
  return { ...machine, values };
}

function findMachine(name: string, machines: readonly Machine[]): Machine {
  const found = machines.find((machine) => machine.machineName === name);
  if (found) return found;
  throw noSnapshotOf(
    name,
    machines.length > 0 ? knownMachines(name, machines) : 'envsnap capture stores one.',
  );
}
