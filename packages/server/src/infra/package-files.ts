// The files of this package that are not code: beside the code, or inside the executable.

import { readFileSync } from 'node:fs';
import { getRawAsset, isSea } from 'node:sea';

/** Reads a file by its path in the package, with `/`. Throws if it does not exist. */
export function readPackageFile(name: string): Buffer {
  if (isSea()) return Buffer.from(getRawAsset(name) as ArrayBuffer);
  return readFileSync(new URL(`../../${name}`, import.meta.url));
}

/** The program of a thread, by its name without ending: a file beside the code, or a text inside an executable. */
export function threadProgram(name: string): URL | string {
  if (isSea()) return readPackageFile(`dist/${name}.js`).toString('utf8');
  // The build bundles it.
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'cjs';
  return new URL(`../${name}.${ending}`, import.meta.url);
}
