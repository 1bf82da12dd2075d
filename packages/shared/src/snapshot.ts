// Snapshots: what a capture holds, and the operations on it. docs/specification.md §2, §4.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';
import { jsonObject, nestedStringMap, stringMap } from './string-map.ts';

const runtimeVersions = stringMap({
  valueName: 'version',
  entriesName: 'runtimes',
  maxEntries: p.limits.runtimesPerSnapshot,
  totalBytes: p.limits.runtimeVersionsBytes,
});
const dependencies = nestedStringMap(
  { valueName: 'version', entriesName: 'packages', keyLength: [0, 4096] },
  {
    maxMaps: p.limits.dependencyFilesPerSnapshot,
    maxEntries: p.limits.packagesPerSnapshot,
    maxKeyLength: p.limits.dependencyKeyLength,
  },
);
const envVars = stringMap({
  valueName: 'value',
  entriesName: 'variables',
  keyLength: [1, p.limits.variableNameLength],
  maxEntries: p.limits.variablesPerSnapshot,
  valueBytes: p.limits.variableValueBytes,
});
const metadata = jsonObject(p.limits.metadataBytes);

const machineName = p
  .boundedText(1, p.limits.machineNameLength)
  .regex(/\S/, 'must not be blank')
  .describe('Name of the machine, 1 to 255 characters, not only whitespace.');
const platform = p.boundedText(0, p.limits.platformLength);

export const snapshotContent = p.object('NewSnapshot', {
  machineName,
  os: p.maybe(platform).describe('Operating system: darwin, linux, win32 or any other text.'),
  arch: p.maybe(platform).describe('CPU architecture: arm64, x64 or any other text.'),
  runtimeVersions: p
    .maybe(runtimeVersions)
    .describe('Versions by runtime name: at most 10,000, and at most 256 KiB as JSON.'),
  dependencies: p
    .maybe(dependencies)
    .describe('Versions by dependency file and package: at most 1,000 files and 100,000 packages in total.'),
  envVars: p
    .maybe(envVars)
    .describe(
      'Values by variable name: at most 10,000, each at most 128 KiB in UTF-8. Encrypted before storage.',
    ),
  metadata: p
    .maybe(metadata)
    .describe('Any object of at most 256 KiB as JSON, nested at most 64 levels deep.'),
});
export type SnapshotContent = z.input<typeof snapshotContent>;

export const snapshot = p.object('Snapshot', {
  id: p.uuid.describe('Id of the snapshot.'),
  machineName: p.string('Machine that was captured.'),
  os: p.stringOrNull('Operating system: darwin, linux, win32 or any other text.'),
  arch: p.stringOrNull('CPU architecture: arm64, x64 or any other text.'),
  runtimeVersions: runtimeVersions.describe('Versions by runtime name.'),
  dependencies: dependencies.describe('Versions by dependency file and package.'),
  envVars: envVars.describe('Values by variable name, decrypted for this response.'),
  metadata: metadata.describe('What else the capture recorded: tools, system, facts, git, CI.'),
  createdAt: p.timestamp.describe('When the snapshot was stored.'),
});
export type Snapshot = z.output<typeof snapshot>;

/** A snapshot as a list shows it: without variables and dependencies. */
export const snapshotSummary = p.named(
  'SnapshotSummary',
  snapshot.omit({ envVars: true, dependencies: true }),
);
export type SnapshotSummary = z.output<typeof snapshotSummary>;

export const snapshotOperations = defineOperations('snapshots', {
  createSnapshot: {
    route: 'POST /machine/snapshots',
    summary: 'Store a snapshot',
    access: ['owner', 'admin', 'member'],
    body: snapshotContent,
    response: z.object({
      id: p.uuid.describe('Id of the new snapshot.'),
      machineName: p.string('Machine that was captured.'),
      createdAt: p.timestamp.describe('When the snapshot was stored.'),
    }),
    status: 201,
    answer: 'The snapshot was stored.',
    largeBody: true,
    idempotency: 'plain',
    errors: ['snapshot_quota_exceeded', 'snapshot_storage_quota_exceeded'],
  },

  listSnapshots: {
    route: 'GET /machine/snapshots',
    summary: 'List snapshots, newest first',
    access: 'any',
    query: p.cursorQuery
      .extend({
        machineName: p.machineNameFilter.optional().describe('Only snapshots of this machine.'),
        os: p.text().optional().describe('Only this operating system.'),
        arch: p.text().optional().describe('Only this architecture.'),
        outcome: z
          .enum(['passed', 'failed'])
          .optional()
          .describe('Only snapshots of runs with this result (`metadata.outcome`).'),
        outcomeOf: p
          .text()
          .optional()
          .describe('Only snapshots of runs with this name (`metadata.outcome`).'),
        from: p.queryMoment.optional().describe('Only snapshots created at or after this time.'),
        to: p.queryMoment.optional().describe('Only snapshots created at or before this time.'),
      })
      .refine(p.isForward, { path: ['from'], message: 'must not be after "to"' }),
    response: p.named(
      'PageOfSnapshots',
      p.cursorInfo.extend({ snapshots: p.list(snapshotSummary, 'The entries of this page, newest first.') }),
    ),
    answer: 'A page of snapshots without variables and dependencies.',
  },

  getSnapshot: {
    route: 'GET /machine/snapshots/:id',
    summary: 'Show a snapshot with its variables',
    access: 'any',
    params: p.idParams,
    response: snapshot,
    answer: 'The whole snapshot, with its variables decrypted.',
    etag: true,
    ifMatch: true,
    errors: ['snapshot_not_found'],
  },

  deleteSnapshot: {
    route: 'DELETE /machine/snapshots/:id',
    summary: 'Delete a snapshot',
    access: ['owner', 'admin', 'member'],
    params: p.idParams,
    response: p.success,
    answer: 'The snapshot was deleted.',
    ifMatch: true,
    errors: ['snapshot_not_found'],
  },
});
