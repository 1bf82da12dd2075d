// Watches over one call: the signals of client and caller, the time of the whole call, of an attempt, and between two bytes.
// Leaves no listener and no timer behind once it is released.

import { AbortError, type EnvsnapError, TimeoutError } from './errors.ts';

type Stop = { readonly by: 'caller'; readonly reason: unknown } | { readonly by: 'try' | 'total' | 'stream' };

/** What ends a call, and what is to be ended: one for each call. */
export class CallWatch {
  /** Longest time of the whole call; may be `Infinity`. */
  readonly totalMs: number;
  readonly #followed: readonly AbortSignal[];
  readonly #onFollowed = () => this.#stopAll({ by: 'caller', reason: this.#abortedReason() });
  #totalTimer: ReturnType<typeof setTimeout> | undefined;
  #attemptTimer: ReturnType<typeof setTimeout> | undefined;
  #attemptMs = Number.POSITIVE_INFINITY;
  #limit: 'try' | 'stream' = 'try';
  #controller: AbortController | undefined;
  #wakeSleeper: (() => void) | undefined;
  /** Why the call as a whole ended. */
  #stop: Stop | undefined;
  /** Why this attempt ended. */
  #attemptStop: Stop | undefined;

  /** `totalMs` may be `Infinity`. Signals that are aborted already end the call before its first attempt. */
  constructor(signals: readonly (AbortSignal | undefined)[], totalMs: number) {
    this.#followed = signals.filter((signal) => signal !== undefined);
    this.totalMs = totalMs;
    for (const signal of this.#followed) signal.addEventListener('abort', this.#onFollowed);
    if (this.#followed.some((signal) => signal.aborted)) this.#onFollowed();
    if (Number.isFinite(totalMs)) {
      this.#totalTimer = setTimeout(() => this.#stopAll({ by: 'total' }), totalMs);
    }
  }

  /** Begins an attempt: a signal that ends with the call, or when `limitMs` run out before the next `moved`. */
  begin(limitMs: number, limit: 'try' | 'stream'): AbortSignal {
    this.#controller = new AbortController();
    this.#attemptMs = limitMs;
    this.#limit = limit;
    this.#attemptStop = undefined;
    if (this.#stop) this.#controller.abort();
    else this.moved();
    return this.#controller.signal;
  }

  /** Something moved: the time of the attempt starts again. */
  moved(): void {
    clearTimeout(this.#attemptTimer);
    if (!Number.isFinite(this.#attemptMs) || this.#stop) return;
    this.#attemptTimer = setTimeout(() => {
      this.#attemptStop = { by: this.#limit };
      this.#controller?.abort();
    }, this.#attemptMs);
  }

  /** Gives the attempt another time without a byte, from now on. */
  allow(limitMs: number): void {
    this.#attemptMs = limitMs;
    this.#limit = 'stream';
    this.moved();
  }

  /** The promise, or a failure as soon as this watch ends the attempt: not everything that is awaited heeds a signal. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const signal = this.#controller?.signal;
    let end = () => {};
    const ended = new Promise<never>((_, reject) => {
      end = () => reject(new Error('ended'));
      if (signal?.aborted) end();
      signal?.addEventListener('abort', end);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  /** The attempt is over, or waits for its reader: its time runs no more. */
  pause(): void {
    clearTimeout(this.#attemptTimer);
  }

  /** The answer has begun, and how long its body takes is the reader's affair. */
  endTotal(): void {
    clearTimeout(this.#totalTimer);
  }

  /** Waits for a retry; ends early when the call does. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wake, delayMs);
      const setSleeper = (sleeper: (() => void) | undefined) => {
        this.#wakeSleeper = sleeper;
      };
      function wake(): void {
        clearTimeout(timer);
        setSleeper(undefined);
        resolve();
      }
      if (this.#stop) wake();
      else setSleeper(wake);
    });
  }

  /** The error of what ended the attempt, if it was this watch. */
  failure(): EnvsnapError | undefined {
    const stop = this.#stop ?? this.#attemptStop;
    if (!stop) return undefined;
    if (stop.by === 'caller') return new AbortError('The call was stopped', { cause: stop.reason });
    return new TimeoutError(stop.by, stop.by === 'total' ? this.totalMs : this.#attemptMs);
  }

  /** Whether the call as a whole has ended. */
  get isOver(): boolean {
    return this.#stop !== undefined;
  }

  /** Lets go of signals and timers. */
  release(): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#attemptTimer);
    for (const signal of this.#followed) signal.removeEventListener('abort', this.#onFollowed);
  }

  #stopAll(stop: Stop): void {
    this.#stop ??= stop;
    this.release();
    this.#controller?.abort();
    this.#wakeSleeper?.();
  }

  #abortedReason(): unknown {
    return this.#followed.find((signal) => signal.aborted)?.reason;
  }
}
