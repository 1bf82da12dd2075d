// Names the dependency files that were found and are not read, once for each format.

import type { Format } from '@envsnap/shared/catalogue/formats';
import type { FoundFile } from './walk.ts';
import type { WarningLog } from './warning-log.ts';

/** Files of one format that are named; the others are counted. */
const maxNamed = 20;

/** One warning a format, so that a repository with a hundred builds of Gradle says it in one line. */
export function reportUnread(files: readonly FoundFile[], log: WarningLog): void {
  const byFormat = new Map<Format, string[]>();
  for (const { path, format } of files) byFormat.set(format, [...(byFormat.get(format) ?? []), path]);
  for (const [{ unread = 'its format is not read' }, paths] of byFormat) {
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
