// Finds folders of packages that changed after a command ended and before they were read: a recording must not say that the
// command ran with them. Lock files, dotenv files and version files that change meanwhile are unknown in the capture.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CapturedSnapshot } from '@envsnap/capture';
import { expandFiles } from '../actions/references/expand-files.ts';
import usual from './usual-files.json' with { type: 'json' };

/** The clock of a file system may be off by this much, in milliseconds. */
const clockToleranceMs = 20;

/** The first trace of an installation after a moment, in milliseconds since the epoch. */
export async function installedSince(
  folder: string,
  { dependencies = {} }: CapturedSnapshot,
  momentMs: number,
): Promise<string | undefined> {
  // The absolute files are those of the system.
  const own = Object.keys(dependencies).filter((file) => !path.isAbsolute(file));
  const roots = new Set(['', ...own.map((file) => path.dirname(file))]);
  const patterns = [...roots].flatMap((root) =>
    usual.installTraces.map((trace) => path.join(folder, root, trace)),
  );
  const active = process.env.VIRTUAL_ENV ? [path.join(process.env.VIRTUAL_ENV, 'lib/*/site-packages')] : [];
  const found = await Promise.all([...patterns, ...active].map((pattern) => expandFiles(pattern)));
  for (const file of found.flat()) {
    const changed = await stat(file).catch(() => undefined);
    // Package managers set the modification time of what they unpack; nothing sets this one.
    if (changed && changed.ctimeMs > momentMs + clockToleranceMs) return path.relative(folder, file);
  }
  return undefined;
}
