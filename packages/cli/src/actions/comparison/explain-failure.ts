// Checks claims in a failure's output on this machine: who listens on a port, which command or file is missing, how
// full a disk is. Stores nothing.

import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Claim, commandFor, type Failure } from '@envsnap/compare/workspace';
import { size } from '@envsnap/shared/text/size';
import { gitPathWord } from '@envsnap/shared/text/visible';
import { findOnPath, isExecutable, programFolders, textOfFile } from '../../runs/find-program.ts';

const run = promisify(execFile);
const mostClaims = 8;
/** Maximum number of processes whose open files are searched to find the one that listens. */
const mostProcesses = 4_000;
const timeoutMs = 2_000;
/** A disk is full if less than this share is free, or no file can be created. */
const fullShare = 0.01;

/** A reason for a failure that was found on this machine. */
export interface Explanation {
  readonly sentence: string;
  /** The file that is missing, relative to the folder; for a file of a package, the package's folder. */
  readonly file?: string;
  /** The variable that is not set. `isPossible`: the output does not say that the name is one of a variable. */
  readonly variable?: string;
  readonly isPossible?: boolean;
}

/** Explanations of the failure; none if there is none. `folder` is where the command ran. */
export async function explainFailure({ claims }: Failure, folder: string): Promise<Explanation[]> {
  const found = await Promise.all(claims.slice(-mostClaims).map((claim) => explain(claim, folder)));
  const explanations = found
    .filter((one) => one !== undefined)
    .map((one) => (typeof one === 'string' ? { sentence: one } : one));
  return [...new Map(explanations.map((one) => [one.sentence, one])).values()];
}

async function explain(claim: Claim, folder: string): Promise<string | Explanation | undefined> {
  switch (claim.kind) {
    case 'port in use': {
      const { port } = claim;
      const listener = await listenerOn(port);
      if (listener === undefined) return undefined;
      return listener === 'nobody'
        ? `Port ${port} was in use; nothing listens on it now, so run the command again.`
        : `Port ${port} is in use: ${listener} listens on it. Stop it, or use another port.`;
    }
    case 'connection refused': {
      const { host, port } = claim;
      const services = composeFiles.find((file) => existsSync(path.join(folder, file)));
      if (port === null)
        return (
          services && `A connection was refused. If a service of ${services} is down: docker compose up -d.`
        );
      const listener = await listenerOn(port);
      if (listener === undefined) return undefined;
      return listener === 'nobody'
        ? `Nothing listens on port ${port} of this machine: start the program that should listen there${services ? ` (docker compose up -d starts the services of ${services})` : ''}.`
        : `${listener.startsWith('a ') ? `A${listener.slice(1)}` : listener} listens on port ${port} of this machine but does not respond at ${host}: check which address it listens on.`;
    }
    case 'missing command': {
      const { name } = claim;
      if (findOnPath(name) !== undefined) return undefined;
      const local = [...programFolders, 'bin'].find((place) => isExecutable(path.join(folder, place, name)));
      return local === undefined
        ? `${name} is not installed here, or its folder is not on PATH.`
        : `${name} is in ${local}, which is not on PATH.`;
    }
    case 'unset variable':
      return unsetVariable(claim.name, claim.isPossible, folder);
    case 'no space':
      return fullDisk(claim.path, folder);
    case 'not writable':
      return notWritable(path.resolve(folder, claim.path));
    case 'missing library':
      return missingLibrary(claim.name);
    case 'missing file':
      return missingFile(claim.path, folder);
  }
}

/** The files that `docker compose` looks for. */
const composeFiles = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const dotenvFiles = ['.env', '.env.local', '.env.development', '.env.test'];

function unsetVariable(name: string, isPossible: boolean, folder: string): Explanation | undefined {
  const isSet = process.env[name] || dotenvFiles.some((file) => valuesIn(path.join(folder, file))[name]);
  if (isSet) return undefined;
  const sentence = isPossible
    ? `The program did not find the key ${name}. If ${name} is a variable, set it: it is not set here.`
    : `${name} is not set here, and the output names it: set ${name}.`;
  return { sentence, variable: name, isPossible };
}

/** The values in a dotenv file or a sample of one; none if it cannot be read. */
export function valuesIn(file: string): Readonly<Record<string, string | undefined>> {
  return process.getBuiltinModule('node:util').parseEnv(textOfFile(file));
}

/** Who listens on a TCP port; `nobody` if no process does, undefined if unknown. */
async function listenerOn(port: number): Promise<string | undefined> {
  if (process.platform === 'linux') return listenerOnLinux(port);
  if (process.platform !== 'darwin') return undefined;
  try {
    const { stdout } = await run('/usr/sbin/lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      timeout: timeoutMs,
    });
    return programText(/^p(\d+)/m.exec(stdout)?.[1], /^c(.+)/m.exec(stdout)?.[1]);
  } catch (error) {
    // It exits with 1 if it finds none.
    return (error as { code?: unknown }).code === 1 ? 'nobody' : undefined;
  }
}

function listenerOnLinux(port: number): string | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(textOfFile);
  if (tables.every((table) => table === '')) return undefined;
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set(
    tables.flatMap((table) =>
      table.split('\n').flatMap((line) => {
        const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
        return state === listening && local?.endsWith(`:${hex}`) ? [`socket:[${inode}]`] : [];
      }),
    ),
  );
  if (inodes.size === 0) return 'nobody';
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const holder = processes.slice(0, mostProcesses).find((pid) => holdsOne(pid, inodes));
  return programText(holder, holder && textOfFile(`/proc/${holder}/comm`).trim());
}
const listening = '0A';

