// Names the dependency files that were found and are not read, once for each format.

import { posix } from 'node:path';
import type { Format } from '@envsnap/shared/catalogue/formats';
import type { CapturedMachine } from '../../system/machine.ts';
import type { WarningLog } from '../warning-log.ts';
import type { FoundFile } from './walk.ts';

/** Files of one format that are named; the others are counted. */
const maxNamed = 20;

/** One warning a format, so that a repository with a hundred builds of Gradle says it in one line. */
export async function reportUnread(
  machine: CapturedMachine,
  folder: string,
  files: readonly FoundFile[],
  log: WarningLog,
): Promise<void> {
  const byFormat = new Map<Format, string[]>();
  for (const { path, format } of files) {
    if (await isEmpty(machine, posix.join(folder, path))) continue;
    const known = byFormat.get(format);
    if (known) known.push(path);
    else byFormat.set(format, [path]);
  }
  for (const [{ unread = 'envsnap does not read this format' }, paths] of byFormat) {
    const [first = '', ...more] = paths.sort();
    const named = [first, ...more].slice(0, maxNamed).join(', ');
    const rest = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
    log.add({
      code: 'dependency_file_unread',
      message: `${named}${rest} ${paths.length === 1 ? 'is' : 'are'} found and not read: ${unread}.`,
      file: first,
    });
  }
}

/** Programs show with empty files that they run (`db.lock`); these say nothing. */
async function isEmpty(machine: CapturedMachine, file: string): Promise<boolean> {
  try {
    return (await machine.status(file)).sizeBytes === 0;
  } catch {
    return false;
  }
}
