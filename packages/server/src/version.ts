// The version of this program, read from its package, and the commit that it was built from, which the build leaves there.

import { existsSync, readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const commitFile = new URL('./commit.txt', import.meta.url);

/** Semantic version of `@envsnap/server`. */
export const version = manifest.version;

/** Full hash of the commit, `-dirty` behind it when files had been changed since; undefined when the build did not know. */
export const commit = existsSync(commitFile)
  ? readFileSync(commitFile, 'utf8').trim() || undefined
  : undefined;
