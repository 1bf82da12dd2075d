// Finds what changed after a command ended and before its environment was read: a recording must not say that the command
// ran with it.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expandFiles } from '../actions/references/expand-files.ts';
import usual from './usual-files.json' with { type: 'json' };

/** The clock of a file system may be off by this much, in milliseconds. */
const clockToleranceMs = 20;

/**
 * The first dependency file, dotenv file, version file or folder of packages that changed after a moment.
 *
 * @param files Dependency files, relative to the folder; others are of the system.
 * @param momentMs Milliseconds since the epoch.
 */
export async function changedSince(
  folder: string,
  files: readonly string[],
  momentMs: number,
): Promise<string | undefined> {
  const own = files.filter((file) => !path.isAbsolute(file));
  const roots = new Set(['', ...own.map((file) => path.dirname(file))]);
  const installed = [...roots].flatMap((root) => usual.installTraces.map((trace) => path.join(root, trace)));
  const patterns = [...usual.declarations, ...installed].map((each) => path.join(folder, each));
  const active = process.env.VIRTUAL_ENV ? [path.join(process.env.VIRTUAL_ENV, 'lib/*/site-packages')] : [];
  const found = await Promise.all([...patterns, ...active].map((pattern) => expandFiles(pattern)));
  for (const file of [...own.map((each) => path.join(folder, each)), ...found.flat()]) {
    const changed = await stat(file).catch(() => undefined);
    // Package managers set the modification time of what they unpack; nothing sets this one.
    if (changed && changed.ctimeMs > momentMs + clockToleranceMs) return path.relative(folder, file);
  }
  return undefined;
}
