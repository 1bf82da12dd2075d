// The limits of a project that an operator can set. Plain data, for the flags and what they do.

/** Limits that can be set: the flag's name, its column, its least and its largest value. */
export const quotaLimits = {
  maxSnapshots: { flag: '--max-snapshots', column: 'max_snapshots', max: 2_000_000_000 },
  maxRuns: { flag: '--max-runs', column: 'max_runs', max: 2_000_000_000 },
  maxSnapshotBytes: {
    flag: '--max-snapshot-bytes',
    column: 'max_snapshot_bytes',
    max: Number.MAX_SAFE_INTEGER,
  },
  maxFiles: { flag: '--max-files', column: 'max_files', max: 2_000_000_000 },
  maxStorageBytes: { flag: '--max-storage-bytes', column: 'max_storage_bytes', max: Number.MAX_SAFE_INTEGER },
  maxWebhooks: { flag: '--max-webhooks', column: 'max_webhooks', max: 2_000_000_000 },
  maxApiKeys: { flag: '--max-api-keys', column: 'max_api_keys', max: 2_000_000_000 },
  requestsPerMinute: { flag: '--requests-per-minute', column: 'max_requests_per_minute', max: 2_000_000_000 },
  requestsPerDay: { flag: '--requests-per-day', column: 'max_requests_per_day', max: 2_000_000_000 },
} as const;
