// The only access to the machine: processes, files, environment, clock. Node.js implements it, in tests a fake; collectors
// see it as a `CapturedMachine`.

import type { Weight } from './process-slots.ts';

/** One entry of a folder, as `readdir` gives it without following symbolic links. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** The result of `stat` for a file (symbolic links followed). */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'other';
  readonly sizeBytes: number;
  /** Modification time in milliseconds since the epoch, with fractions where the file system has them. */
  readonly modifiedMs: number;
  /** Time of the last change to the file or its attributes (`ctime`), in the same unit. */
  readonly changedMs: number;
  /** Any execute bit set (POSIX); on Windows, judged by the extension. */
  readonly executable: boolean;
  /** User id of the owner (POSIX). */
  readonly ownerId?: number;
}

/** The result of `lstat` for an entry itself, links not followed. */
export interface LinkStatus extends Omit<FileStatus, 'kind'> {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** Range of bytes in a file. Default: all. */
export interface FilePart {
  readonly offset?: number;
  readonly length?: number;
}

/** How a process is run by {@link System.execute}. No shell is ever started. */
export interface ExecuteOptions {
  /** Milliseconds until the whole process group is killed. Default 3000. */
  readonly timeoutMs?: number;
  /** Bytes of standard output and of standard error kept; more than that kills the process. Default 65536. */
  readonly maxOutputBytes?: number;
  /** Working folder. Default: a folder of the operating system in which nobody can create files, never the project. */
  readonly cwd?: string;
  /** The whole environment that `env` changes. Default: the machine's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Variables added to (or, with `undefined`, removed from) the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How it waits if a capture limits how many run at once. Default `urgent`. */
  readonly weight?: Weight;
}

/** How a process ended. */
export interface ExecuteResult {
  readonly outcome: 'exited' | 'timeout' | 'overflow' | 'failed-to-start';
  /** Exit code, or null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** The operating system's report to a process about itself; a fact that cannot be determined is absent. */
export interface OperatingSystemFacts {
  /** Kernel release, e.g. `6.1.0-18-amd64` (`uname -r`), on Windows the build, e.g. `10.0.22631`. */
  readonly release?: string;
  /** Product name if the kernel knows it, e.g. `Windows 11 Pro`, or the kernel's build line. */
  readonly version?: string;
  /** Hardware name of the kernel, e.g. `x86_64`, `arm64` (`uname -m`). */
  readonly machine?: string;
  readonly cpuModel?: string;
  /** Logical processors that this process may use, by affinity and the limits of its container. */
  readonly cpuCount?: number;
  /** Memory that this process may use: the limit of its container, else all memory. */
  readonly memoryTotalBytes?: number;
}

/** Language and time zone as the JavaScript engine determines them, which takes some 20 ms. */
interface RegionalSettings {
  /** IANA name, e.g. `Europe/Berlin`. */
  readonly timeZone: string;
  /** BCP 47 tag, e.g. `en-US`. */
  readonly locale: string;
}

/** The Node.js that runs this program. */
interface HostRuntime {
  /** Real path of the running binary. */
  readonly execPath: string;
  /** Bare version, e.g. `24.21.0`. */
  readonly nodeVersion: string;
}

/** The hardware as the system's programs report it; undefined if they do not. */
export interface HardwareFacts {
  readonly manufacturer: string | undefined;
  readonly model: string | undefined;
  /** Maker and name of the processor. */
  readonly processor: string | undefined;
  readonly physicalCores: number | undefined;
  /** Graphics cards, each with its driver's version where that can be determined. */
  readonly graphics: readonly string[];
}

/** One limit of a process: a number or `unlimited`, in the unit of the system. */
export interface ResourceLimit {
  readonly soft: number | 'unlimited';
  readonly hard: number | 'unlimited';
}

/** The system's report to this process about itself, for facts that no file has; missing facts are absent. */
export interface ProcessState {
  /** Effective user id (POSIX). */
  readonly userId?: number;
  /** Home folder of the user's account, whatever `HOME` says. */
  readonly accountHome?: string;
  /** File mode creation mask as a number (POSIX). */
  readonly umask?: number;
  /** Versions of this Node.js and its parts (`process.versions`). */
  readonly versions: Readonly<Record<string, string | undefined>>;
  /** Limits of this process by the names of its report, e.g. `open_files`. Slow: a report is made for them. */
  limits(): Readonly<Record<string, ResourceLimit>>;
}

/** The interface to a machine. File methods reject with Node.js's own errors (`code: 'ENOENT'`, …). */
export interface System {
  readonly platform: NodeJS.Platform;
  /** Architecture of this process (`process.arch`). */
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly hostName: string;
  readonly hostRuntime: HostRuntime;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock, with fractions. */
  monotonicMs(): number;
  operatingSystem(): OperatingSystemFacts;
  processState(): ProcessState;
  regionalSettings(): RegionalSettings;
  /** Slow, and through a shell: only where a person asks for it. Rejects if nothing answers. */
  hardware(): Promise<HardwareFacts>;
  /**
   * Content of a regular file, or `length` bytes of it from `offset`, fewer at its end. Devices, pipes and sockets are refused
   * (`code: 'EINVAL'`), never waited for.
   */
  readFile(path: string, part?: FilePart): Promise<Uint8Array>;
  /** Whole content decoded as UTF-8; a byte order mark is dropped, invalid bytes become U+FFFD. */
  readTextFile(path: string): Promise<string>;
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  status(path: string): Promise<FileStatus>;
  realPath(path: string): Promise<string>;
  /** Whether this process may write to a file or folder; nothing is written. */
  isWritable(path: string): Promise<boolean>;
  /** Whether the file system of a path has no space left, or no room for another file. */
  isFull(path: string): Promise<boolean>;
  /** Like {@link System.status}, but of a symbolic link itself. */
  linkStatus(path: string): Promise<LinkStatus>;
  /** The target of a symbolic link as it is written. */
  readLink(path: string): Promise<string>;
  /** Writes through a temporary file and a rename, so that readers see the old or the new content; 0600, folders 0700. */
  writeFileAtomically(path: string, content: string): Promise<void>;
  execute(file: string, args: readonly string[], options?: ExecuteOptions): Promise<ExecuteResult>;
}
