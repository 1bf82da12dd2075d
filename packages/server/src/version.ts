// The version of this program, read from its package.

import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Semantic version of `@envsnap/server`. */
export const version = manifest.version;
