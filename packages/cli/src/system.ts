// The only door to the machine: processes, files, environment, clock. Collectors take a `System`, tests pass a fake.

/** One entry of a folder, as `readdir` tells it without following symbolic links. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** What `stat` tells of a file (symbolic links followed). */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'other';
  readonly sizeBytes: number;
  /** Modification time in milliseconds since the epoch, with fractions where the file system has them. */
  readonly modifiedMs: number;
  /** Any execute bit set (POSIX); on Windows, judged by the extension. */
  readonly executable: boolean;
}

/** How a process is run by {@link System.execute}. No shell is ever started. */
export interface ExecuteOptions {
  /** Milliseconds until the whole process group is killed. Default 3000. */
  readonly timeoutMs?: number;
  /** Bytes of standard output and of standard error kept; more than that kills the process. Default 65536. */
  readonly maxOutputBytes?: number;
  /** Working folder. Default: an empty folder of the operating system's own, never the project. */
  readonly cwd?: string;
  /** Variables added to (or, with `undefined`, removed from) the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a process ended. */
export interface ExecuteResult {
  readonly outcome: 'exited' | 'timeout' | 'overflow' | 'failed-to-start';
  /** Exit code, or null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** The machine as the collectors see it. File methods reject with Node.js's own errors (`code: 'ENOENT'`, …). */
export interface System {
  readonly platform: NodeJS.Platform;
  /** Architecture of this process (`process.arch`). */
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly hostName: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock, with fractions. */
  monotonicMs(): number;
  readFile(path: string): Promise<Uint8Array>;
  readTextFile(path: string): Promise<string>;
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  status(path: string): Promise<FileStatus>;
  realPath(path: string): Promise<string>;
  execute(file: string, args: readonly string[], options?: ExecuteOptions): Promise<ExecuteResult>;
}