function holdsOne(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((file) => inodes.has(linkOf(`/proc/${pid}/fd/${file}`)));
  } catch {
    // The process belongs to another account.
    return false;
  }
}

function programText(pid: string | undefined, name: string | undefined): string {
  return pid === undefined ? 'a program of another account or container' : `${name} (process ${pid})`;
}

function fullDisk(named: string | null, folder: string): string | undefined {
  for (const place of named === null ? [folder, tmpdir()] : [nearest(named)]) {
    try {
      const { bsize, blocks, bavail, files, ffree } = statfsSync(place);
      if (files > 0 && ffree === 0) return `The disk of ${place} has no room for more files: delete some.`;
      if (blocks > 0 && bavail < blocks * fullShare)
        return `The disk of ${place} is full: ${size(bavail * bsize)} of ${size(blocks * bsize)} are free.`;
    } catch {
      // Nothing is known about a place that cannot be read.
    }
  }
  return undefined;
}

function notWritable(named: string): string | undefined {
  const place = nearest(named);
  try {
    accessSync(place, constants.W_OK);
    return undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EROFS')
      return `${path.dirname(named)} is on a file system that is mounted read-only: remount it, or write elsewhere.`;
    const { uid } = statSync(place);
    const owner = uid === process.getuid?.() ? 'this account' : uid === 0 ? 'root' : `account ${uid}`;
    return `This account may not write to ${place}, which belongs to ${owner}: change its owner or its permissions.`;
  }
}

function nearest(place: string): string {
  let current = path.resolve(place);
  while (!existsSync(current) && path.dirname(current) !== current) current = path.dirname(current);
  return current;
}

/** The loader's list of libraries also has those of other versions: libssl.so.3 is there if libssl.so.1.1 is not. */
function missingLibrary(name: string): string | undefined {
  const known = new Set<string>(textOfFile('/etc/ld.so.cache').match(/[\w+-]{1,100}\.so(?:\.\d{1,6}){0,4}/g));
  if (known.has(name)) return undefined;
  const stem = name.replace(/\.so.*/, '.so');
  const near = [...known].filter((each) => each.startsWith(stem) && each !== name);
  // Debian's name for the package of a library, unless the package has several.
  const [, base = '', major = ''] = /^(.*?)\.so\.(\d+(?:\.\d+)?)/.exec(name) ?? [];
  const suggested = `${base}${/\d$/.test(base) ? '-' : ''}${major}`.toLowerCase().replaceAll('_', '-');
  const ofDebian = major && existsSync('/var/lib/dpkg/status') ? ` (on Debian probably ${suggested})` : '';
  const other = near.length > 0 ? ` This machine has ${near.slice(0, 3).join(', ')}.` : '';
  return `The library ${name} is not in any folder where programs look for libraries: install the package that provides it${ofDebian}.${other}`;
}

async function missingFile(named: string, folder: string): Promise<Explanation | undefined> {
  const place = path.resolve(folder, named);
  const inside = path.relative(folder, place);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return undefined;
  if (existsSync(place)) return undefined;
  const parts = inside.split(/[\\/]/);
  const modules = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'));
  const end = modules + (parts[modules + 1]?.startsWith('@') ? 3 : 2);
  const owner = parts.slice(0, end).join('/');
  if (modules >= 0 && parts.length > end && existsSync(path.join(folder, owner)))
    return {
      sentence: `${owner} is installed without ${parts.slice(end).join('/')}: ${reinstall(folder)}.`,
      file: owner,
    };
  // A missing package is reported as a difference.
  if (/(?:^|[\\/])(?:node_modules|site-packages|vendor)[\\/]/.test(inside)) return undefined;
  const sentence = await whyMissing(inside, folder);
  return sentence === undefined ? undefined : { sentence, file: parts.join('/') };
}

async function whyMissing(inside: string, folder: string): Promise<string | undefined> {
  const isIgnored = await answersYes(folder, ['check-ignore', '--no-index', '-q', '--', inside]);
  if (isIgnored)
    return `${inside} is not in this folder, and git ignores it, so no clone has it: build or create it, or copy it from a machine where it works.`;
  const isTracked = await answersYes(folder, ['ls-files', '--error-unmatch', '--', inside]);
  if (isTracked)
    return `${inside} is in git but not in this folder. To restore it: git checkout -- ${gitPathWord(inside)}`;
  return existsSync(path.dirname(path.join(folder, inside))) && path.dirname(inside) !== '.'
    ? `${inside} is not in this folder.`
    : undefined;
}

function reinstall(folder: string): string {
  const lockFile = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'].find((file) =>
    existsSync(path.join(folder, file)),
  );
  return (lockFile && commandFor(lockFile)) ?? 'remove that folder, and install the packages again';
}

/** git's result, from its exit code. Neither a relative folder on PATH nor git's settings can start a program of the folder. */
async function answersYes(folder: string, words: readonly string[]): Promise<boolean> {
  const git = findOnPath('git');
  if (git === undefined) return false;
  try {
    await run(git, ['-c', 'core.fsmonitor=false', ...words], { cwd: folder, timeout: timeoutMs });
    return true;
  } catch {
    return false;
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
