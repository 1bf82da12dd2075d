// The program of the capture thread: the bundle's, with the bytecode of an earlier run.

import { keepBytecode } from './keep-bytecode.js';

keepBytecode();
await import('../dist/threads/capture-thread.js');
