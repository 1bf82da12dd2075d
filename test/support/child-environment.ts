// Owns the variables that the programs of tests start with: none of the caller's settings, the temporary folder of the
// test file, and Node.js's compile cache, because dozens of servers load the same modules.

import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Variables for a program that a test starts. */
export const childEnvironment: Readonly<Record<'PATH' | 'TMPDIR' | 'NODE_COMPILE_CACHE', string>> = {
  PATH: process.env.PATH ?? '',
  // Each test file has a different one.
  get TMPDIR() {
    return tmpdir();
  },
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/envsnap-tests'),
};
