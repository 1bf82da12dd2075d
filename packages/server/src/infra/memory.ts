// What memory this process may use.

import { totalmem } from 'node:os';

/** Memory that this process may use, in bytes: that of the machine, or less where a control group says so. */
export function usableMemory(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}
