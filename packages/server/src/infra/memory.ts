// What memory this process may use, and how V8 is told to be content with it.

import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

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
