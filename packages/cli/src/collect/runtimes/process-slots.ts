// Keeps the number of processes that run at once below a limit.

/** Runs a task as soon as a slot is free, in the order asked; urgent tasks go first. */
export type ProcessSlots = <T>(task: () => Promise<T>, urgent?: boolean) => Promise<T>;

/** At most `limit` tasks run at any moment. */
export function createProcessSlots(limit: number): ProcessSlots {
  const waiting: (() => void)[] = [];
  const urgentWaiting: (() => void)[] = [];
  let free = limit;
  return async (task, urgent = false) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resume) => (urgent ? urgentWaiting : waiting).push(resume));
    try {
      return await task();
    } finally {
      const next = urgentWaiting.shift() ?? waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
