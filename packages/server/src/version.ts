// The version of this program, read from its package, and the commit that it was built from, which the build stores there.

import { readPackageFile } from './infra/package-files.ts';

const manifest = JSON.parse(readPackageFile('package.json').toString('utf8')) as { version: string };

export const version = manifest.version;

/** Full hash of the commit, followed by `-dirty` if files were changed; undefined if the build did not know it. */
export const commit = readCommit();

function readCommit(): string | undefined {
  try {
    return readPackageFile('dist/commit.txt').toString('utf8').trim() || undefined;
  } catch {
    // Sources that were not built have none.
    return undefined;
  }
}
