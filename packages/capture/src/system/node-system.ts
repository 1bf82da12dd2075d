// The real machine: `System` on Node.js's own file, process and operating system calls.

import * as fs from 'node:fs';
import * as os from 'node:os';
import { dirname, extname } from 'node:path';
import { executeProcess } from './execute-process.ts';
import { monotonicMs } from './monotonic.ts';
import type {
  DirectoryEntry,
  FilePart,
  FileStatus,
  HardwareFacts,
  LinkStatus,
  OperatingSystemFacts,
  ProcessState,
  ResourceLimit,
  System,
} from './system.ts';

/** The same machine in another environment or with another home folder; a user may have none. */
interface MachineView {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly homeDir?: string;
}

/**
 * The machine this process runs on.
 *
 * File calls are synchronous underneath: for the many small files of a capture this costs a fraction of the thread pool's time,
 * and child processes run meanwhile. Regular files only, so nothing can block forever.
 */
export function createSystem({
  env = process.env,
  homeDir = answerOr(os.homedir, ''),
}: MachineView = {}): System {
  const { platform } = process;
  let facts: OperatingSystemFacts | undefined;
  return {
    platform,
    arch: process.arch,
    env,
    homeDir,
    hostName: os.hostname(),
    hostRuntime: {
      execPath: answerOr(() => fs.realpathSync.native(process.execPath), process.execPath),
      nodeVersion: process.versions.node,
    },
    now: Date.now,
    monotonicMs,
    operatingSystem: () => (facts ??= operatingSystem()),
    processState,
    hardware: readHardware,
    regionalSettings: () => Intl.DateTimeFormat().resolvedOptions(),
    readFile: (path, part) => inTimeSlice(() => readRegularFile(path, part)),
    readTextFile: (path) => inTimeSlice(() => decoder.decode(readRegularFile(path))),
    readDirectory: (path) =>
      inTimeSlice(() =>
        fs
          .readdirSync(path, { withFileTypes: true })
          .map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
      ),
    // The target of a resolved link is never a link itself.
    status: (path) => inTimeSlice(() => toStatus(path, fs.statSync(path)) as FileStatus),
    isFull: (path) =>
      inTimeSlice(() => {
        const { bavail, files, ffree } = fs.statfsSync(path);
        // File systems without a fixed number of files say 0 of both.
        return bavail === 0 || (files > 0 && ffree === 0);
      }),
    isWritable: (path) =>
      inTimeSlice(() => answerOr(() => fs.accessSync(path, fs.constants.W_OK) === undefined, false)),
    linkStatus: (path) => inTimeSlice(() => toStatus(path, fs.lstatSync(path))),
    readLink: (path) => inTimeSlice(() => fs.readlinkSync(path)),
    realPath: (path) => inTimeSlice(() => fs.realpathSync.native(path)),
    writeFileAtomically: async (path, content) => writeAtomically(path, content),
    execute: (file, args, options = {}) => executeProcess(file, args, options, env),
  };

  function toStatus(path: string, stats: fs.Stats): LinkStatus {
    const kind = kindOf(stats);
    const executable =
      platform === 'win32'
        ? windowsExecutableExtensions.has(extname(path).toLowerCase())
        : (stats.mode & 0o111) !== 0;
    const status = {
      kind,
      sizeBytes: stats.size,
      modifiedMs: stats.mtimeMs,
      changedMs: stats.ctimeMs,
      executable: kind === 'file' && executable,
    };
    return platform === 'win32' ? status : { ...status, ownerId: stats.uid };
  }
}

/** How long file calls may follow one another before processes and timers run, in milliseconds. */
const turnMs = 4;
let turnStartedMs = monotonicMs();
/** Calls between two checks of the clock, each of which costs as much as a few calls. */
const callsPerLook = 8;
let callsLeft = callsPerLook;

function inTimeSlice<T>(call: () => T): Promise<T> {
  callsLeft -= 1;
  if (callsLeft > 0) return answer(call);
  callsLeft = callsPerLook;
  return monotonicMs() - turnStartedMs > turnMs ? afterOthers(call) : answer(call);
}

async function afterOthers<T>(call: () => T): Promise<T> {
  await new Promise((resume) => setImmediate(resume));
  turnStartedMs = monotonicMs();
  return answer(call);
}

