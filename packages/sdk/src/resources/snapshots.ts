// client.snapshots: store, list, show, delete and compare snapshots; client.shares: pages about them. docs/specification.md §4, §17.

import type { ApiPromise } from '../call/api-promise.ts';
import type {
  CompareSnapshotsAnswer,
  CompareSnapshotsBody,
  CreateConsoleLinkAnswer,
  CreateConsoleLinkBody,
  CreateShareAnswer,
  CreateSnapshotAnswer,
  DiagnoseBody,
  DiagnosisAnswer,
  GetHistoryAnswer,
  GetHistoryQuery,
  ListMachinesAnswer,
  ListMachinesQuery,
  ListSharesAnswer,
  ListSnapshotsAnswer,
  ListSnapshotsQuery,
  Machine,
  PartQuery,
  Share,
  ShareBody,
  Snapshot,
  SnapshotContent,
  SnapshotSummary,
  Success,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';
import { Resource } from './resource.ts';

const snapshots = defineList('listSnapshots', 'snapshots', 'id');

const machines = defineList('listMachines', 'machines', 'machineName');

export class Snapshots extends Resource {
  /**
   * Stores a snapshot. Throws `QuotaError` if the project is full.
   * @example await client.snapshots.create({ machineName: 'build-7', runtimeVersions: { node: '24.1.0' } });
   */
  create(snapshot: SnapshotContent, options?: CallOptions): ApiPromise<CreateSnapshotAnswer> {
    return this.transport.call('createSnapshot', { body: snapshot }, options);
  }

  /**
   * One page of snapshots, newest first, without variables and dependencies.
   * @example
   * for await (const { id, createdAt } of client.snapshots.list({ machineName: 'build-7' })) console.log(id, createdAt);
   */
  list(query?: ListSnapshotsQuery, options?: CallOptions): ListPromise<ListSnapshotsAnswer, SnapshotSummary> {
    return listOf(this.transport, snapshots, { query }, options);
  }

  /**
   * All snapshots that match the filter, fetched page by page as needed.
   * @example
   * const latest = await client.snapshots.iterate({ outcome: 'failed' }).toArray({ limit: 10 });
   */
  iterate(
    filter?: Omit<ListSnapshotsQuery, 'limit' | 'offset' | 'after'>,
    options?: CallOptions & PageOptions,
  ): ItemSequence<SnapshotSummary> {
    return walkOf(this.transport, snapshots, { query: filter }, options);
  }

  /**
   * The newest snapshot of a machine, without variables and dependencies; undefined if it has none.
   * @example
   * const newest = await client.snapshots.latest('build-7');
   */
  latest(machineName: string, options?: CallOptions): Promise<SnapshotSummary | undefined> {
    return this.list({ machineName, limit: 1 }, options).then(({ snapshots: [newest] }) => newest);
  }

  /**
   * A snapshot with its variables. Throws `NotFoundError` if this project has none with that id.
   * @example const { envVars, metadata } = await client.snapshots.get(id);
   */
  get(id: string, options?: CallOptions): ApiPromise<Snapshot> {
    return this.transport.call('getSnapshot', { params: { id } }, options);
  }

  /**
   * Deletes a snapshot.
   * @example
   * await client.snapshots.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('deleteSnapshot', { params: { id } }, options);
  }

  /**
   * Compares two snapshots of this project. `verdict` is that of `envsnap compare` under the policy in B.
   * @example const { verdict, causes } = await client.snapshots.compare({ snapshotA: before.id, snapshotB: after.id });
   */
  compare(pair: CompareSnapshotsBody, options?: CallOptions): ApiPromise<CompareSnapshotsAnswer> {
    return this.transport.call('compareSnapshots', { body: pair }, options);
  }

  /**
   * Finds what separates failing runs from passing ones, by default among the stored snapshots with an outcome.
   * @example
   * const { findings } = await client.snapshots.diagnose({ outcomeOf: 'unit tests' });
   */
  diagnose(runs: DiagnoseBody = {}, options?: CallOptions): ApiPromise<DiagnosisAnswer> {
    return this.transport.call('diagnose', { body: runs }, options);
  }

  /**
   * One page of machines by name, each with its newest snapshot and the values of the requested keys.
   * @example
   * const { machines } = await client.snapshots.machines({ keys: 'runtimes.node,os' });
   */
  machines(query?: ListMachinesQuery, options?: CallOptions): ListPromise<ListMachinesAnswer, Machine> {
    return listOf(this.transport, machines, { query }, options);
  }

  /**
   * All machines by name, fetched page by page as needed.
   * @example
   * for await (const { machineName, latest } of client.snapshots.iterateMachines()) console.log(machineName, latest.os);
   */
  iterateMachines(
    filter?: Omit<ListMachinesQuery, 'limit' | 'offset'>,
    options?: CallOptions & PageOptions,
  ): ItemSequence<Machine> {
    return walkOf(this.transport, machines, { query: filter }, options);
  }

  /**
   * When a value changed, on each machine: `runtimes.node`, `dependencies:package-lock.json/zod`, `env:TZ`, `os`.
   * @example
   * const { series } = await client.snapshots.history({ key: 'runtimes.node' });
   */
  history(
    query: GetHistoryQuery & { readonly key: string },
    options?: CallOptions,
  ): ApiPromise<GetHistoryAnswer> {
    return this.transport.call('getHistory', { query }, options);
  }
}

const shares = defineList('listShares', 'shares', 'id');

export class Shares extends Resource {
  /**
   * Creates a page about a snapshot or a comparison that opens without a key. Its address is in this response only.
   * @example
   * const { url } = await client.shares.create({ kind: 'comparison', a: works, b: fails, expiresIn: 86_400 });
   */
  create(share: ShareBody, options?: CallOptions): ApiPromise<CreateShareAnswer> {
    return this.transport.call('createShare', { body: share }, options);
  }

  /**
   * The shares of the project that have not expired, newest first. Returns all of them unless `query` asks for a part.
   * @example
   * for await (const { kind, expiresAt } of client.shares.list()) console.log(kind, expiresAt);
   */
  list(query?: PartQuery, options?: CallOptions): ListPromise<ListSharesAnswer, Share> {
    return listOf(this.transport, shares, { query }, options);
  }

  /**
   * The same, fetched page by page as needed.
   * @example for await (const { id, expiresAt } of client.shares.iterate()) console.log(id, expiresAt);
   */
  iterate(options?: CallOptions & PageOptions): ItemSequence<Share> {
    return walkOf(this.transport, shares, {}, options);
  }

  /**
   * Revokes a share: its address returns 404 from now on.
   * @example
   * await client.shares.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('deleteShare', { params: { id } }, options);
  }

  /**
   * A link that signs in to the console once, within a minute, with this client's key.
   * @example
   * const { url } = await client.shares.consoleLink({ page: 'runs' });
   */
  consoleLink(link: CreateConsoleLinkBody = {}, options?: CallOptions): ApiPromise<CreateConsoleLinkAnswer> {
    return this.transport.call('createConsoleLink', { body: link }, options);
  }
}
