// Stops a transfer in which no byte has moved for a while, however long the transfer as a whole may take.

/** Aborts its signal when `moved` was not called for `timeoutMs`; follows the given signal too. */
export class StallGuard {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #followed: AbortSignal;
  readonly #follow: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stalled = false;

  constructor(timeoutMs: number, followed: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#followed = followed;
    this.signal = this.#controller.signal;
    this.#follow = () => this.#controller.abort(followed.reason);
    if (followed.aborted) this.#follow();
    followed.addEventListener('abort', this.#follow, { once: true });
    this.moved();
  }

  /** True once the time ran out. */
  get stalled(): boolean {
    return this.#stalled;
  }

  /** Something moved: the time starts again. */
  moved(): void {
    clearTimeout(this.#timer);
    if (!Number.isFinite(this.#timeoutMs)) return;
    this.#timer = setTimeout(() => {
      this.#stalled = true;
      this.#controller.abort();
    }, this.#timeoutMs);
  }

  /** Ends the watch. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#followed.removeEventListener('abort', this.#follow);
  }
}
