// Remembers where a call was made, so that its error shows the caller's line and not only the SDK's insides.

/** The place of a call: frames of a stack, written out only when they are asked for. */
export interface Caller {
  readonly stack?: string;
}

type CaptureStackTrace = (target: object, below: unknown) => void;

/** The place that called `below`. Costs a microsecond: engines write the text of a stack when it is read. */
export function captureCaller(below: unknown): Caller {
  const { captureStackTrace } = Error as { captureStackTrace?: CaptureStackTrace };
  if (!captureStackTrace) return new Error();
  const caller: Caller = {};
  captureStackTrace(caller, below);
  return caller;
}

/** Gives an error the stack of the caller. Its own, of the SDK's insides, helps nobody. */
export function showCaller(error: Error, caller: Caller): void {
  const frames = caller.stack?.split('\n').filter((line) => /^\s+at |@[^@\n]*:\d/.test(line)) ?? [];
  if (frames.length === 0) return;
  const hasHeading = /^\s+at /.test(frames[0] ?? '');
  error.stack = [...(hasHeading ? [`${error.name}: ${error.message}`] : []), ...frames].join('\n');
}
