// Separates a project's own dependency files from its samples: below test, fixtures, examples or templates.

import { posix } from 'node:path';
import type { WarningLog } from '../warning-log.ts';
import type { FoundFile } from './walk.ts';

const sampleFolder =
  /^(?:_*tests?_*|specs?|test[-_]?(?:data|cases|fixtures)|_*fixtures?_*|examples?|samples?|templates?)$/i;
const maxNamed = 3;

/** A list beside the tests (`tests/requirements.txt`) holds their dependencies; it is not a sample. */
export function isFixture({ path, format }: FoundFile): boolean {
  const folders = path.split('/').slice(0, -1);
  const first = folders.findIndex((name) => sampleFolder.test(name));
  return (
    first >= 0 && !(format.kind === 'list' && folders.length === 1 && /^tests?$/i.test(folders[0] ?? ''))
  );
}

/** Folders that a workspace names are part of it, wherever they are. `members` are relative to the captured folder. */
export function withoutFixtures(
  files: readonly FoundFile[],
  members: ReadonlySet<string>,
  log: WarningLog,
): FoundFile[] {
  const isOwn = (file: FoundFile) => !isFixture(file) || members.has(posix.dirname(file.path));
  const leftOut = files.filter((file) => !isOwn(file)).map(({ path }) => path);
  if (leftOut.length > 0) {
    const named = leftOut.sort().slice(0, maxNamed).join(', ');
    log.add({
      code: 'fixtures_left_out',
      message:
        `${leftOut.length} dependency ${leftOut.length === 1 ? 'file' : 'files'} below test, fixtures, examples or templates ` +
        `${leftOut.length === 1 ? 'is' : 'are'} not recorded (${named}${leftOut.length > maxNamed ? ', …' : ''}): ` +
        '--fixtures records them.',
    });
  }
  return files.filter(isOwn);
}
