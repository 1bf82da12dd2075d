// Work with bounded concurrency that leaves room for the rest of the program.

import { monotonicMs } from '../../system/monotonic.ts';

/** Longest time without a turn of the event loop, in milliseconds: file calls and parsers never give one by themselves. */
const turnMs = 25;

/** Runs `work` on every item of a queue, at most `limit` at once; items that work adds to the queue are worked on too. */
export async function drain<T>(queue: T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  let running = 0;
  await new Promise<void>((resolve, reject) => {
    let failed = false;
    let lastTurn = monotonicMs();
    const next = () => {
      if (monotonicMs() - lastTurn < turnMs) return start();
      setImmediate(() => {
        lastTurn = monotonicMs();
        start();
      });
    };
    const start = () => {
      while (!failed && running < limit && queue.length > 0) {
        const item = queue.pop() as T;
        running += 1;
        work(item).then(
          () => {
            running -= 1;
            next();
          },
          (error: unknown) => {
            failed = true;
            reject(error);
          },
        );
      }
      if (running === 0 && queue.length === 0) resolve();
    };
    start();
  });
}

/** Lets through what fits a budget; whatever is larger than all of it goes alone. First come, first served. */
export function createBudget(total: number): {
  /** Waits for a share; the result gives it back. */
  take(amount: number): Promise<() => void>;
} {
  let free = total;
  const waiting: { amount: number; go: () => void }[] = [];
  const admit = () => {
    for (let next = waiting[0]; next && next.amount <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.amount;
      next.go();
    }
  };
  return {
    take(wanted) {
      const amount = Math.min(wanted, total);
      return new Promise((resolve) => {
        waiting.push({
          amount,
          go: () =>
            resolve(() => {
              free += amount;
              admit();
            }),
        });
        admit();
      });
    },
  };
}
