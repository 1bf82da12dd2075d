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
import { withLock } from '../build-lock.ts';
import { addLibraries } from './any-libc.ts';
import { buildExecutable } from './build-executable.ts';
import { fetchNode, run } from './fetch-node.ts';
import { fixSearchPath } from './linux-file.ts';
import { archiveOf, fileOf, type ProgramName, programs } from './programs.ts';
import { hostTarget, type Target, type TargetName, targets } from './targets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const output = path.join(root, 'dist/executables');
const checksums = path.join(output, 'SHA256SUMS');

/** The programs that were already built: they are the same with and without their own libraries. */
const built = new Map<string, { readonly file: string; readonly licences: string }>();

async function make(program: ProgramName, name: TargetName): Promise<void> {
  const target = targets[name];
  const folder = path.join(output, `${program}-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, target.ownLibraries ? 'lib' : '', fileOf(program, target));
  const licences = path.join(folder, 'THIRD-PARTY-LICENSES.txt');
  const key = `${program} ${target.platform}-${target.arch}`;
  const same = built.get(key);
  if (same === undefined) await buildExecutable(program, target, file, licences);
  else
    for (const [from, to] of [
      [same.file, file],
      [same.licences, licences],
    ] as const)
      cpSync(from, to);
  built.set(key, { file, licences });
  if (target.ownLibraries) addLibraries(file, folder);
  else fixSearchPath(file, target);
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  cpSync(licenceOfNode(target), path.join(folder, 'LICENSE-Node.js'));
  const archive = path.join(output, archiveOf(program, name));
  const part = path.join(output, `part-${process.pid}-${path.basename(archive)}`);
  pack(part, path.basename(folder));
  renameSync(part, archive);
  const megabytes = (file: string) => `${(statSync(file).size / 1_000_000).toFixed(1)} MB`;
  process.stdout.write(`${program} for ${name}: ${megabytes(file)}, packed ${megabytes(archive)}\n`);
}

/** The tar of Windows also makes a zip; elsewhere that is a separate program. */
function pack(archive: string, folder: string): void {
  const onWindows = process.platform === 'win32';
  const tar = onWindows ? `${process.env.SystemRoot}\\System32\\tar.exe` : 'tar';
  if (!archive.endsWith('.zip')) run(tar, ['-czf', archive, '-C', output, folder]);
  else if (onWindows) run(tar, ['-acf', archive, '-C', output, folder]);
  else run('sh', ['-c', 'cd "$1" && zip -qr "$2" "$3"', 'sh', output, archive, folder]);
}

function licenceOfNode(target: Target): string {
  return path.join(fetchNode(target).slice(0, -target.nodeFile.length), 'LICENSE');
}

/** One line per archive, as `sha256sum --check` reads them. */
function writeChecksums(): void {
  const archives = readdirSync(output)
    .filter((file) => /^envsnap-.*\.(?:tar\.gz|zip)$/.test(file))
    .sort();
  const lines = archives.map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(output, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  });
  writeFileSync(checksums, lines.join(''));
}

/** The names given with an option, or the default. */
function chosen<Name extends string>(given: string[] | undefined, known: object, otherwise: Name[]): Name[] {
  for (const name of given ?? [])
    if (!Object.hasOwn(known, name))
      throw new Error(`there is no "${name}"; there are ${Object.keys(known).join(', ')}`);
  return (given as Name[] | undefined) ?? otherwise;
}

try {
  const { values } = parseArgs({
    options: { program: { type: 'string', multiple: true }, target: { type: 'string', multiple: true } },
    allowPositionals: false,
  });
  const host = hostTarget();
  const targetNames = chosen<TargetName>(values.target, targets, host ? [host] : []);
  // Targets with their own libraries first: files that they share with the others are changed for the others afterwards.
  targetNames.sort((a, b) => Number(targets[b].ownLibraries) - Number(targets[a].ownLibraries));
  const wantedPrograms = chosen<ProgramName>(values.program, programs, ['envsnap']);
  ensureBuilt();
  if (!existsSync(output)) mkdirSync(output, { recursive: true });
  for (const program of wantedPrograms) for (const name of targetNames) await make(program, name);
  // Two runs may end at the same time.
  withLock(path.join(root, 'node_modules/.cache/envsnap-checksums.lock'), writeChecksums);
  process.stdout.write(
    `In ${path.relative(process.cwd(), output) || '.'}: ${readdirSync(output).join(', ')}\n`,
  );
} catch (error) {
  process.stderr.write(`executables: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
