// Runs one of the two programs from the checkout: builds it if stale, then passes everything through untouched.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './build.ts';

const entries: Record<string, string> = {
  cli: 'packages/cli/bin/run.js',
  server: 'packages/server/bin/envsnap-server.js',
};
const [name = '', ...args] = process.argv.slice(2);
const entry = entries[name];
if (!entry) throw new Error(`unknown program ${name}; expected one of ${Object.keys(entries).join(', ')}`);

ensureBuilt();
const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '..', entry), ...args], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// The child decides how it ends. A terminal signals the whole group; other signals reach only this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal);
  });
child.on('exit', (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
});
