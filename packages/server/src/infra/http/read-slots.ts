// Limits how many plain reads one payer has in progress: the rest wait in order, so that other payers' reads come first.

const slotsPerPayer = 4;

export type ReadSlots = ReturnType<typeof createReadSlots>;

/** Creates the slots of a server. Waiting requests of a payer are served in order. */
export function createReadSlots() {
  const payers = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();

  return {
    /** Resolves when one more request of this payer may read. The caller releases the slot when it is done, or no longer needs it. */
    async take(payer: string): Promise<() => void> {
      const slots = payers.get(payer) ?? { taken: 0, waiting: [] };
      payers.set(payer, slots);
      if (slots.taken < slotsPerPayer) slots.taken += 1;
      else await new Promise<void>((resolve) => slots.waiting.push(resolve));
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const next = slots.waiting.shift();
        // In a later turn of the event loop, so that other requests are read before.
        if (next) setImmediate(next);
        else if (--slots.taken === 0) payers.delete(payer);
      };
    },
  };
}
