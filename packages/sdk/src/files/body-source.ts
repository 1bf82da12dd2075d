// The body of an upload, made anew for every attempt.

import type { EnvsnapError } from '../errors.ts';

/** The body of one attempt. */
export interface AttemptBody {
  readonly body: Blob | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with how many bytes of a `Blob` were sent, on a platform that knows. */
  readonly sent: (bytes: number) => void;
  /** Reads no further. */
  readonly close: () => void;
}

/** What a body reports while it is being sent. */
export interface BodyObserver {
  /** Some of it was taken. */
  readonly moved: () => void;
  /** Its source failed: the attempt fails with this error, and no other is made. */
  readonly failed: (error: EnvsnapError) => void;
}

/** A body that is made anew for every attempt. */
export interface BodySource {
  readonly repeatable: boolean;
  /** Makes the body. */
  readonly start: (observer: BodyObserver) => AttemptBody | Promise<AttemptBody>;
}
