// Runs before every test file: registers what cleans up after its tests and after itself.

import { afterAll, afterEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './clean-up.ts';

afterEach(cleanUpTest);
afterAll(cleanUpFile);
