// Owns the connection for changes of one statement that many requests share. A commit waits for the disk, and a statement
// costs both sides more to send than to run: what comes while two are on their way is gathered for the next.

import pg from 'pg';
import type { Lane } from './database.ts';
import {
  type AnyGatheredChange,
  type ChangeParams,
  type GatheredChange,
  gatherCalls,
  mostCalls,
} from './gathered-change.ts';
import { isConnectionFailure, toDatabaseError } from './postgres-errors.ts';

type Row = Readonly<Record<string, unknown>>;

interface WaitingCall {
  readonly params: ChangeParams;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls that wait, by what keeps them apart; who has waited longest comes first. */
type WaitingCalls = Map<unknown, WaitingCall[]>;

export class PostgresChanges {
  /** Not the one for look-ups: those would wait for commits. */
  readonly #lane: Lane;
  readonly #waiting = new Map<AnyGatheredChange, WaitingCalls | undefined>();

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  /**
   * The row of a call; undefined when it was passed over, or the database refused the statement: then nothing of it has
   * happened. Errors: `database_unavailable`, when nobody can tell whether it has.
   */
  change<Params, Found>(change: GatheredChange<Params, Found>, params: Params): Promise<Found | undefined> {
    const calling = this.#call(change as AnyGatheredChange, params as ChangeParams);
    return calling.catch((error: unknown) => {
      throw toDatabaseError(error);
    }) as Promise<Found | undefined>;
  }

  #call(change: AnyGatheredChange, params: ChangeParams): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      let waiting = this.#waiting.get(change);
      if (!waiting) {
        waiting = new Map();
        this.#waiting.set(change, waiting);
        this.#lane.beforeSending(() => this.#send(change));
      }
      const apart = params[change.apart];
      const call = { params, resolve, reject };
      const before = waiting.get(apart);
      if (before) before.push(call);
      else waiting.set(apart, [call]);
    });
  }

  #send(change: AnyGatheredChange): void {
    const waiting = this.#waiting.get(change) as WaitingCalls;
    const calls = takeCalls(waiting);
    // Another map each time, for the reason that roster.ts gives.
    if (waiting.size === 0) this.#waiting.set(change, undefined);
    else this.#lane.beforeSending(() => this.#send(change));
    const { statement, params } = gatherCalls(
      change,
      calls.map((call) => call.params),
    );
    this.#lane.all(statement, params).then(
      (rows) => {
        const found = new Map(rows.map(({ call_number, ...row }) => [call_number, row]));
        for (const [index, { resolve }] of calls.entries()) resolve(found.get(index + 1));
      },
      (error: unknown) => {
        // One call's values may be what the database refused; by themselves, the others will do.
        const isRefused = error instanceof pg.DatabaseError && !isConnectionFailure(error);
        for (const { resolve, reject } of calls) isRefused ? resolve(undefined) : reject(error);
      },
    );
  }
}

/** Takes the next calls, no two of which must be kept apart. */
function takeCalls(waiting: WaitingCalls): WaitingCall[] {
  const taken: WaitingCall[] = [];
  const turns = [...waiting].slice(0, mostCalls);
  for (const [apart, [first, ...others]] of turns) {
    taken.push(first as WaitingCall);
    waiting.delete(apart);
    // Behind those that have not had a turn.
    if (others.length > 0) waiting.set(apart, others);
  }
  return taken;
}
