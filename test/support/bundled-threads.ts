// Bundles the program of the server's threads for a run, as the build does for a release: otherwise each of the hundreds of
// threads in tests would load 370 modules.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
/** The path stays the same, so that Node.js finds its compiled code. */
const file = path.join(root, 'node_modules/.cache/envsnap-tests/jobs-thread.cjs');
const place = /new URL\(`\.\.\/\$\{name\}\.[^`]*`, import\.meta\.url\)/;

/** Makes the bundle. */
export async function bundleThreads(): Promise<void> {
  const { build } = await import('esbuild');
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

let areUsed = false;

/** Makes the server's sources in this process start that bundle. */
export function useBundledThreads(): void {
  if (areUsed) return;
  areUsed = true;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith('/packages/server/src/infra/package-files.ts')) return loaded;
      const code = String(loaded.source);
      if (!place.test(code))
        throw new Error('package-files.ts does not say where the program of a thread is');
      return {
        ...loaded,
        source: code.replace(place, `new URL(${JSON.stringify(pathToFileURL(file).href)})`),
      };
    },
  });
}
