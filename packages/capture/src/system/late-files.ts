// Files that changed after the captured command began: the command may have seen another content.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CapturedMachine } from './machine.ts';
import type { FileStatus } from './system.ts';

/** How far file times may be behind the clock, in milliseconds: the kernel takes them from its last tick. */
const fileClockMs = 20;
export const lateReason = 'it changed after the command began';

/** Whether a file changed after a moment, in milliseconds since the epoch. */
export function isChangedAfter(
  { modifiedMs, changedMs }: FileStatus,
  moment = Number.POSITIVE_INFINITY,
): boolean {
  return Math.max(modifiedMs, changedMs) + fileClockMs > moment;
}

/** Splits values read from files of the folder into known ones, and files that changed too late. */
export async function separateLateFiles<Item>(
  machine: CapturedMachine,
  folder: string,
  startedAt: number | undefined,
  { section, items, fileOf }: LateInput<Item>,
): Promise<{ known: readonly Item[]; unknown: readonly UnknownEntry[] }> {
  const late = new Set<string>();
  for (const file of startedAt === undefined ? [] : new Set(items.map(fileOf))) {
    const status = await machine.files.status(machine.files.paths.join(folder, file));
    if (status && isChangedAfter(status, startedAt)) late.add(file);
  }
  return {
    known: items.filter((item) => !late.has(fileOf(item))),
    unknown: [...late].map((key) => ({ section, key, reason: lateReason })),
  };
}

interface LateInput<Item> {
  readonly section: 'env' | 'toolchain';
  readonly items: readonly Item[];
  /** Path relative to the folder. */
  fileOf(item: NoInfer<Item>): string;
}
