// Where stored snapshots are: on the server that is set, else the runs that this machine keeps of the project.

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import { environmentOf } from '@envsnap/compare/workspace/environment/environment';
import type { EnvSnap } from '@envsnap/sdk';
import type {
  Machine,
  MachineHealth,
  operations,
  ProjectHealth,
  ResponseOf,
  RunHealth,
  Snapshot,
} from '@envsnap/shared';
import { isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { healthLimits } from '@envsnap/shared/catalogue/limits';
import { failingFirst, stateOfMachine, worstFirst } from '@envsnap/shared/machine-state';
import { isFingerprint } from '@envsnap/shared/opaque-value';
import { runOutcome } from '@envsnap/shared/run-outcome';
import { settleRecordings } from '../../plain/pending-recordings.js';
import { resolveId, snapshotIds } from '../actions/references/resolve-id.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { type LocalRunFilter, type LocalRuns, type RunHead, runsKept, type StoredRun } from './local-runs.ts';

export type SnapshotStore = { readonly client: EnvSnap } | { readonly local: LocalRuns };

type RunFilter = LocalRunFilter & { readonly result: 'passed' | 'failed' };

/** Undefined if there is none. Without a name, uses that of the newest run that failed, or else of the newest run. */
export async function newestRun(store: SnapshotStore, filter: RunFilter): Promise<Snapshot | undefined> {
  return findNewest(store, { ...filter, of: filter.of ?? (await failedName(store, filter.machineName)) });
}

/** The name of the newest run that failed; undefined if none did. */
export async function failedName(
  store: SnapshotStore,
  machineName?: string | undefined,
): Promise<string | undefined> {
  return runOutcome((await findNewest(store, { result: 'failed', machineName }))?.metadata)?.of;
}

async function findNewest(store: SnapshotStore, filter: LocalRunFilter): Promise<Snapshot | undefined> {
  await settleRecordings();
  if ('local' in store) {
    const [head] = store.local.list(filter);
    return head && store.local.load(head);
  }
  const { result: outcome, of: outcomeOf, machineName } = filter;
  const { snapshots } = await store.client.snapshots.list({ outcome, outcomeOf, machineName, limit: 1 });
  const [newest] = snapshots;
  return newest && store.client.snapshots.get(newest.id);
}

/** The newest snapshot of all, or of a machine; undefined if there is none. */
export async function newestSnapshot(
  store: SnapshotStore,
  machineName: string | undefined,
): Promise<Snapshot | undefined> {
  return findNewest(store, { machineName });
}

/** All machines with a stored snapshot, by name, each with its newest one and its values of some keys. */
export async function listMachines(store: SnapshotStore, keys: readonly string[] = []): Promise<Machine[]> {
  await settleRecordings();
  if ('local' in store) return localMachines(store.local, keys);
  const query = keys.length > 0 ? { keys: keys.join(',') } : {};
  return store.client.snapshots.iterateMachines(query).toArray();
}

/** When a value changed, for each machine, over the newest snapshots. */
export async function valueHistory(
  store: SnapshotStore,
  query: { readonly key: string; readonly machineName?: string | undefined; readonly snapshots: number },
): Promise<ResponseOf<typeof operations.getHistory>> {
  await settleRecordings();
  if ('client' in store) return store.client.snapshots.history(query);
  return localHistory(store.local, query);
}

/** The snapshot of an id or its beginning. Exit code 4 if there is none. */
export async function snapshotById(store: SnapshotStore, text: string): Promise<Snapshot> {
  await settleRecordings();
  if ('client' in store) return store.client.snapshots.get(await resolveId(text, snapshotIds(store.client)));
  const heads = [...store.local.list()];
  const id = await resolveId(text, {
    noun: 'run',
    listCommand: 'envsnap snapshot list',
    ids: async () => heads.map((head) => head.id),
  });
  const head = heads.find((each) => each.id === id);
  if (head) return store.local.load(head);
  throw new CliError(`no run has the id ${id}: envsnap snapshot list shows them`, {
    code: 'run_not_found',
    exitCode: exitCodes.notFound,
  });
}

/** The state of machines and runs: of the project on the server, or of the runs kept here as far as it applies. */
export async function storedHealth(store: SnapshotStore): Promise<ProjectHealth | LocalHealth> {
  await settleRecordings();
  return 'client' in store ? store.client.health.get() : localHealth(store.local);
}

/** The newest run of each machine, by name, with the values of some keys. */
function localMachines(runs: LocalRuns, keys: readonly string[]): Machine[] {
  const newest = new Map<string, { machineName: string; latest: StoredRun; snapshots: number }>();
  for (const head of runs.list()) {
    const { machineName } = head;
    const known = newest.get(machineName);
    if (known) known.snapshots += 1;
    else newest.set(machineName, { machineName, latest: runs.load(head), snapshots: 1 });
  }
  return machinesOf(
    [...newest].sort(byName).map(([, each]) => each),
    keys,
  );
}

/** Machines with their values of some keys. */
export function machinesOf<M extends { readonly latest: ComparableEnvironment }>(
  machines: readonly M[],
  keys: readonly string[],
): (M & Pick<Machine, 'values'>)[] {
  const shown = secretsNumbered();
  return machines.map((machine) => ({
    ...machine,
    values: keys.map((key) => ({ key, value: shown(key, valueAt(machine.latest, key)) })),
  }));
}

/** Shows a value unchanged, because the runs are the user's own. A secret is shown as a number. */
function secretsNumbered(): (key: string, value: string | null) => string | null {
  const numbers = new Map<string, number>();
  return (key, value) => {
    const address = parseAddress(key);
    if (value === null || !address || !isVariableAddress(address)) return value;
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return isFingerprint(value) ? `value ${numbers.get(value)}` : value;
  };
}

/** When a value changed over the newest runs, for each machine. */
export async function localHistory(
  runs: LocalRuns,
  { key, machineName, snapshots }: Parameters<typeof valueHistory>[1],
): Promise<ResponseOf<typeof operations.getHistory>> {
  const { seriesOf } = await import('@envsnap/compare/workspace/machines/history');
  const address = parseAddress(key);
  const heads = [...runs.list({ machineName })];
  const observations = heads.slice(0, snapshots).map((head) => {
    const { id: snapshotId, createdAt, result: outcome } = head;
    const value = valueAt(runs.load(head), key);
    const isUnknown = () => !!address && environmentOf(runs.load(head)).whyUnknown(address) !== undefined;
    return { snapshotId, machineName: head.machineName, createdAt, outcome, value, isUnknown };
  });
  const shown = secretsNumbered();
  const series = await seriesOf(observations.reverse(), (value) => shown(key, value));
  return { key, series, scanned: observations.length, total: heads.length, limitReached: false };
}

export type LocalHealth = Omit<ProjectHealth, 'quotas'> & {
  readonly quotas: Pick<ProjectHealth['quotas'], 'runs'>;
};

export async function localHealth(runs: LocalRuns): Promise<LocalHealth> {
  const { verdictOn } = await import('@envsnap/compare/workspace/machines/verdict');
  const heads = [...runs.list()];
  const machines = [...Map.groupBy(heads, (head) => head.machineName)];
  const ofMachine = ([machineName, [newest, before]]: readonly [string, RunHead[]]): MachineHealth[] => {
    if (!newest) return [];
    const { id: snapshotId, createdAt } = newest;
    const place = { machineName, snapshotId, createdAt, previousSnapshotId: before?.id ?? null };
    const verdict = verdictOn(runs.load(before ?? newest), runs.load(newest), 'machine');
    return [stateOfMachine(place, verdict)];
  };
  const ofName = ([of, last]: readonly [string, RunHead[]]): RunHealth => {
    const passed = last.find(({ result }) => result === 'passed');
    const failed = last.slice(0, passed && last.indexOf(passed));
    const [newest] = failed;
    const verdict = newest && passed && verdictOn(runs.load(passed), runs.load(newest), 'run');
    return {
      of,
      last: last.slice(0, healthLimits.runs).map(({ id, result, createdAt }) => ({ id, result, createdAt })),
      failingSince: failed.at(-1)?.createdAt ?? null,
      failedRuns: failed.length,
      lastPassedId: (newest && passed?.id) ?? null,
      cause: verdict?.causes[0] ?? null,
    };
  };
  return {
    machines: worstFirst(machines.slice(0, healthLimits.machines).flatMap(ofMachine)),
    machineCount: machines.length,
    runs: failingFirst([...Map.groupBy(heads, ({ of }) => of)].slice(0, healthLimits.names).map(ofName)),
    quotas: { runs: { used: heads.length, max: runsKept } },
    webhooks: { failing: 0, ids: [] },
  };
}

function byName([x]: readonly [string, unknown], [y]: readonly [string, unknown]): number {
  return x < y ? -1 : 1;
}

function valueAt(run: ComparableEnvironment, text: string): string | null {
  const address = parseAddress(text);
  return address ? environmentOf(run).textAt(address) : null;
}
