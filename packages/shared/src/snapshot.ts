// Snapshots: what a capture holds, and the operations on it. Spec: Snapshots; Decisions §2, §4.

import * as z from 'zod';
import { defineOperation } from './operation.ts';
import {
  idParams,
  limits,
  pageInfo,
  pageQuery,
  queryMoment,
  success,
  text,
  timestamp,
  uuid,
} from './primitives.ts';
import { jsonObject, nestedStringMap, stringMap } from './string-map.ts';

const runtimeVersions = stringMap({ valueName: 'version' });
const dependencies = nestedStringMap(
  { valueName: 'version', keyLength: [0, 4096] },
  limits.dependencyFilesPerSnapshot,
  limits.packagesPerSnapshot,
);
const envVars = stringMap({
  valueName: 'value',
  keyLength: [1, limits.variableNameLength],
  valueBytes: limits.variableValueBytes,
});
const metadata = jsonObject(limits.metadataBytes);

const machineName = text()
  .min(1, 'must not be empty')
  .max(limits.machineNameLength)
  .describe('Identifier of the machine, 1 to 255 characters.');
const platform = text().max(limits.platformLength);

/** What a caller sends to create a snapshot. */
export const snapshotContent = z.object({
  machineName,
  os: platform.nullish().describe('Operating system: darwin, linux, win32 or any other text.'),
  arch: platform.nullish().describe('CPU architecture: arm64, x64 or any other text.'),
  runtimeVersions: runtimeVersions.optional().describe('Runtime name to version.'),
  dependencies: dependencies.optional().describe('Dependency file to package to version.'),
  envVars: envVars.optional().describe('Variable name to value; encrypted before storage.'),
  metadata: metadata.optional().describe('Any object of at most 256 KiB as JSON.'),
});
export type SnapshotContent = z.input<typeof snapshotContent>;

/** A stored snapshot, its variables decrypted. */
export const snapshot = z.object({
  id: uuid,
  machineName: z.string(),
  os: z.string().nullable(),
  arch: z.string().nullable(),
  runtimeVersions,
  dependencies,
  envVars,
  metadata,
  createdAt: timestamp,
});
export type Snapshot = z.output<typeof snapshot>;

/** A snapshot as a list shows it: without variables and dependencies. */
export const snapshotSummary = snapshot.omit({ envVars: true, dependencies: true });
export type SnapshotSummary = z.output<typeof snapshotSummary>;

export const createSnapshot = defineOperation({
  name: 'createSnapshot',
  group: 'snapshots',
  method: 'POST',
  path: '/machine/snapshots',
  summary: 'Store a snapshot',
  access: ['owner', 'admin', 'member'],
  body: snapshotContent,
  response: z.object({ id: uuid, machineName: z.string(), createdAt: timestamp }),
  status: 201,
  idempotency: 'plain',
  errors: ['snapshot_quota_exceeded'],
});

export const listSnapshots = defineOperation({
  name: 'listSnapshots',
  group: 'snapshots',
  method: 'GET',
  path: '/machine/snapshots',
  summary: 'List snapshots, the newest first',
  access: 'any',
  query: pageQuery.extend({
    machineName: text().optional(),
    os: text().optional(),
    arch: text().optional(),
    from: queryMoment.optional().describe('Only snapshots created at or after this moment.'),
    to: queryMoment.optional().describe('Only snapshots created at or before this moment.'),
  }),
  response: pageInfo.extend({ snapshots: z.array(snapshotSummary) }),
  status: 200,
  errors: [],
});

export const getSnapshot = defineOperation({
  name: 'getSnapshot',
  group: 'snapshots',
  method: 'GET',
  path: '/machine/snapshots/:id',
  summary: 'Show a snapshot with its variables',
  access: 'any',
  params: idParams,
  response: snapshot,
  status: 200,
  etag: true,
  errors: ['snapshot_not_found'],
});

export const deleteSnapshot = defineOperation({
  name: 'deleteSnapshot',
  group: 'snapshots',
  method: 'DELETE',
  path: '/machine/snapshots/:id',
  summary: 'Delete a snapshot',
  access: ['owner', 'admin', 'member'],
  params: idParams,
  response: success,
  status: 200,
  errors: ['snapshot_not_found'],
});
