// How the service is bundled, for its package and for executables alike.

import type { BuildOptions } from 'esbuild';

/** Optional packages that knex and pg load if they are installed. We use none. */
const absent = [
  'pg-native',
  'pg-query-stream',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'sqlite3',
  'tedious',
];

/** esbuild's settings. Callers add entries, output, format, target and further packages to leave out of the bundle. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  conditions: ['envsnap-source'],
  external: absent,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;
