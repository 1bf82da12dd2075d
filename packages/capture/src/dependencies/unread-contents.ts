// Digests of dependency files that are found and not read: a comparison sees at least that they differ.

import { posix } from 'node:path';
import { isChangedAfter } from '../system/late-files.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { digestOf } from './patch-digest.ts';
import { NothingLeft, type ReadBudget } from './walk/snapshot-limits.ts';
import type { FoundFile } from './walk/walk.ts';

/** Files of which a digest is made, and the largest, in bytes. */
const maxFiles = 500;
const maxBytes = 8 * 1024 * 1024;

/** As sources of files: `#content` is what holds for the whole file. */
export async function unreadContents(
  machine: CapturedMachine,
  folder: string,
  files: readonly FoundFile[],
  budget: ReadBudget,
  changedBefore: number | undefined,
): Promise<{ readonly path: string; readonly sources: Record<string, string> }[]> {
  const found: { path: string; sources: Record<string, string> }[] = [];
  for (const { path } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, maxFiles)) {
    try {
      const absolute = posix.join(folder, path);
      const status = await machine.status(absolute);
      const isLate = isChangedAfter(status, changedBefore);
      if (status.kind !== 'file' || status.sizeBytes === 0 || status.sizeBytes > maxBytes || isLate) continue;
      budget.spend(status.sizeBytes);
      const bytes = await machine.readFile(absolute);
      // Git may write a text with other line ends on Windows.
      const text = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
      found.push({ path, sources: { '#content': digestOf(text) } });
    } catch (error) {
      if (error instanceof NothingLeft) break;
      // It is named as found and not read already.
    }
  }
  return found;
}
