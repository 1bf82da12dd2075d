// Takes new snapshots in, as they are going to be stored: their maps are JSON. Large ones come through a thread of their own.

import {
  fingerprintKeyOf,
  operations,
  runOutcome,
  type SnapshotContent,
  type StringMap,
} from '@envsnap/shared';
import { fingerprintSnapshotAnew } from '../fingerprints/fingerprint-anew.ts';
import { type ReceivedBody, receiveBody } from '../infra/http/receive-body.ts';
import type { JobTable } from '../infra/jobs/job.ts';
import type { NewSnapshotRow } from './repository.ts';

/** The columns of a new snapshot, its variables not yet encrypted. */
export interface NewSnapshot
  extends Omit<NewSnapshotRow, 'id' | 'project_id' | 'created_at' | 'env_ciphertext'> {
  /** JSON in UTF-8. */
  readonly envVars: Uint8Array;
  /** Which key its fingerprints were made with, as its metadata say. */
  readonly fingerprintKey: string | undefined;
}

/** A fingerprint key that a snapshot is to have its fingerprints by. */
export interface CurrentKey {
  readonly keyId: string;
  readonly key: Uint8Array;
}

/** Takes a body in. Errors: those of `receiveBody`. */
export async function receiveSnapshot(input: {
  readonly sent: unknown;
  readonly withDigest: boolean;
}): Promise<ReceivedBody<NewSnapshot>> {
  const { body, digest } = receiveBody(operations.createSnapshot, input.sent, input.withDigest);
  return { body: toNewSnapshot(body), digest };
}

/** Fingerprints a snapshot anew before it is stored. */
export async function renewFingerprints(input: {
  readonly content: NewSnapshot;
  readonly current: CurrentKey;
}): Promise<NewSnapshot> {
  const { content, current } = input;
  const envVars = JSON.parse(new TextDecoder().decode(content.envVars)) as StringMap;
  const metadata = JSON.parse(content.metadata);
  fingerprintSnapshotAnew({ envVars, metadata }, current.keyId, current.key);
  return { ...content, ...variablesOf(envVars), ...metadataOf(metadata) };
}

/** What the thread of new snapshots does, by name. */
export const intakeJobs = { receiveSnapshot, renewFingerprints } satisfies JobTable<never, never>;
export type IntakeJobs = typeof intakeJobs;

function toNewSnapshot(content: SnapshotContent): NewSnapshot {
  return {
    machine_name: content.machineName,
    os: content.os ?? null,
    arch: content.arch ?? null,
    runtime_versions: JSON.stringify(content.runtimeVersions ?? {}),
    dependencies: JSON.stringify(content.dependencies ?? {}),
    ...variablesOf(content.envVars ?? {}),
    ...metadataOf(content.metadata ?? {}),
  };
}

function variablesOf(envVars: StringMap) {
  return {
    env_names: JSON.stringify(Object.keys(envVars)),
    envVars: new TextEncoder().encode(JSON.stringify(envVars)),
  };
}

function metadataOf(metadata: Record<string, unknown>) {
  const run = runOutcome(metadata);
  return {
    metadata: JSON.stringify(metadata),
    outcome: run?.result ?? null,
    outcome_of: run?.of ?? null,
    fingerprintKey: fingerprintKeyOf(metadata),
  };
}
