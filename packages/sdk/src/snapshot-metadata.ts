// What a capture writes into the metadata of a snapshot.

/** How the run that an environment belongs to ended. */
export interface SnapshotOutcome {
  result: 'passed' | 'failed';
  /** What the run is called; runs of one name are compared with each other. */
  of: string;
  /** Which attempt at the same job this was, from 1. */
  attempt?: number;
  durationMs?: number;
  tests?: { passed: number; skipped: number; failed: readonly string[]; flaky: readonly string[] };
}

/**
 * Metadata of a snapshot. The named fields are as `envsnap capture` and `@envsnap/capture` write them; whoever stores a
 * snapshot may put anything in their place, and any other field beside them.
 */
export interface SnapshotMetadata {
  /** About the capture itself. */
  capture?: {
    toolVersion: string;
    durationMs: number;
    envValues: 'safe' | 'all' | 'none' | 'omit';
    warnings: { code: string; message: string }[];
  };
  /** The CI provider and job that the capture ran in. */
  ci?: { provider: string; job?: string };
  /** Facts by name: https://github.com/envsnap/envsnap/blob/main/docs/reference/facts.md */
  facts?: { [name: string]: string | number | boolean | string[] };
  /** The git repository of the captured folder. `commit` is absent before the first, `branch` when the head is detached. */
  git?: { commit?: string; branch?: string; dirty?: boolean };
  locale?: string;
  /** Captures of earlier releases hold the result alone. */
  outcome?: SnapshotOutcome | SnapshotOutcome['result'];
  /** The policy of the captured folder, `.envsnap.yaml`, of at most 32 KiB: comparisons of stored snapshots go by that of side B. */
  policy?: { path: string; text: string };
  shell?: { name: string; path: string; version?: string };
  system?: { release?: string; kernel?: string; memoryTotalBytes?: number; [fact: string]: unknown };
  /** IANA name of the time zone. */
  timezone?: string;
  /** Where each tool of `runtimeVersions` is, and what installed or selected it. */
  tools?: { [name: string]: { path: string; manager?: string; selectedBy?: string } };
  [name: string]: unknown;
}
