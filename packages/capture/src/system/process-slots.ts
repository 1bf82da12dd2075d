// Limits how many processes run at once, and how much memory they take together.

/** How a task waits for its turn: `urgent` ones go first, `heavy` ones go first and one after another. */
export type Weight = 'light' | 'urgent' | 'heavy';

/** Runs a task as soon as its turn comes; tasks of one weight keep their order. */
type ProcessSlots = <T>(task: () => Promise<T>, weight?: Weight) => Promise<T>;

/** At most `limit` tasks run at a time, at most one of them heavy. */
export function createProcessSlots(limit: number): ProcessSlots {
  const waiting: (() => void)[] = [];
  const urgentWaiting: (() => void)[] = [];
  let free = limit;
  let lastHeavy: Promise<unknown> = Promise.resolve();

  async function inSlot<T>(task: () => Promise<T>, isUrgent: boolean): Promise<T> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resume) => (isUrgent ? urgentWaiting : waiting).push(resume));
    try {
      return await task();
    } finally {
      const next = urgentWaiting.shift() ?? waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  return (task, weight = 'light') => {
    if (weight !== 'heavy') return inSlot(task, weight === 'urgent');
    const run = lastHeavy.then(() => inSlot(task, true));
    lastHeavy = run.catch(() => undefined);
    return run;
  };
}
