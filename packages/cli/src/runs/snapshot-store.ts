// Where stored snapshots are: on the server that is set, else the runs that this machine keeps of the project.

import type { EnvSnap } from '@envsnap/sdk';
import type { Machine, operations, ResponseOf, Snapshot } from '@envsnap/shared';
import { runOutcome } from '@envsnap/shared/run-outcome';
import { settleRecordings } from '../../bin/pending-recordings.js';
import { snapshotIds } from '../actions/references/id-spaces.ts';
import { resolveId } from '../actions/references/resolve-id.ts';
import type { Connection } from '../connection/settings.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { localHistory, localMachines } from './local-history.ts';
import type { LocalRunFilter, LocalRuns } from './local-runs.ts';

/** A server with its client, or the runs of this machine. */
export type SnapshotStore =
  | { readonly client: EnvSnap; readonly connection: Connection }
  | { readonly local: LocalRuns };

type RunFilter = LocalRunFilter & { readonly result: 'passed' | 'failed' };

/**
 * The newest run that was asked for; undefined where there is none. Without a name it is of the newest run that failed, else of
 * the newest run.
 */
export async function newestRun(store: SnapshotStore, filter: RunFilter): Promise<Snapshot | undefined> {
  return findNewest(store, { ...filter, of: filter.of ?? (await failedName(store, filter.machineName)) });
}

/** The name of the newest run that failed; undefined where none did. */
export async function failedName(
  store: SnapshotStore,
  machineName?: string | undefined,
): Promise<string | undefined> {
  return runOutcome((await findNewest(store, { result: 'failed', machineName }))?.metadata)?.of;
}

async function findNewest(store: SnapshotStore, filter: RunFilter): Promise<Snapshot | undefined> {
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

/** The newest snapshot of all, or of a machine; undefined where there is none. */
export async function newestSnapshot(
  store: SnapshotStore,
  machineName: string | undefined,
): Promise<Snapshot | undefined> {
  if ('local' in store) {
    await settleRecordings();
    const [head] = store.local.list({ machineName });
    return head && store.local.load(head);
  }
  const { snapshots } = await store.client.snapshots.list({ machineName, limit: 1 });
  const [newest] = snapshots;
  return newest && store.client.snapshots.get(newest.id);
}

/** All machines with a stored snapshot, by name, each with its newest one and its values of some keys. */
export async function listMachines(store: SnapshotStore, keys: readonly string[] = []): Promise<Machine[]> {
  if ('local' in store) {
    await settleRecordings();
    return localMachines(store.local, keys);
  }
  const machines: Machine[] = [];
  const query = keys.length > 0 ? { keys: keys.join(',') } : {};
  for (;;) {
    const page = await store.client.snapshots.machines({ ...query, limit: 100, offset: machines.length });
    machines.push(...page.machines);
    if (page.machines.length === 0 || machines.length >= page.total) return machines;
  }
}

/** When a value changed, for each machine, over the newest snapshots. */
export async function valueHistory(
  store: SnapshotStore,
  query: { readonly key: string; readonly machineName?: string; readonly snapshots: number },
): Promise<ResponseOf<typeof operations.getHistory>> {
  if ('client' in store) return store.client.snapshots.history(query);
  await settleRecordings();
  return localHistory(store.local, query);
}

/** The snapshot of an id or its beginning. Exit code 4 where there is none. */
export async function snapshotById(store: SnapshotStore, text: string): Promise<Snapshot> {
  if ('client' in store) return store.client.snapshots.get(await resolveId(text, snapshotIds(store.client)));
  await settleRecordings();
  const heads = [...store.local.list()];
  const id = await resolveId(text, {
    noun: 'run',
    listCommand: 'envsnap snapshot list',
    ids: async () => heads.map((head) => head.id),
  });
  const head = heads.find((each) => each.id === id);
  if (head) return store.local.load(head);
  throw new CliError(`no run has the id ${id}`, {
    code: 'run_not_found',
    exitCode: exitCodes.notFound,
  });
}
