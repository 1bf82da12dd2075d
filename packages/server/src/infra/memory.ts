// What memory this process may use, and how V8 is told to be content with it.

import { totalmem } from 'node:os';
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

/** Below this many bytes, V8 may let its space for new objects grow further. */
const leastYoungBytes = 16 * 1024 ** 2;

/**
 * Has V8 keep its space for new objects as large as the start has made it (32 MiB): a server under load would have it grow
 * to 128 MiB and never give them back. Call it once the server listens.
 */
export function boundYoungHeap(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (young && young.space_size >= leastYoungBytes) setFlagsFromString('--semi-space-growth-factor=1');
}
