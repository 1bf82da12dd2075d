// Builds packages completely before they are packed, whatever an earlier build left behind.

import path from 'node:path';
import { ensureBuilt } from './build.ts';
import { finishOutput } from './finish-output.ts';

ensureBuilt();
// A type check overwrites output that the build has finished.
finishOutput(path.resolve(import.meta.dirname, '../packages'));
