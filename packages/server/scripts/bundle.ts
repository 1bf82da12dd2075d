// Bundles the service into dist, since loading module by module costs more than a third of its start. Its package depends on
// nothing but the driver of the embedded database. The job thread has a separate file.

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeLicences } from '../../../scripts/write-licences.ts';
import { bundleOptions } from './bundle-options.ts';

const folder = path.resolve(import.meta.dirname, '..');
const dist = path.join(folder, 'dist');
// Built beside the old bundle and swapped in, so that a program that starts at that moment finds one or the other.
const staging = path.join(dist, '.bundle');
const options = { ...bundleOptions, absWorkingDir: folder, target: 'node22.15' };

rmSync(staging, { recursive: true, force: true });
mkdirSync(staging, { recursive: true });
const program = await build({
  ...options,
  entryPoints: ['src/cli.ts'],
  outdir: path.join(staging, 'program'),
  splitting: true,
  format: 'esm',
  external: [...options.external, 'better-sqlite3'],
  chunkNames: '[name]-[hash]',
  // CommonJS modules inside the bundle call require for Node.js's own modules.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
});
const thread = await build({
  ...options,
  entryPoints: ['src/jobs-thread.ts'],
  outfile: path.join(staging, 'jobs-thread.cjs'),
  format: 'cjs',
  // The program reads no file of its package at run time.
  logOverride: { 'empty-import-meta': 'silent' },
});
const inputs = { ...program.metafile.inputs, ...thread.metafile.inputs };
writeLicences(path.join(staging, 'THIRD-PARTY-LICENSES.txt'), { inputs, outputs: {} }, folder);
for (const name of ['program', 'jobs-thread.cjs', 'THIRD-PARTY-LICENSES.txt']) {
  rmSync(path.join(dist, name), { recursive: true, force: true });
  renameSync(path.join(staging, name), path.join(dist, name));
}
rmSync(staging, { recursive: true, force: true });
