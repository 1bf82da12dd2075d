// The limits of a project that an operator can set. Plain data, for the flags and their effect.

const mostRows = 2_000_000_000;

const row = (flag: string, label: string, used: string | undefined, max = mostRows, least = 0) => {
  const name = flag.slice(2).replaceAll('-', '_');
  return { flag, label, column: name.startsWith('max_') ? name : `max_${name}`, used, max, least };
};

/** Flag, limit, the column with the usage, the largest and the smallest value. */
export const quotaLimits = [
  row('--max-snapshots', 'snapshots', 'snapshots_used'),
  row('--max-runs', 'runs', 'runs_used', mostRows, 1),
  row('--max-snapshot-bytes', 'snapshots and runs, bytes', 'snapshot_bytes_used', Number.MAX_SAFE_INTEGER),
  row('--max-files', 'files', 'files_used'),
  row('--max-storage-bytes', 'storage, bytes', 'storage_used_bytes', Number.MAX_SAFE_INTEGER),
  row('--max-webhooks', 'webhooks', undefined),
  row('--max-api-keys', 'API keys', undefined),
  row('--requests-per-minute', 'requests a minute', undefined, mostRows, 1),
  row('--requests-per-day', 'requests a day', undefined, mostRows, 1),
];
