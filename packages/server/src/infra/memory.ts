// What memory this process may use, and how V8 is told to be content with it.

import { totalmem } from 'node:os';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Below this much memory (bytes), the heap is collected earlier than V8 would. */
const smallMachineBytes = 1024 ** 3;

/** Memory that this process may use, in bytes: that of the machine, or less where a control group says so. */
export function usableMemory(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}

/**
 * On a small machine, has V8 collect when the heap has grown by a third rather than when it has doubled: it takes all of
 * the memory for its own heap, while the bytes of bodies, answers and the database's cache lie outside of it.
 */
export function tuneHeap(): void {
  if (usableMemory() < smallMachineBytes) setFlagsFromString('--heap-growing-percent=30');
}

/** How large V8's space for new objects may become, both of its halves together, in bytes. */
const mostYoungBytes = 32 * 1024 ** 2;

/**
 * Has V8 let its space for new objects grow to 32 MiB and no further: under load it would take 128 MiB, which stay in use
 * until the server rests. The space shrinks to 1 MiB when it does, so the bound must let it grow again: a server that keeps
 * the small one moves a good part of every request to the old space. Call it once, when the server starts.
 */
export function boundYoungHeap(): void {
  let mayGrow = true;
  new PerformanceObserver(() => {
    const wasAllowed = mayGrow;
    mayGrow = youngBytes() < mostYoungBytes;
    // V8 reads this flag each time it would grow the space; `--max-semi-space-size` only before any of our code runs.
    if (mayGrow !== wasAllowed) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ entryTypes: ['gc'] });
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
