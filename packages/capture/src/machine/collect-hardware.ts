// `metadata.system.hardware`: taken on request only.

import type { CapturedMachine } from '../system/machine.ts';
import type { HardwareFacts } from '../system/system.ts';
import type { CaptureWarning } from '../warning.ts';

export interface CollectedHardware {
  /** Known facts only; absent when the hardware was not asked for or did not answer. */
  readonly hardware?: Partial<HardwareFacts>;
  readonly warnings: readonly CaptureWarning[];
}

/** Asks for the hardware when it is wanted; a failure costs a warning. */
export async function collectHardware(machine: CapturedMachine, wanted: boolean): Promise<CollectedHardware> {
  if (!wanted) return { warnings: [] };
  try {
    const facts = Object.entries(await machine.hardware());
    const known = facts.filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    );
    return { hardware: Object.fromEntries(known), warnings: [] };
  } catch (error) {
    const message = `The hardware was left out: its programs failed (${(error as Error).message}).`;
    return { warnings: [{ code: 'hardware_unreadable', message }] };
  }
}
