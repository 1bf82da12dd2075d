// Shares the reading of stored data: of one payer's requests some are at work, and the rest of them wait behind everybody else's.

const mostAtWork = 4;

export type ReadingTurns = ReturnType<typeof createReadingTurns>;

/** Creates the turns of a server. Whoever waits is served in the order in which it came. */
export function createReadingTurns() {
  const payers = new Map<string, { atWork: number; readonly waiting: (() => void)[] }>();

  return {
    /** Resolves when one more request of this payer may read; call what it gives when that is done, or goes on elsewhere. */
    async take(payer: string): Promise<() => void> {
      const turns = payers.get(payer) ?? { atWork: 0, waiting: [] };
      payers.set(payer, turns);
      if (turns.atWork < mostAtWork) turns.atWork += 1;
      else await new Promise<void>((resolve) => turns.waiting.push(resolve));
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const next = turns.waiting.shift();
        // In a later turn of the thread, so that others' requests are heard before.
        if (next) setImmediate(next);
        else if (--turns.atWork === 0) payers.delete(payer);
      };
    },
  };
}
