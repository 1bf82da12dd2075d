// When a value changed, over the stored snapshots, with how far apart the versions are.

import { type Ecosystem, ecosystemOfFile, ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { parseSnapshotKey } from '@envsnap/shared/snapshot-key';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { versionDistance } from '@envsnap/versions';
import type { History } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { listMachines, type SnapshotStore, valueHistory } from '../../runs/snapshot-store.ts';
import { knownMachines, noSnapshotOf, nothingStored } from '../references/resolve-snapshot.ts';
import { checkKey } from './compare-machines.ts';

export interface HistoryQuery {
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
  const ecosystem = ecosystemOf(key);
  return {
    ...answer,
    series: answer.series.map(({ machineName, snapshots, changes }) => ({
      machineName,
      snapshots,
      changes: changes.map((change, index) => {
        const before = changes[index - 1]?.value ?? null;
        const both = ecosystem !== undefined && before !== null && change.value !== null;
        return {
          ...change,
          distance: both ? versionDistance(before, change.value as string, ecosystem) : null,
        };
      }),
    })),
  };
}

/** The ecosystem by whose rules the values of a key are versions; undefined where they are not versions. */
function ecosystemOf(key: string): Ecosystem | undefined {
  const parsed = parseSnapshotKey(key);
  if (parsed?.kind === 'runtimes') return ecosystemOfRuntime(parsed.name);
  if (parsed?.kind !== 'dependencies') return undefined;
  // Only the snapshot knows where the file ends and the package begins: here, the first part that names a format is the file.
  const parts = parsed.name.split('/');
  for (const part of parts) {
    const ecosystem = ecosystemOfFile(part);
    if (ecosystem !== 'generic') return ecosystem;
  }
  return 'generic';
}

async function noneOf(store: SnapshotStore, machineName: string | undefined): Promise<CliError> {
  const machines = await listMachines(store);
  if (machineName === undefined || machines.length === 0) return nothingStored(store);
  return noSnapshotOf(machineName, knownMachines(machineName, machines));
}

async function neverSet(store: SnapshotStore, key: string): Promise<CliError> {
  const parsed = parseSnapshotKey(key);
  const known =
    parsed?.kind === 'runtimes'
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
