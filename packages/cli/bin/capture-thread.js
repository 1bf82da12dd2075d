// The program of the thread on which captures run: the bundle's, with the bytecode that an earlier run left.

import { keepBytecode } from './keep-bytecode.js';

keepBytecode();
await import('../dist/threads/capture-thread.js');
