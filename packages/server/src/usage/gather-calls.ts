// Gathers the calls of one moment, so that they are done together: while some are being done, what comes waits for its turn.

import { AsyncResource } from 'node:async_hooks';

interface Waiting<Call, Result> {
  readonly call: Call;
  /** Restores the caller's asynchronous context (its trace) around the work. */
  readonly context: AsyncResource;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Most calls that are done together; bounds how long the event loop is held. */
const mostTogether = 64;

/**
 * Returns the way to make a call. `doAll` does some of them, one time after the other. It asks for them once it can begin:
 * who comes until then takes part. It gives a result for each, in their order; when it fails, all of them fail.
 */
export function gatherCalls<Call, Result>(
  doAll: (calls: () => readonly Call[]) => Promise<readonly Result[]>,
): (call: Call) => Promise<Result> {
  const waiting: Waiting<Call, Result>[] = [];
  let busy = false;

  async function doNext({ context }: Waiting<Call, Result>): Promise<void> {
    let taken: Waiting<Call, Result>[] | undefined;
    const take = () => {
      taken ??= waiting.splice(0, mostTogether);
      return taken;
    };
    try {
      const results = await context.runInAsyncScope(() => doAll(() => take().map(({ call }) => call)));
      for (const [index, { resolve }] of take().entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
  }

  async function work(): Promise<void> {
    busy = true;
    for (let first = waiting[0]; first; first = waiting[0]) await doNext(first);
    busy = false;
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, context: new AsyncResource('envsnap.gathered-call'), resolve, reject });
      if (!busy) void work();
    });
}
