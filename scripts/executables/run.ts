// Makes the executables and their archives in dist/executables, with the checksums of the archives.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../build.ts';
import { addLibraries } from './any-libc.ts';
import { buildExecutable, programName } from './build-executable.ts';
import { run } from './fetch-node.ts';
import { hostTarget, type Target, type TargetName, targets } from './targets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const output = path.join(root, 'dist/executables');
const checksums = path.join(output, 'SHA256SUMS');

/** The archive of a target: `envsnap-linux-x64.tar.gz`. Names carry no version, so that links to the newest stay. */
export function archiveName(name: TargetName): string {
  return `envsnap-${name}.tar.gz`;
}

async function make(name: TargetName): Promise<void> {
  const target: Target = targets[name];
  const folder = path.join(output, `envsnap-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const program = path.join(folder, target.ownLibraries ? 'lib/envsnap' : programName(target));
  await buildExecutable(target, program);
  if (target.ownLibraries) addLibraries(program, folder);
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const notices = path.join(root, 'packages/cli/dist/THIRD-PARTY-LICENSES.txt');
  cpSync(notices, path.join(folder, 'THIRD-PARTY-LICENSES.txt'));
  const archive = path.join(output, archiveName(name));
  run('tar', ['-czf', `${archive}.part`, '-C', output, `envsnap-${name}`]);
  renameSync(`${archive}.part`, archive);
  const megabytes = (file: string) => `${(statSync(file).size / 1_000_000).toFixed(1)} MB`;
  process.stdout.write(`${name}: ${megabytes(program)}, packed ${megabytes(archive)}\n`);
}

/** One line an archive, as `sha256sum --check` reads them. */
function writeChecksums(): void {
  const archives = readdirSync(output)
    .filter((file) => file.endsWith('.tar.gz'))
    .sort();
  const lines = archives.map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(output, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  });
  writeFileSync(checksums, lines.join(''));
}

function wantedTargets(): TargetName[] {
  const { values } = parseArgs({
    options: { target: { type: 'string', multiple: true } },
    allowPositionals: false,
  });
  const host = hostTarget();
  const wanted = values.target ?? (host ? [host] : []);
  for (const name of wanted) {
    if (!Object.hasOwn(targets, name))
      throw new Error(`there is no target "${name}"; there are ${Object.keys(targets).join(', ')}`);
  }
  return wanted as TargetName[];
}

try {
  const wanted = wantedTargets();
  ensureBuilt();
  if (!existsSync(output)) mkdirSync(output, { recursive: true });
  for (const name of wanted) await make(name);
  writeChecksums();
  process.stdout.write(
    `In ${path.relative(process.cwd(), output) || '.'}: ${readdirSync(output).join(', ')}\n`,
  );
} catch (error) {
  process.stderr.write(`executables: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