/** Most errors say that a file is not there; creating their stacks costs more than the call. */
function answer<T>(call: () => T): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return Promise.resolve(call());
  } catch (error) {
    return Promise.reject(error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const decoder = new TextDecoder();

const windowsExecutableExtensions = new Set(['.exe', '.com', '.cmd', '.bat', '.ps1']);

/** The result of a call, or a fallback if it fails. */
function answerOr<T>(call: () => T, otherwise: T): T {
  try {
    return call();
  } catch {
    return otherwise;
  }
}

function kindOf(entry: fs.Dirent | fs.Stats): DirectoryEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

/** Non-blocking open, so that a pipe without a writer returns at once instead of blocking the program. */
const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** Largest file that is read whole, in bytes. A link in a folder may lead to an endless file of /proc. */
const maxWholeBytes = 256 * 1024 * 1024;

function readRegularFile(path: string, { offset = 0, length }: FilePart = {}): Uint8Array {
  const failure = (code: string, what: string) =>
    Object.assign(new Error(`${code}: ${what}, read '${path}'`), { code, path });
  const descriptor = fs.openSync(path, openFlags);
  try {
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile()) throw failure(stats.isDirectory() ? 'EISDIR' : 'EINVAL', 'not a regular file');
    const isWhole = length === undefined;
    const most = length ?? maxWholeBytes + 1;
    // Files of /proc and /sys report a size of 0, so they are read in steps until their end.
    const room = stats.size > 0 ? Math.max(0, Math.min(most, stats.size - offset)) : most;
    const chunks: Buffer[] = [];
    let filled = 0;
    while (filled < room && !(isWhole && stats.size > maxWholeBytes)) {
      const chunk = Buffer.allocUnsafe(Math.min(room - filled, stats.size || 65_536));
      const read = fs.readSync(descriptor, chunk, 0, chunk.length, offset === 0 ? null : offset + filled);
      if (read === 0) break;
      filled += read;
      chunks.push(chunk.subarray(0, read));
    }
    if (isWhole && Math.max(filled, stats.size) > maxWholeBytes) throw failure('EFBIG', 'too large');
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Folder by folder: Node.js's recursive option never ends if a file system refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (fs.existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!fs.existsSync(path)) throw error;
  }
}

let temporaryFileCount = 0;

function writeAtomically(path: string, content: string): void {
  makeFolder(dirname(path));
  temporaryFileCount += 1;
  const temporary = `${path}.${process.pid}.${temporaryFileCount}.tmp`;
  try {
    fs.writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, path);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

function operatingSystem(): OperatingSystemFacts {
  const cpus = os.cpus();
  // In a container, the memory that this process may use: programs size their pools by it.
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
  return {
    release: os.release(),
    version: os.version(),
    machine: os.machine(),
    ...(cpus[0] && { cpuModel: cpus[0].model.trim() }),
    cpuCount: os.availableParallelism(),
    ...(memory > 0 && { memoryTotalBytes: memory }),
  };
}

function processState(): ProcessState {
  // A user may have no entry in the password database.
  const accountHome = answerOr(() => os.userInfo().homedir, undefined);
  return {
    ...(process.geteuid && { userId: process.geteuid() }),
    ...(accountHome !== undefined && { accountHome }),
    ...(process.platform !== 'win32' && { umask: process.umask() }),
    versions: process.versions,
    limits: reportedLimits,
  };
}

function reportedLimits(): Record<string, ResourceLimit> {
  // Otherwise the report looks up the names of every address that this process is connected to.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const report = process.report.getReport() as { userLimits?: Record<string, ResourceLimit> };
  return report.userLimits ?? {};
}

/** Longest wait for all results together, in milliseconds. */
const timeoutMs = 15_000;

/** Facts that can be determined; rejects when the system's programs do not answer in 15 s. No serial numbers. */
async function readHardware(): Promise<HardwareFacts> {
  const { cpu, graphics, system } = (await import('systeminformation')).default;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    const [machine, processor, cards] = await Promise.race([
      Promise.all([system(), cpu(), graphics()]),
      tooLate,
    ]);
    const known = (text: string | undefined) => text?.trim() || undefined;
    return {
      manufacturer: known(machine.manufacturer),
      model: known(machine.model),
      processor: known([processor.manufacturer, processor.brand].filter(Boolean).join(' ')),
      physicalCores: processor.physicalCores || undefined,
      graphics: cards.controllers.map(({ vendor, model, driverVersion }) =>
        [known(vendor), known(model), driverVersion && `(driver ${driverVersion})`].filter(Boolean).join(' '),
      ),
    };
  } finally {
    clearTimeout(timer);
  }
}
