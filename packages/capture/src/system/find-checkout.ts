// Finds the folder that a capture writes as `<checkout>`, for code that applies captured values here.

import path from 'node:path';
import { openMachine } from './machine.ts';
import { createSystem } from './node-system.ts';
import type { System } from './system.ts';
import { untrustedTree } from './untrusted-tree.ts';

/** Absolute; undefined if a capture of this folder writes none. See docs/decisions/0013. */
export async function findCheckout(
  dir: string,
  system: System = createSystem(),
): Promise<string | undefined> {
  const { checkout } = await untrustedTree(openMachine(system), path.resolve(dir));
  return checkout[0];
}
