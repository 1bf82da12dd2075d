/** Resolves when no recording goes on any more, or after 30 seconds. */
export declare function settleRecordings(): Promise<void>;

/** Resolves when it is the turn of this process: one recording after the other, in the order in which the runs ended. */
export declare function recordingTurn(): Promise<void>;

/** Takes the note of this process away, which a recording does when it is done. */
export declare function recordingDone(): void;
