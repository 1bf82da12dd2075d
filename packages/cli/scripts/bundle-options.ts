// How the command line is bundled, for its package and for executables alike.

import path from 'node:path';
import type { BuildOptions } from 'esbuild';

/**
 * Packages that oclif imports for features that this program does not use: without plugins, nothing searches folders for
 * commands, reads settings, logs or spins. A function that does nothing replaces all of them. They cost 10 ms a start.
 */
const unused = [
  'ansi-escapes',
  'clean-stack',
  'cli-spinners',
  'debug',
  'lilconfig',
  'minimatch',
  'supports-color',
  'tinyglobby',
  'wsl-utils',
];

/** esbuild's settings. Callers add entries, output, target and banner. */
export function bundleOptions(version: string) {
  return {
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['envsnap-source'],
    define: { ENVSNAP_VERSION: JSON.stringify(version) },
    alias: Object.fromEntries(unused.map((name) => [name, path.join(import.meta.dirname, 'unused.cjs')])),
    // The main file of jsonc-parser takes `require` as an argument, which bundlers cannot follow.
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  } satisfies BuildOptions;
}
