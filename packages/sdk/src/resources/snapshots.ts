// client.snapshots: store, list, show, delete and compare snapshots. docs/specification.md §4.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type {
  CompareSnapshotsAnswer,
  CompareSnapshotsBody,
  CreateSnapshotAnswer,
  DiagnoseBody,
  DiagnosisAnswer,
  GetHistoryAnswer,
  GetHistoryQuery,
  ListMachinesAnswer,
  ListMachinesQuery,
  ListSnapshotsAnswer,
  ListSnapshotsQuery,
  Machine,
  Snapshot,
  SnapshotContent,
  SnapshotSummary,
  Success,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

const snapshots = defineList('listSnapshots', 'snapshots', 'id');

const machines = defineList('listMachines', 'machines', 'machineName');

export class Snapshots {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Stores a snapshot. `QuotaError` when the project is full.
   *
   * @example
   * await client.snapshots.create({ machineName: 'build-7', runtimeVersions: { node: '24.1.0' } });
   */
  create(snapshot: SnapshotContent, options?: CallOptions): ApiPromise<CreateSnapshotAnswer> {
    return this.#transport.call('createSnapshot', { body: snapshot }, options);
  }

  /**
   * One page of snapshots, the newest first, without variables and dependencies.
   *
   * @example
   * for await (const { id, createdAt } of client.snapshots.list({ machineName: 'build-7' })) console.log(id, createdAt);
   */
  list(query?: ListSnapshotsQuery, options?: CallOptions): ListPromise<ListSnapshotsAnswer, SnapshotSummary> {
    return listOf(this.#transport, snapshots, { query }, options);
  }

  /**
   * All snapshots that fit the filter, page by page as they are asked for.
   *
   * @example
   * const latest = await client.snapshots.iterate({ outcome: 'failed' }).toArray({ limit: 10 });
   */
  iterate(
    filter?: Omit<ListSnapshotsQuery, 'limit' | 'offset' | 'after'>,
    options?: CallOptions & PageOptions,
  ): ItemSequence<SnapshotSummary> {
    return walkOf(this.#transport, snapshots, { query: filter }, options);
  }

  /**
   * The newest snapshot of a machine, without variables and dependencies; undefined where it has none.
   *
   * @example
   * const newest = await client.snapshots.latest('build-7');
   */
  latest(machineName: string, options?: CallOptions): Promise<SnapshotSummary | undefined> {
    return this.list({ machineName, limit: 1 }, options).then(({ snapshots: [newest] }) => newest);
  }

  /**
   * A snapshot with its variables. `NotFoundError` when this project has none with that id.
   *
   * @example
   * const { envVars, metadata } = await client.snapshots.get(id);
   */
  get(id: string, options?: CallOptions): ApiPromise<Snapshot> {
    return this.#transport.call('getSnapshot', { params: { id } }, options);
  }

  /**
   * Deletes a snapshot.
   *
   * @example
   * await client.snapshots.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.#transport.call('deleteSnapshot', { params: { id } }, options);
  }

  /**
   * Compares two snapshots of this project. `verdict` is that of `envsnap compare` under the policy that B carries.
   *
   * @example
   * const { verdict, causes } = await client.snapshots.compare({ snapshotA: before.id, snapshotB: after.id });
   */
  compare(pair: CompareSnapshotsBody, options?: CallOptions): ApiPromise<CompareSnapshotsAnswer> {
    return this.#transport.call('compareSnapshots', { body: pair }, options);
  }

  /**
   * What separates failing runs from passing ones: by default over the stored snapshots with an outcome.
   *
   * @example
   * const { findings } = await client.snapshots.diagnose({ outcomeOf: 'unit tests' });
   */
  diagnose(runs: DiagnoseBody = {}, options?: CallOptions): ApiPromise<DiagnosisAnswer> {
    return this.#transport.call('diagnose', { body: runs }, options);
  }

  /**
   * One page of machines by name, each with its newest snapshot and the values of the keys that are asked for.
   *
   * @example
   * const { machines } = await client.snapshots.machines({ keys: 'runtimes.node,os' });
   */
  machines(query?: ListMachinesQuery, options?: CallOptions): ListPromise<ListMachinesAnswer, Machine> {
    return listOf(this.#transport, machines, { query }, options);
  }

  /**
   * All machines by name, page by page as they are asked for.
   *
   * @example
   * for await (const { machineName, latest } of client.snapshots.iterateMachines()) console.log(machineName, latest.os);
   */
  iterateMachines(
    filter?: Omit<ListMachinesQuery, 'limit' | 'offset'>,
    options?: CallOptions & PageOptions,
  ): ItemSequence<Machine> {
    return walkOf(this.#transport, machines, { query: filter }, options);
  }

  /**
   * When a value changed, on each machine: `runtimes.node`, `dependencies:package-lock.json/zod`, `env:TZ`, `os`.
   *
   * @example
   * const { series } = await client.snapshots.history({ key: 'runtimes.node' });
   */
  history(
    query: GetHistoryQuery & { readonly key: string },
    options?: CallOptions,
  ): ApiPromise<GetHistoryAnswer> {
    return this.#transport.call('getHistory', { query }, options);
  }
}
