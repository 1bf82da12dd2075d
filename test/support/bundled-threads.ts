// Bundles the program of the server's threads for a run, as the build does for a release: from its sources, each of the hundreds of
// threads that tests start would load 370 modules.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '../..');
/** The place stays the same, so that Node.js finds what it has compiled. */
const file = path.join(root, 'node_modules/.cache/envsnap-tests/jobs-thread.cjs');
const place = /new URL\(`\.\.\/\$\{name\}\.[^`]*`, import\.meta\.url\)/;

/** Makes the bundle. In every run: Vitest keeps what a plugin made of a file that has not changed. */
export async function bundleThreads(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'packages/server/src/jobs-thread.ts')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    conditions: ['envsnap-source'],
    minifySyntax: true,
    logOverride: { 'empty-import-meta': 'silent' },
  });
  mkdirSync(path.dirname(file), { recursive: true });
  const own = `${file}-${process.pid}`;
  writeFileSync(own, outputFiles[0]?.contents ?? '');
  renameSync(own, file);
}

/** Has the server's sources start that bundle. */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/packages/server/src/infra/package-files.ts')) return undefined;
    if (!place.test(code)) throw new Error('package-files.ts does not say where the program of a thread is');
    return code.replace(place, `new URL(${JSON.stringify(pathToFileURL(file).href)})`);
  },
};
