// Owns the variables that the programs of tests start with: nothing of the caller's settings, and where Node.js keeps what
// it has compiled, since dozens of servers load the same modules.

import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Variables for a program that a test starts. */
export const childEnvironment: Readonly<Record<'PATH' | 'NODE_COMPILE_CACHE', string>> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/envsnap-tests'),
};
