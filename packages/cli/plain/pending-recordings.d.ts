/** Resolves when no recording is in progress, or after 30 seconds with a warning on standard error. */
export declare function settleRecordings(waitMs?: number): Promise<void>;

/** Resolves when it is the turn of this process: one recording after the other, in the order in which the runs ended. */
export declare function recordingTurn(): Promise<void>;

/** Notes that a process records a run that has ended. */
export declare function leaveRecording(pid: number): Promise<void>;

/** Removes the note of this process, when its recording is done. */
export declare function recordingDone(): void;
