// Builds all packages into packages/*/dist; does nothing when every output is newer than every input.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './build-lock.ts';
import { finishOutput } from './finish-output.ts';
import { guideFiles, writeReference } from './write-reference-page.ts';

const root = path.resolve(import.meta.dirname, '..');
const stampFile = path.join(root, 'node_modules/.cache/envsnap-build');

/** Modification time of the newest build input, in milliseconds since the epoch. */
function newestInputMs(): number {
  const files = [
    'tsconfig.base.json',
    'tsconfig.json',
    'pnpm-lock.yaml',
    'scripts/build.ts',
    'scripts/finish-output.ts',
    'scripts/write-reference-page.ts',
    'scripts/write-sdk-contract.ts',
    'scripts/sdk-contract.ts',
    'scripts/schema-text.ts',
    ...guideFiles.map((file) => `docs/guides/${file}`),
  ];
  const bundles = ['cli', 'server'].flatMap((name) =>
    ['bundle.ts', 'bundle-options.ts'].map((file) => `packages/${name}/scripts/${file}`),
  );
  const inputs = [...files, ...bundles].map((name) => path.join(root, name));
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const folder = path.join(root, 'packages', name);
    inputs.push(
      path.join(folder, 'package.json'),
      path.join(folder, 'tsconfig.json'),
      path.join(folder, 'src'),
    );
    for (const entry of readdirSync(path.join(folder, 'src'), { recursive: true, withFileTypes: true }))
      inputs.push(path.join(entry.parentPath, entry.name));
  }
  return Math.max(...inputs.map((input) => statSync(input, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function isFresh(): boolean {
  const stamp = statSync(stampFile, { throwIfNoEntry: false });
  return stamp !== undefined && stamp.mtimeMs > newestInputMs() && areOutputsThere();
}

function areOutputsThere(): boolean {
  const outputs = ['shared', 'versions', 'sdk', 'capture', 'compare', 'console']
    .map((name) => `${name}/dist/index.js`)
    .concat(
      'server/dist/program/cli.js',
      'server/dist/jobs-thread.cjs',
      'server/dist/reference/viewer.js.gz',
      'cli/dist/main.js',
    );
  return outputs.every((output) => existsSync(path.join(root, 'packages', output)));
}

class BuildError extends Error {}

function run(args: string[]): void {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) throw new BuildError('the build failed; its messages are above');
}

let isBuilt = false;

/**
 * Builds what is stale at the first call in a process. Messages go to standard error, so that standard output is only the
 * program's. `onStale` is called before a build begins.
 */
export function ensureBuilt(onStale: () => void = () => undefined): void {
  if (isBuilt || isFresh()) {
    isBuilt = true;
    return;
  }
  onStale();
  try {
    withLock(`${stampFile}.lock`, build);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`envsnap: ${error.message}\n`);
    process.exit(1);
  }
}

function build(): void {
  if (isFresh()) return;
  const startedAt = new Date();
  run(['--conditions=envsnap-source', path.join(root, 'scripts/write-sdk-contract.ts')]);
  // Without its checks, which `check` makes, the compiler takes half as long.
  const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '-b', '--noCheck'];
  const compile = [...tsc, ...packageProjects()];
  // Somebody removed outputs, but the compiler's build info still lists them.
  run(areOutputsThere() ? compile : [...compile, '--force']);
  finishOutput(path.join(root, 'packages'));
  writeReference(path.join(root, 'packages/server'), path.join(root, 'docs/guides'));
  writeFileSync(path.join(root, 'packages/server/dist/commit.txt'), `${commitOfSources()}\n`);
  for (const name of ['server', 'cli']) run([path.join(root, `packages/${name}/scripts/bundle.ts`)]);
  writeFileSync(stampFile, '');
  // Files that changed during this build are newer than its stamp.
  utimesSync(stampFile, startedAt, startedAt);
}

/** The commit to name in the server's /health: from `ENVSNAP_COMMIT`, else from git; empty if unknown. */
function commitOfSources(): string {
  if (process.env.ENVSNAP_COMMIT) return process.env.ENVSNAP_COMMIT;
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const head = git('rev-parse', '--verify', 'HEAD');
  if (head.status !== 0) return '';
  const changed = git('status', '--porcelain', '--untracked-files=no', 'packages').stdout.trim() !== '';
  return head.stdout.trim() + (changed ? '-dirty' : '');
}

function packageProjects(): string[] {
  return readdirSync(path.join(root, 'packages')).map((name) => path.join(root, 'packages', name));
}

if (process.argv[1] === import.meta.filename) ensureBuilt();
