// Owns the connection for what every request asks of PostgreSQL: quick queries that wait for no lock. To send one costs
// both sides more than to answer it, so what many requests ask at the same moment goes out in one packet, and equal
// look-ups as one query. While enough is on its way, what comes next is gathered.

import type pg from 'pg';
import type { Lane } from './database.ts';
import { isConnectionFailure } from './postgres-errors.ts';
import {
  type AnyLookup,
  batchOf,
  gatherParams,
  type LookupParams,
  type NumberedRow,
} from './postgres-lookup.ts';
import { sendQuery } from './postgres-transaction.ts';
import type { AnyQuery } from './statement.ts';

type Row = Record<string, unknown>;

interface WaitingLookup {
  readonly params: LookupParams;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Most calls that one query answers: bounds what a single answer holds. */
const maxCalls = 64;
/** Packets on their way at most: with two, the database works on one while this process works on the other's answers. */
const maxPackets = 2;

/** The lane's connection, while anything is on its way. */
interface Borrowed {
  readonly connecting: Promise<pg.PoolClient>;
  packets: number;
  broken: boolean;
}

export class PostgresLane implements Lane {
  /** Has one connection, which it replaces when it breaks. */
  readonly #pool: pg.Pool;
  /** Asks one look-up by itself, elsewhere. */
  readonly #askAlone: (lookup: AnyLookup, params: LookupParams) => Promise<Row | undefined>;
  #lookups = new Map<AnyLookup, WaitingLookup[]>();
  #senders: (() => void)[] = [];
  #borrowed: Borrowed | undefined;
  /** The connection while a packet is being put together. */
  #client: pg.PoolClient | undefined;
  /** Why there is no connection, while those who wanted to send are told. */
  #unreachable: { readonly error: unknown } | undefined;
  #scheduled = false;
  #packets = 0;
  #unanswered: Promise<unknown>[] = [];

  constructor(
    pool: pg.Pool,
    askAlone: (lookup: AnyLookup, params: LookupParams) => Promise<Row | undefined>,
  ) {
    this.#pool = pool;
    this.#askAlone = askAlone;
  }

  /** The row of a look-up, or undefined. */
  lookUp(lookup: AnyLookup, params: LookupParams): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = this.#lookups.get(lookup);
      if (waiting) waiting.push({ params, resolve, reject });
      else this.#lookups.set(lookup, [{ params, resolve, reject }]);
      this.#schedule();
    });
  }

  beforeSending(send: () => void): void {
    this.#senders.push(send);
    this.#schedule();
  }

  async all<Found>(query: AnyQuery, params?: unknown): Promise<Found[]> {
    if (this.#unreachable) throw this.#unreachable.error;
    if (!this.#client) throw new Error('all() of the lane before it sends: call it in beforeSending()');
    return this.#query(this.#client, query, params);
  }

  async #query<Found>(client: pg.PoolClient, query: AnyQuery, params: unknown): Promise<Found[]> {
    const asking = sendQuery(client, query, params);
    this.#unanswered.push(asking);
    return (await asking).rows;
  }

  /** Closes the connection, once nothing is asked or waits any more. */
  async close(): Promise<void> {
    while (this.#scheduled || this.#packets > 0) await new Promise(setImmediate);
    await this.#pool.end();
  }

  /** Sends after the input that is ready now has been read: the requests in it are asked for together. */
  #schedule(): void {
    if (this.#scheduled || this.#packets === maxPackets) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#packets += 1;
      void this.#send().finally(() => {
        this.#packets -= 1;
        if (this.#senders.length > 0 || this.#lookups.size > 0) this.#schedule();
      });
    });
  }

  /** Sends what has been gathered; settles when all of it is answered. Never rejects. */
  async #send(): Promise<void> {
    this.#borrowed ??= { connecting: this.#pool.connect(), packets: 0, broken: false };
    const borrowed = this.#borrowed;
    borrowed.packets += 1;
    let client: pg.PoolClient;
    try {
      client = await borrowed.connecting;
    } catch (error) {
      this.#forget(borrowed);
      this.#rejectAll(error);
      return;
    }
    for (const settled of await Promise.allSettled(this.#sendPacket(client))) {
      if (settled.status === 'rejected' && isConnectionFailure(settled.reason)) {
        borrowed.broken = true;
        this.#forget(borrowed);
      }
    }
    borrowed.packets -= 1;
    if (borrowed.packets > 0) return;
    this.#forget(borrowed);
    client.release(borrowed.broken);
  }

  /** What comes next gets a connection of its own. */
  #forget(borrowed: Borrowed): void {
    if (this.#borrowed === borrowed) this.#borrowed = undefined;
  }

  /** The queries that went out. */
  #sendPacket(client: pg.PoolClient): Promise<unknown>[] {
    const senders = this.#senders;
    const lookups = this.#lookups;
    this.#senders = [];
    this.#lookups = new Map();
    this.#client = client;
    for (const send of senders) send();
    for (const [lookup, calls] of lookups) {
      for (let at = 0; at < calls.length; at += maxCalls)
        this.#ask(client, lookup, calls.slice(at, at + maxCalls));
    }
    this.#client = undefined;
    const unanswered = this.#unanswered;
    this.#unanswered = [];
    return unanswered;
  }

  #ask(client: pg.PoolClient, lookup: AnyLookup, calls: readonly WaitingLookup[]): void {
    const [first] = calls as [WaitingLookup];
    const asking =
      calls.length === 1
        ? this.#query<Row>(client, lookup, first.params).then(([row]) => first.resolve(row))
        : this.#query<NumberedRow>(client, batchOf(lookup), gatherParams(lookup, calls)).then((rows) => {
            const found = new Array<Row | undefined>(calls.length);
            for (const { call_number, ...row } of rows) found[call_number - 1] = row;
            for (const [index, { resolve }] of calls.entries()) resolve(found[index]);
          });
    asking.catch((error: unknown) => {
      for (const { params, resolve, reject } of calls) {
        // One call's parameters must not be another's failure.
        if (calls.length === 1 || isConnectionFailure(error)) reject(error);
        else this.#askAlone(lookup, params).then(resolve, reject);
      }
    });
  }

  /** There is no connection: the senders find out when they ask. */
  #rejectAll(error: unknown): void {
    const lookups = this.#lookups;
    const senders = this.#senders;
    this.#lookups = new Map();
    this.#senders = [];
    for (const calls of lookups.values()) for (const { reject } of calls) reject(error);
    this.#unreachable = { error };
    for (const send of senders) send();
    this.#unreachable = undefined;
  }
}
