// Does the calls of one moment in one batch: while a batch is under way, later calls wait for the next one.

import { AsyncResource } from 'node:async_hooks';

interface Waiting<Call, Result> {
  readonly call: Call;
  /** Restores the caller's asynchronous context (its trace) around the work. */
  readonly context: AsyncResource;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Most calls of a batch; bounds how long the event loop is held. */
const maxBatch = 64;

/**
 * Returns a function that makes one call. `doAll` does a batch of them; batches never overlap. It asks for its calls once it
 * can begin, so that calls which come until then take part. It returns a result for each, in order; when it fails, all fail.
 */
export function batchCalls<Call, Result>(
  doAll: (calls: () => readonly Call[]) => Promise<readonly Result[]>,
): (call: Call) => Promise<Result> {
  const waiting: Waiting<Call, Result>[] = [];
  let busy = false;

  async function doNext({ context }: Waiting<Call, Result>): Promise<void> {
    let taken: Waiting<Call, Result>[] | undefined;
    const take = () => {
      taken ??= waiting.splice(0, maxBatch);
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
      waiting.push({ call, context: new AsyncResource('envsnap.batched-call'), resolve, reject });
      if (!busy) void work();
    });
}
