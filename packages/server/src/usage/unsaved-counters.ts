// Keeps rate-limit counters in memory while the disk is full, so that reads go on and no limit is exceeded: only one
// server works on an embedded database, so its memory is as exact as the row. What is in here goes to the row with the
// caller's next request that can be written; a kill before that forgets it.

/** Counters by subject, newer than those of the subject's row. */
export interface UnsavedCounters {
  get(subject: string): Buffer | undefined;
  set(subject: string, counters: Buffer): void;
  /** Removes and returns them: the transaction that calls this writes them to the row. */
  take(subject: string): Buffer | undefined;
  /** Puts back what was taken, since its transaction failed. */
  restore(subject: string, counters: Buffer): void;
}

/** Creates the memory; it grows with the callers that come while the disk is full. */
export function createUnsavedCounters(): UnsavedCounters {
  const unsaved = new Map<string, Buffer>();
  return {
    get: (subject) => unsaved.get(subject),
    set: (subject, counters) => void unsaved.set(subject, counters),
    take(subject) {
      const counters = unsaved.get(subject);
      if (counters !== undefined) unsaved.delete(subject);
      return counters;
    },
    restore(subject, counters) {
      if (!unsaved.has(subject)) unsaved.set(subject, counters);
    },
  };
}
