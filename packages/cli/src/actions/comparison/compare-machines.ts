// Loads the environments of many machines, to compare them side by side.

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import { matrixRows } from '@envsnap/compare/workspace/machines/matrix-rows';
import type { Machine } from '@envsnap/shared';
import { addressForms, isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { limits } from '@envsnap/shared/catalogue/limits';
import type { Matrix } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';
import { listMachines, machinesOf } from '../../runs/snapshot-store.ts';
import { isFile } from '../references/expand-files.ts';
import {
  knownMachines,
  noSnapshotOf,
  nothingStored,
  resolveSnapshot,
  type SnapshotSources,
} from '../references/resolve-snapshot.ts';
import { isReference, parseReference } from '../references/snapshot-reference.ts';

/** Checks a key before a server is called. Exit code 2 if it is not a key. */
export function checkKey(key: string): string {
  // Keys are joined by commas in the request.
  if (parseAddress(key) && !key.includes(',')) return key;
  throw new CliError(`"${key}" is not a key`, { code: 'invalid_key', hint: `Keys: ${addressForms}.` });
}

/**
 * Compares the newest snapshots of these machines (of all if none is named), or what references name. Exit code 4 if one has
 * none.
 */
export async function compareMachines(
  sources: SnapshotSources,
  names: readonly string[],
  keys: readonly string[],
): Promise<Matrix> {
  for (const key of keys) checkKey(key);
  if (names.some((name) => isReference(name, isFile))) {
    const sides = await Promise.all(names.map((name) => resolveNamed(name, sources)));
    return matrixOf(machinesOf(sides, keys), keys);
  }
  const store = await sources.store();
  const listed = await listMachines(store, keys);
  const all = 'client' in store ? listed.map(withoutLaterNumbers) : listed;
  const machines = names.length === 0 ? all : names.map((name) => findMachine(name, all));
  if (machines.length === 0) throw nothingStored(store);
  return matrixOf(machines, keys);
}

/** Keeps the reference as the name, as in compare, because several may be of one machine. */
async function resolveNamed(name: string, sources: SnapshotSources) {
  const reference = parseReference(isReference(name, isFile) ? name : `latest:${name}`, isFile);
  return { machineName: name, latest: await resolveSnapshot(reference, sources), snapshots: 1 };
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

/** The policy's code is loaded only if a machine has a policy. */
async function outcomesOf(snapshots: readonly ComparableEnvironment[]) {
  if (!snapshots.some(({ metadata }) => Object.hasOwn(metadata ?? {}, 'policy'))) return [];
  const { ownOutcomes } = await import('@envsnap/compare/own-policy');
  return ownOutcomes(snapshots);
}

/** Numbers that stand for variables' values are valid within one response. In later responses they only mean "set". */
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
