// Runs before every test file: gives it a folder for temporary files, and registers what cleans up after its tests and after
// itself. A file fails when envsnap or its tests leave something in that folder.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, inject, vi } from 'vitest';
import { useBundledThreads } from './bundled-threads.ts';
import { cleanUpFile, cleanUpTest } from './clean-up.ts';

useBundledThreads();
// The last test of a file may have left variables that the first of the next one would restore.
vi.unstubAllEnvs();
const folder = mkdtempSync(path.join(inject('runFolder'), 'tmp-'));
// Some programs of tests run as other users.
chmodSync(folder, 0o1777);
process.env.TMPDIR = folder;

afterEach(cleanUpTest);
// Of these hooks, the last runs first.
afterAll(() => {
  // Tools that tests start may leave what they like: it goes with the folder.
  const left = readdirSync(folder).filter((name) => name.startsWith('envsnap-'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  if (left.length > 0) throw new Error(`left in the folder for temporary files: ${left.join(', ')}`);
});
afterAll(cleanUpFile);
