// Fails a transfer if no byte has moved for too long. ky's limits do not watch bytes.

import { TimeoutError } from '../errors.ts';

/** Aborts its signal when the time without a byte runs out; follows the given signal too. */
export class StallGuard {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #followed: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort(this.#followed?.reason);
  #limitMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `limitMs` may be `Infinity`. The time runs from the first `moved()`. */
  constructor(limitMs: number, followed: AbortSignal | undefined) {
    this.#limitMs = limitMs;
    this.#followed = followed;
    this.signal = this.#controller.signal;
    if (followed?.aborted) this.#follow();
    followed?.addEventListener('abort', this.#follow);
  }

  /** Bytes moved: restarts the time. */
  moved(): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted || !Number.isFinite(this.#limitMs)) return;
    const end = () => this.#controller.abort(new TimeoutError('stream', this.#limitMs));
    this.#timer = setTimeout(end, this.#limitMs);
  }

  /** Changes the limit from now on. */
  allow(limitMs: number): void {
    this.#limitMs = limitMs;
    this.moved();
  }

  /** The promise, or the signal's reason once it is aborted, because not every awaited promise reacts to a signal. */
  async race<T>(promise: Promise<T>): Promise<T> {
    let end = () => {};
    const ended = new Promise<never>((_, reject) => {
      end = () => reject(this.signal.reason);
      if (this.signal.aborted) end();
      this.signal.addEventListener('abort', end);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      this.signal.removeEventListener('abort', end);
    }
  }

  /** The timeout error, once the limit was reached. */
  failure(): TimeoutError | undefined {
    const { reason } = this.signal as { readonly reason?: unknown };
    return reason instanceof TimeoutError ? reason : undefined;
  }

  /** Stops the clock until the next `moved()`. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the watch. */
  stop(): void {
    this.pause();
    this.#followed?.removeEventListener('abort', this.#follow);
  }
}
