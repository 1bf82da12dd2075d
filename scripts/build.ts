// Builds all packages into packages/*/dist; does nothing when every output is newer than every input.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const stampFile = path.join(root, 'node_modules/.cache/envsnap-build');

/** Modification time of the newest build input, in milliseconds since the epoch. */
function newestInputMs(): number {
  const inputs = ['tsconfig.base.json', 'tsconfig.json', 'pnpm-lock.yaml', 'scripts/build.ts'].map((name) =>
    path.join(root, name),
  );
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const folder = path.join(root, 'packages', name);
    inputs.push(
      path.join(folder, 'package.json'),
      path.join(folder, 'tsconfig.json'),
      path.join(folder, 'src'),
    );
    for (const entry of readdirSync(path.join(folder, 'src'), { recursive: true, withFileTypes: true })) {
      inputs.push(path.join(entry.parentPath, entry.name));
    }
  }
  return Math.max(...inputs.map((input) => statSync(input, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function isFresh(): boolean {
  const stamp = statSync(stampFile, { throwIfNoEntry: false });
  return stamp !== undefined && stamp.mtimeMs > newestInputMs();
}

function run(args: string[]): void {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    process.stderr.write('envsnap: the build failed; its messages are above\n');
    process.exit(result.status ?? 1);
  }
}

/** Waits for another process's build of this checkout; a lock older than five minutes is taken for abandoned. */
function withBuildLock(action: () => void): void {
  const lock = `${stampFile}.lock`;
  mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 300_000) rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  try {
    action();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Builds what is stale. Messages go to standard error, so that a program's standard output stays its own. */
export function ensureBuilt(): void {
  if (isFresh()) return;
  withBuildLock(() => {
    if (isFresh()) return;
    const startedAt = new Date();
    run([path.join(root, 'node_modules/typescript/bin/tsc'), '-b', ...packageProjects()]);
    const bundle = path.join(root, 'packages/cli/scripts/bundle.ts');
    if (existsSync(bundle)) run([bundle]);
    writeFileSync(stampFile, startedAt.toISOString());
  });
}

function packageProjects(): string[] {
  return readdirSync(path.join(root, 'packages')).map((name) => path.join(root, 'packages', name));
}

if (process.argv[1] === import.meta.filename) ensureBuilt();
