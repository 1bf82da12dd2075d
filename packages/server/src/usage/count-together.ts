// Counts the requests that come at the same moment in one transaction: on an embedded database, its beginning and its end
// cost more than what it counts.

import type { CountedRequest } from '../infra/http/admission.ts';

/** Who is to be counted: a key if there is one, else an address. */
export interface Caller {
  readonly apiKey: string | undefined;
  readonly address: string;
}

interface Waiting {
  readonly caller: Caller;
  readonly resolve: (counted: CountedRequest) => void;
  readonly reject: (error: unknown) => void;
}

/** Most requests of one transaction; bounds how long the event loop is held. */
const mostTogether = 32;

/**
 * Creates the step. `countAll` counts in one transaction and asks for the callers once that has begun: who comes until
 * then takes part. When it fails, each is counted by itself.
 */
export function createCountTogether(
  countAll: (callers: () => readonly Caller[]) => Promise<readonly CountedRequest[]>,
  countOne: (caller: Caller) => Promise<CountedRequest>,
): (caller: Caller) => Promise<CountedRequest> {
  let open: Waiting[] | undefined;

  function close(group: Waiting[]): readonly Caller[] {
    if (open === group) open = undefined;
    return group.map(({ caller }) => caller);
  }

  async function count(group: Waiting[]): Promise<void> {
    try {
      const counted = await countAll(() => close(group));
      for (const [index, { resolve }] of group.entries()) resolve(counted[index] as CountedRequest);
    } catch {
      close(group);
      for (const { caller, resolve, reject } of group) countOne(caller).then(resolve, reject);
    }
  }

  return (caller) =>
    new Promise((resolve, reject) => {
      const waiting = { caller, resolve, reject };
      if (open) {
        open.push(waiting);
        if (open.length === mostTogether) open = undefined;
      } else {
        open = [waiting];
        void count(open);
      }
    });
}
