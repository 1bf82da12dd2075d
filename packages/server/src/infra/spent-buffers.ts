// Keeps memory flat while files stream. Every chunk is a buffer outside V8's heap, and V8 collects only once 64 MiB of
// them are spent, since its heap hardly grows meanwhile. A collection of the young generation, about a millisecond,
// lets them go earlier.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may stream between two collections. */
const collectEveryBytes = 4 * 1024 * 1024;

let collectYoung: (() => void) | undefined;
let streamedBytes = 0;

/** Counts bytes that went through the process; whichever stream they belong to. */
export function countStreamed(bytes: number): void {
  streamedBytes += bytes;
  if (streamedBytes < collectEveryBytes) return;
  streamedBytes = 0;
  collectYoung ??= findCollector();
  collectYoung();
}

function findCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  return () => collect({ type: 'minor' });
}
