// What memory this process may use.

import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Memory that this process may use, in bytes: that of the machine, or less where a control group says so. */
export function usableMemory(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}

/** Each of the three parts of V8's space for new objects has this share of the memory, and at most so many bytes. */
const youngShare = 128;
const mostYoungPart = 64 * 1024 ** 2;

/**
 * How large V8's heap of old objects may become, in bytes: a part of the memory, or what `--max-old-space-size` says. V8
 * reports it together with the space for new objects.
 */
export function heapLimit(): number {
  const youngBytes = 3 * Math.min(mostYoungPart, usableMemory() / youngShare);
  return getHeapStatistics().heap_size_limit - youngBytes;
}
