// How the service is bundled, for its package and for executables alike.

import type { BuildOptions } from 'esbuild';

/** What knex and pg load for those who have it installed: none of it is used. */
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

/** esbuild's settings. Callers add entries, output, format, target and what else stays outside. */
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
