// When a value changed, over the stored snapshots, with how far apart the versions are.

import { kindOf } from '@envsnap/compare/workspace/environment/kind';
import { parseAddress } from '@envsnap/shared/address';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { versionDistance } from '@envsnap/versions';
import type { History } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { listMachines, type SnapshotStore, valueHistory } from '../../runs/snapshot-store.ts';
import { knownMachines, noSnapshotOf, nothingStored } from '../references/resolve-snapshot.ts';
import { checkKey } from './compare-machines.ts';

interface HistoryQuery {
  readonly machineName: string | undefined;
  /** Most snapshots to look at. */
  readonly snapshots: number;
}

/** Reads the history of a key. Exit code 2 when it is not a key, 4 when nothing has it. */
export async function readHistory(store: SnapshotStore, key: string, query: HistoryQuery): Promise<History> {
  checkKey(key);
  const answer = await valueHistory(store, {
    key,
    snapshots: query.snapshots,
    ...(query.machineName === undefined ? {} : { machineName: query.machineName }),
  });
  if (answer.scanned === 0) throw await noneOf(store, query.machineName);
  const hasValue = answer.series.some((series) => series.changes.some((change) => change.value !== null));
  if (!hasValue) throw await neverSet(store, key);
  const address = parseAddress(key);
  const isPackage = address?.section === 'runtimes' || address?.section === 'dependencies';
  const order = isPackage ? kindOf(address).order : 'none';
  return {
    ...answer,
    series: answer.series.map(({ machineName, snapshots, changes }) => ({
      machineName,
      snapshots,
      changes: changes.map((change, index) => {
        const before = changes[index - 1]?.value ?? null;
        const both = typeof order === 'object' && before !== null && change.value !== null;
        return {
          ...change,
          distance: both ? versionDistance(before, change.value as string, order.versionsOf) : null,
        };
      }),
    })),
  };
}

async function noneOf(store: SnapshotStore, machineName: string | undefined): Promise<CliError> {
  const machines = await listMachines(store);
  if (machineName === undefined || machines.length === 0) return nothingStored(store);
  return noSnapshotOf(machineName, knownMachines(machineName, machines));
}

async function neverSet(store: SnapshotStore, key: string): Promise<CliError> {
  const address = parseAddress(key);
  const known =
    address?.section === 'runtimes'
      ? (await listMachines(store)).flatMap(({ latest }) =>
          Object.keys(latest.runtimeVersions).map((name) => `runtimes.${name}`),
        )
      : [];
  const near = nearestName(key, [...new Set(known)]);
  return new CliError(`no snapshot has ${key}`, {
    code: 'key_not_found',
    exitCode: exitCodes.notFound,
    hint: near ? `Did you mean ${near}?` : 'envsnap snapshot show ID shows what a snapshot has.',
  });
}
