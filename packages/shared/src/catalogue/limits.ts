// The limits of every field, with their units. Plain data, for code that does not load the schemas.

/** Largest and smallest sizes of fields. Lengths are Unicode code points, sizes bytes. docs/specification.md §2, §6. */
export const limits = {
  nameLength: 200,
  descriptionLength: 2000,
  labelLength: 100,
  machineNameLength: 255,
  platformLength: 64,
  variablesPerSnapshot: 10_000,
  runtimesPerSnapshot: 10_000,
  variableNameLength: 1024,
  variableValueBytes: 128 * 1024,
  webhookUrlLength: 2048,
  webhookSecretMinLength: 8,
  webhookSecretMaxLength: 256,
  dependencyFilesPerSnapshot: 1000,
  packagesPerSnapshot: 100_000,
  /** File names of dependencies, repeated for each package, as in the response to a comparison. */
  dependencyKeyLength: 32 * 1024 * 1024,
  runtimeVersionsBytes: 256 * 1024,
  /** A JSON body after decompression; the default for a snapshot, fixed for every other operation. */
  snapshotBodyBytes: 8 * 1024 * 1024,
  bodyBytes: 64 * 1024,
  /** Members of all objects and elements of all lists in a body: each costs more than its bytes. */
  valuesPerBody: 250_000,
  metadataBytes: 256 * 1024,
  metadataDepth: 64,
  /** The policy in a capture. */
  carriedPolicyBytes: 32 * 1024,
  fileNameLength: 255,
  /** Lifetime of a share, in seconds. */
  shareMinSeconds: 300,
  shareMaxSeconds: 2_592_000,
  shareDefaultSeconds: 604_800,
  sharesPerProject: 100,
  /** The page of a share as HTML, in UTF-8. */
  sharePageBytes: 4 * 1024 * 1024,
  pageDefault: 50,
  pageMax: 100,
  liveRequests: 100,
  /**
   * Totals (an endpoint and status in an hour or a day) that a response on usage adds up: half a year by hour, 40 endpoints, 16
   * MiB.
   */
  usageTotals: 200_000,
  recentDeliveries: 20,
  idempotencyKeyLength: 255,
  /** For replays that show a secret. Such a key is too long to guess. */
  openIdempotencyKeyMinLength: 32,
} as const;

/** The end of the message if something is too large: the page with all limits. */
export const seeLimits = '; see /docs/limits';

/** Maximum number of machines, names of runs, and runs of a name in one response. */
export const healthLimits = { machines: 100, names: 100, runs: 30 } as const;
