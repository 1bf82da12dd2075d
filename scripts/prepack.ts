// Makes packages whole before they are packed: built, whatever was left of an earlier build.

import path from 'node:path';
import { ensureBuilt } from './build.ts';
import { finishOutput } from './finish-output.ts';

ensureBuilt();
// A type check overwrites the compiler's output that the build has finished.
finishOutput(path.resolve(import.meta.dirname, '../packages'));
