// Options, result and progress events of a capture. docs/specification.md §10.

import type { FingerprintKey } from './variables/secret-fingerprint.ts';
import type { CaptureWarning } from './warning.ts';

/** How values of variables are kept: `omit` leaves the variables out altogether. */
export type EnvValues = 'safe' | 'all' | 'none' | 'omit';

export interface CaptureOptions {
  /** Absolute path of the captured folder. */
  readonly folder: string;
  /** The working folder below it, with `/`: its tools count, and the versions that are declared from here up are compared. */
  readonly within?: string | undefined;
  /** Default: the host name. */
  readonly machineName?: string;
  readonly envValues: EnvValues;
  /**
   * Glob patterns (`*`, `?`) of variable names. If there are any, only matching variables are recorded, even those
   * that are left out by default because they always differ.
   */
  readonly envInclude: readonly string[];
  /** Glob patterns of variable names to leave out; they win over `envInclude`. */
  readonly envExclude: readonly string[];
  /** Record the variables of dotenv files too. Default true. */
  readonly dotenv?: boolean;
  /** Record manifests even if a lock file governs them. Default false. */
  readonly manifests: boolean;
  /** Record dependency files below test, fixtures, examples and templates too. Default false. */
  readonly fixtures?: boolean;
  /**
   * When the command that this environment belongs to began, in milliseconds since the epoch. Packages of files that
   * changed later are unknown.
   */
  readonly startedAt?: number;
  /** Also ask the system's programs about the hardware, which is slower and starts a shell. Default false. */
  readonly hardware?: boolean;
  /** How the run in this environment ended: `metadata.outcome`. */
  readonly outcome?: 'passed' | 'failed';
  /** Name of the run: `of` in `metadata.outcome`. Default: the CI job, else `default`. */
  readonly outcomeOf?: string;
  /** Added to the snapshot's metadata. Keys that the capture fills in are ignored, with a warning. */
  readonly metadata: Record<string, unknown>;
  /**
   * Key for the fingerprints of secret values; without it they are written as `[redacted]`. Either the project's (`{
   * id, key }` of `GET /machine/fingerprint-key`, the key in 64 hex digits) or a text of the user's (`{ own }`).
   */
  readonly fingerprintKey?: FingerprintKey;
  /** The environment is that of a process that the user named, so it may have few variables. Default false. */
  readonly ofProcess?: boolean;
  /** Folder of the cache of executables and files; without it nothing is cached. */
  readonly cacheDir?: string;
  /** Version of this program. */
  readonly toolVersion: string;
  /** Id of this program's build, to distinguish builds of one version: a build ignores what another build cached. */
  readonly programId?: string;
  readonly onProgress?: (event: CaptureProgress) => void;
}

/** The parts of a capture that run in parallel. */
export type CapturePart =
  | 'runtimes'
  | 'dependencies'
  | 'variables'
  | 'toolchain'
  | 'system'
  | 'facts'
  | 'installed'
  | 'packages'
  | 'git'
  | 'project';

/** Reported while a capture runs, in the order of events. */
export type CaptureProgress =
  | { readonly kind: 'part-started' | 'part-finished'; readonly part: CapturePart }
  | { readonly kind: 'tool-probed'; readonly tool: string; readonly done: number; readonly total: number }
  /** `count` dependency files have been read so far. */
  | { readonly kind: 'files-read'; readonly count: number };

/** The content of a snapshot, as the service takes it. Keys are sorted. */
export interface CapturedSnapshot {
  readonly machineName: string;
  readonly os: string;
  readonly arch: string;
  readonly runtimeVersions: Record<string, string>;
  readonly dependencies: Record<string, Record<string, string>>;
  readonly envVars: Record<string, string>;
  readonly metadata: Record<string, unknown>;
}

/** Where a version comes from. */
export type VersionSource = 'file' | 'process' | 'cache';

export interface ToolFinding {
  readonly name: string;
  readonly kind: string;
  readonly version: string;
  /** The real tool, behind shims and links, with the home folder as `~`. */
  readonly path: string;
  /** The manager that installed or selects it, e.g. `pyenv`, `homebrew`; absent for the system's own and unknown ones. */
  readonly manager?: string;
  /** The reason for the manager's choice of this version, e.g. `.python-version` or `PYENV_VERSION`. */
  readonly selectedBy?: string;
  readonly source: VersionSource;
}

/** Something on the machine that was left out. */
export interface SkippedItem {
  readonly part: CapturePart;
  readonly name: string;
  readonly reason: string;
}

/** A variable whose value was hidden. */
export interface Redaction {
  readonly name: string;
  /** Why it counts as a secret; never contains any of the value. */
  readonly reason: string;
  readonly replacedBy: 'fingerprint' | 'placeholder';
}

/** A version that the folder declares, and the version that is present. */
export interface DeclaredFinding {
  readonly tool: string;
  /** File of the folder, e.g. `.nvmrc`, `package.json engines`. */
  readonly source: string;
  readonly declared: string;
  readonly present?: string;
  /** Absent when it cannot be determined, as with `lts/*`. */
  readonly satisfied?: boolean;
}

/** Milliseconds, with fractions. */
export interface CaptureTimings {
  readonly totalMs: number;
  readonly parts: Partial<Record<CapturePart, number>>;
  /** Time to read the facts, by group of the catalogue. */
  readonly factGroups: Readonly<Record<string, number>>;
  /** Slowest first: the time of the tool's process, or of reading its files. `source` is `failed` without a version. */
  readonly probes: readonly { name: string; durationMs: number; source: VersionSource | 'failed' }[];
}

/** What was found, hidden and skipped, and how long the capture took. Contains no values of variables. */
export interface CaptureReport {
  readonly tools: readonly ToolFinding[];
  readonly dependencyFiles: readonly { file: string; packages: number }[];
  readonly variables: { readonly taken: number; readonly redactions: readonly Redaction[] };
  readonly declared: readonly DeclaredFinding[];
  /** Lock files whose packages were compared with those on disk. */
  readonly examined: readonly string[];
  readonly skipped: readonly SkippedItem[];
  readonly warnings: readonly CaptureWarning[];
  readonly timings: CaptureTimings;
}

export interface CaptureResult {
  readonly snapshot: CapturedSnapshot;
  readonly report: CaptureReport;
}
