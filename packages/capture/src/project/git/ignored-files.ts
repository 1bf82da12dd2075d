// Files that git ignores, such as local settings, which no clone has: their names, sizes and digests, but not their contents.

import { shortDigest } from '../../facts/fact-reader.ts';
import { sortedRecord } from '../../sorted-record.ts';
import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { isSharedPlace } from '../../system/untrusted-tree.ts';
import { judgeName } from '../../variables/secret-names.ts';
import { absolutePath, type Repository } from './repository.ts';

/** Paths in the work tree that git ignores; the folders were not searched. */
export interface IgnoredPaths {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export interface IgnoredFiles {
  /** Files and unsearched folders, including those that are not named. */
  readonly count: number;
  /** `812 bytes, sha256:…` by path, or `present`. */
  readonly files: Readonly<Record<string, string>>;
}

const most = { files: 200, folders: 50, entries: 20_000, pathLength: 300, digestedBytes: 64 * 1024 };
const entrySteps = 100;

/** Folders with installed, built or cached files; those with a dot belong to tools. */
const madeFolder =
  /^\.|cache|\.egg-info$|^(?:node_modules|bower_components|vendor|pods|deriveddata|target|dist|build|out|bin|obj|lib|libs|logs?|te?mp|coverage|venv|env|__pycache__)$/i;
const madeFile =
  /cache|^\.(?:DS_Store|coverage)$|^Thumbs\.db$|\.(?:log|pid|sock|tmp|swp|bak|pyc|pyo|class|[oa]|so|dll|exe|dylib|jar|tsbuildinfo|map)$|~$/i;
/** Its content may be a short secret, which a digest would let others guess. */
const mayBeSecret =
  /^\.env|^\.(?:npmrc|netrc|pypirc|pgpass|htpasswd|yarnrc)|\.(?:env|pem|key|p12|pfx|jks|keystore|kdbx|tfvars|tfstate)\b|^id_/i;

/** In a folder that git ignores, only the files at its top are read. */
export async function readIgnored(
  machine: CapturedMachine,
  repository: Repository,
  { files, folders }: IgnoredPaths,
): Promise<IgnoredFiles | undefined> {
  // People who keep settings of their home folder in git ignore everything else there.
  if ((await isSharedPlace(machine))(repository.workTree)) return undefined;
  const at = (path: string) => absolutePath({ machine, repository }, path);
  const own = shallowFirst(folders.filter((folder) => !madeFolder.test(nameOf(folder))));
  const found = files.filter((file) => !madeFile.test(nameOf(file)));
  let [looked, seen] = [0, 0];
  for (const folder of own.slice(0, most.folders)) {
    if (seen > most.entries) break;
    const listed = await machine.readDirectory(at(folder)).catch(() => []);
    looked += 1;
    seen += listed.length;
    machine.spend(fileSteps + listed.length * entrySteps);
    // Another repository, or a Python environment.
    if (listed.some(({ name }) => name === '.git' || name === 'pyvenv.cfg')) continue;
    for (const { name, kind } of listed)
      if (kind === 'file' && !madeFile.test(name)) found.push(`${folder}/${name}`);
  }
  const named = shallowFirst(found.filter((path) => path.length <= most.pathLength)).slice(0, most.files);
  const described = await Promise.all(
    named.map(async (path) => [path, await describe(machine, at(path))] as const),
  );
  const count = found.length + own.length - looked;
  return { count, files: sortedRecord(described) };
}

async function describe(machine: CapturedMachine, path: string): Promise<string> {
  const name = machine.files.paths.basename(path);
  machine.spend(fileSteps);
  const status = await machine.status(path).catch(() => undefined);
  if (status?.kind !== 'file' || mayBeSecret.test(name) || judgeName(name)) return 'present';
  const size = `${status.sizeBytes} bytes`;
  if (status.sizeBytes > most.digestedBytes) return size;
  machine.spend(status.sizeBytes);
  const bytes = await machine.readFile(path, { length: most.digestedBytes }).catch(() => undefined);
  return bytes ? `${size}, ${shortDigest(bytes)}` : size;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The deepest files come last, so they are left out first. */
function shallowFirst(paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, depth: path.split('/').length }))
    .sort((a, b) => a.depth - b.depth || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}
