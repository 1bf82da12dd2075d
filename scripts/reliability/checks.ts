// The table of reliability checks, in the order in which they run.

import type { Check } from './check.ts';
import { backup } from './checks/backup.ts';
import { memory } from './checks/memory.ts';

/** Every check. */
export const checks: readonly Check[] = [backup, memory];
