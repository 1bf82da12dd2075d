// One abort signal for one call out of the signals of client and caller, without leaving listeners behind.

import { AbortError } from '../errors.ts';

/** A signal that follows others until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Stops following. A caller's long-lived signal holds nothing of the call afterwards. */
  readonly release: () => void;
}

/** Follows every given signal: the first to abort aborts the result, with an `AbortError` that has its reason as cause. */
export function linkSignals(signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const followed: { signal: AbortSignal; listener: () => void }[] = [];
  const release = () => {
    for (const { signal, listener } of followed.splice(0)) signal.removeEventListener('abort', listener);
  };
  for (const signal of signals) {
    if (!signal) continue;
    const listener = () => {
      release();
      controller.abort(new AbortError('The call was stopped', { cause: signal.reason }));
    };
    if (signal.aborted) {
      listener();
      break;
    }
    signal.addEventListener('abort', listener, { once: true });
    followed.push({ signal, listener });
  }
  return { signal: controller.signal, release };
}
