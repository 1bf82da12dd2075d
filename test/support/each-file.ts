// Runs before every test file: gives it a temporary folder, and registers the clean-up after its tests and itself. A
// file fails when envsnap or its tests leave something in that folder.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, inject, vi } from 'vitest';
import { useBundledThreads } from './bundled-threads.ts';
import { cleanUpFile, cleanUpTest } from './clean-up.ts';

useBundledThreads();
// The last test of a file may leave variables that the first test of the next file would restore.
vi.unstubAllEnvs();
const folder = mkdtempSync(path.join(inject('runFolder'), 'tmp-'));
// Some programs of tests run as other users.
chmodSync(folder, 0o1777);
process.env.TMPDIR = folder;

afterEach(cleanUpTest);
// Of these hooks, the last runs first.
afterAll(() => {
  // Files of tools that tests start are removed with the folder.
  const leftovers = readdirSync(folder).filter((name) => name.startsWith('envsnap-'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  if (leftovers.length > 0) throw new Error(`left in the temporary folder: ${leftovers.join(', ')}`);
});
afterAll(cleanUpFile);
