/** Resolves when no recording is in progress, or after 30 seconds. */
export declare function settleRecordings(): Promise<void>;

/** Resolves when it is the turn of this process: one recording after the other, in the order in which the runs ended. */
export declare function recordingTurn(): Promise<void>;

/** Removes the note of this process, when its recording is done. */
export declare function recordingDone(): void;
