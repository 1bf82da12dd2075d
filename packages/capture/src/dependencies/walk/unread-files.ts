// Dependency files that are found but not read. Each format is named once; a digest of each file lets a comparison
// see that they differ.

import { posix } from 'node:path';
import type { Format } from '@envsnap/shared/catalogue/formats';
import { withoutVersions } from '../../declared/version-rows.ts';
import { isChangedAfter } from '../../system/late-files.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { NothingLeft } from '../parse-problem.ts';
import { digestOf, withoutComments } from '../setting-text.ts';
import type { WarningLog } from '../warning-log.ts';
import type { ReadBudget } from './snapshot-limits.ts';
import type { FoundFile } from './walk.ts';

/** Maximum number of files of one format that are named; further ones are counted. */
const maxNamed = 20;

/** One warning for each format, so that a repository with a hundred Gradle builds gets one line. */
export async function reportUnread(
  machine: CapturedMachine,
  folder: string,
  files: readonly FoundFile[],
  log: WarningLog,
): Promise<void> {
  const byFormat = new Map<Format, string[]>();
  for (const { path, format } of files) {
    const status = await machine.status(posix.join(folder, path)).catch(() => undefined);
    // Programs create empty lock files (`db.lock`) while they run; these are ignored.
    if (status?.sizeBytes === 0) continue;
    const paths = byFormat.get(format) ?? [];
    byFormat.set(format, paths);
    paths.push(path);
  }
  for (const [{ isQuiet, unread = 'envsnap does not read this format' }, paths] of byFormat) {
    if (isQuiet) continue;
    const [first = '', ...more] = paths.sort();
    const named = [first, ...more].slice(0, maxNamed).join(', ');
    const rest = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
    log.add({
      code: 'dependency_file_unread',
      message: `${named}${rest} ${paths.length === 1 ? 'was' : 'were'} found but not read: ${unread}.`,
      file: first,
    });
  }
}

/** Maximum number of files that are hashed, and the size of the largest, in bytes. */
const maxFiles = 500;
const maxBytes = 8 * 1024 * 1024;

/** Recorded as sources of files: `#content` applies to the whole file. */
export async function unreadContents(
  machine: CapturedMachine,
  folder: string,
  files: readonly FoundFile[],
  budget: ReadBudget,
  changedBefore: number | undefined,
): Promise<{ readonly path: string; readonly sources: Record<string, string> }[]> {
  const found: { path: string; sources: Record<string, string> }[] = [];
  for (const { path, format } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, maxFiles)) {
    try {
      const absolute = posix.join(folder, path);
      const status = await machine.status(absolute);
      const isLate = isChangedAfter(status, changedBefore);
      if (status.kind !== 'file' || status.sizeBytes === 0 || status.sizeBytes > maxBytes || isLate) continue;
      budget.spend(status.sizeBytes);
      const bytes = await machine.readFile(absolute);
      // Git may write a text with other line endings on Windows.
      const text = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
      const versionless = withoutVersions(path, text);
      const counted = format.isLock ? versionless : withoutComments(versionless);
      found.push({ path, sources: { '#content': digestOf(counted) } });
    } catch (error) {
      if (error instanceof NothingLeft) break;
      // The file is already named as found but not read.
    }
  }
  return found;
}
