// client.snapshots: store, list, show, delete and compare snapshots. docs/specification.md §4.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, BodyInput, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { Machine, SnapshotSummary } from '../contract/types.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

export class Snapshots {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Stores a snapshot. `QuotaError` when the project is full. */
  create(snapshot: BodyInput<'createSnapshot'>, options?: CallOptions): ApiPromise<Answer<'createSnapshot'>> {
    return this.#transport.call('createSnapshot', { body: snapshot }, options);
  }

  /** One page of snapshots, the newest first, without variables and dependencies. */
  list(query?: QueryInput<'listSnapshots'>, options?: CallOptions): ApiPromise<Answer<'listSnapshots'>> {
    return this.#transport.call('listSnapshots', { query }, options);
  }

  /** All snapshots that fit the filter, page by page as they are asked for. */
  iterate(
    filter?: Omit<QueryInput<'listSnapshots'>, 'limit' | 'offset' | 'after'>,
    options?: CallOptions & PageOptions,
  ): ItemSequence<SnapshotSummary> {
    return iteratePages(
      async (place) => {
        const { snapshots: items, total, next } = await this.list({ ...filter, ...place }, options);
        return { items, total, next };
      },
      ({ id }) => id,
      options,
    );
  }

  /** A snapshot with its variables. `NotFoundError` when this project has none with that id. */
  get(id: string, options?: CallOptions): ApiPromise<Answer<'getSnapshot'>> {
    return this.#transport.call('getSnapshot', { params: { id } }, options);
  }

  /** Deletes a snapshot. */
  delete(id: string, options?: CallOptions): ApiPromise<Answer<'deleteSnapshot'>> {
    return this.#transport.call('deleteSnapshot', { params: { id } }, options);
  }

  /** Compares two snapshots of this project. */
  compare(
    pair: BodyInput<'compareSnapshots'>,
    options?: CallOptions,
  ): ApiPromise<Answer<'compareSnapshots'>> {
    return this.#transport.call('compareSnapshots', { body: pair }, options);
  }

  /** What separates failing runs from passing ones: by default over the stored snapshots with an outcome. */
  diagnose(runs: BodyInput<'diagnose'> = {}, options?: CallOptions): ApiPromise<Answer<'diagnose'>> {
    return this.#transport.call('diagnose', { body: runs }, options);
  }

  /** One page of machines by name, each with its newest snapshot and the values of the keys that are asked for. */
  machines(query?: QueryInput<'listMachines'>, options?: CallOptions): ApiPromise<Answer<'listMachines'>> {
    return this.#transport.call('listMachines', { query }, options);
  }

  /** All machines by name, page by page as they are asked for. */
  iterateMachines(
    filter?: Omit<QueryInput<'listMachines'>, 'limit' | 'offset'>,
    options?: CallOptions & PageOptions,
  ): ItemSequence<Machine> {
    return iteratePages(
      async (place) => {
        const { machines: items, total } = await this.machines({ ...filter, ...place }, options);
        return { items, total };
      },
      ({ machineName }) => machineName,
      options,
    );
  }

  /** When a value changed, on each machine: `runtimes.node`, `dependencies:package-lock.json/zod`, `env:TZ`, `os`. */
  history(
    query: QueryInput<'getHistory'> & { readonly key: string },
    options?: CallOptions,
  ): ApiPromise<Answer<'getHistory'>> {
    return this.#transport.call('getHistory', { query }, options);
  }
}
