// The time limits of one attempt. ky's own end before a body is read, and do not start anew with the bytes of a transfer
// (docs/decisions/0070).

import { TimeoutError } from '../errors.ts';

/** What ends an attempt beside its caller. */
export interface AttemptLimits {
  /** Milliseconds; may be `Infinity`. */
  readonly timeoutMs: number;
  /** Whether the time starts anew with every byte. */
  readonly kind: 'try' | 'stream';
  /** Milliseconds that are left of the whole call, and the limit that it had; may be `Infinity`. */
  readonly remainingMs: number;
  readonly totalTimeoutMs: number;
}

/** Aborts its signal when a time limit runs out; follows the given signal too. */
export class StallGuard {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #followed: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort(this.#followed?.reason);
  readonly #totalTimeoutMs: number;
  /** When the whole call must be over, by `performance.now()`. */
  #endsAtMs: number;
  #limitMs: number;
  #limit: 'try' | 'stream';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: TimeoutError | undefined;

  constructor(limits: AttemptLimits, followed: AbortSignal | undefined) {
    this.#limitMs = limits.timeoutMs;
    this.#limit = limits.kind;
    this.#totalTimeoutMs = limits.totalTimeoutMs;
    this.#endsAtMs = performance.now() + limits.remainingMs;
    this.#followed = followed;
    this.signal = this.#controller.signal;
    if (followed?.aborted) this.#follow();
    followed?.addEventListener('abort', this.#follow);
    this.moved();
  }

  /** Something moved: the time starts again. */
  moved(): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    const leftMs = this.#endsAtMs - performance.now();
    const isTotal = leftMs < this.#limitMs;
    const limitMs = isTotal ? Math.max(0, leftMs) : this.#limitMs;
    if (!Number.isFinite(limitMs)) return;
    this.#timer = setTimeout(() => {
      this.#failure = isTotal
        ? new TimeoutError('total', this.#totalTimeoutMs)
        : new TimeoutError(this.#limit, this.#limitMs);
      this.#controller.abort();
    }, limitMs);
  }

  /** Allows another time without a byte, from now on. */
  allow(limitMs: number): void {
    this.#limitMs = limitMs;
    this.#limit = 'stream';
    this.moved();
  }

  /** The answer has begun: how long its body takes as a whole is the reader's affair. */
  endTotal(): void {
    this.#endsAtMs = Number.POSITIVE_INFINITY;
    this.pause();
  }

  /** No time runs: the next step is somebody else's. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** The promise, or a failure as soon as the signal is aborted: not everything that is awaited heeds a signal. */
  async race<T>(promise: Promise<T>): Promise<T> {
    let end = () => {};
    const ended = new Promise<never>((_, reject) => {
      end = () => reject(new Error('ended'));
      if (this.signal.aborted) end();
      this.signal.addEventListener('abort', end);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      this.signal.removeEventListener('abort', end);
    }
  }

  /** The error of the limit, once it has run out. */
  failure(): TimeoutError | undefined {
    return this.#failure;
  }

  /** Ends the watch. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#followed?.removeEventListener('abort', this.#follow);
  }
}
