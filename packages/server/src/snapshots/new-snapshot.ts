// Prepares new snapshots for storage: maps as JSON. Large ones are prepared in a separate thread.

import { operations, runOutcome, type SnapshotContent } from '@envsnap/shared';
import { type ReceivedBody, receiveBody } from '../infra/http/receive-body.ts';
import type { JobTable } from '../infra/jobs/job.ts';
import type { NewSnapshotRow } from './repository.ts';

export interface NewSnapshot
  extends Omit<NewSnapshotRow, 'id' | 'project_id' | 'created_at' | 'env_ciphertext'> {
  /** JSON in UTF-8. */
  readonly envVars: Uint8Array;
}

export async function receiveSnapshot(input: {
  readonly sent: unknown;
  readonly withDigest: boolean;
}): Promise<ReceivedBody<NewSnapshot>> {
  const { body, ...received } = receiveBody(operations.createSnapshot, input.sent, input.withDigest);
  return { body: toNewSnapshot(body), ...received };
}

export const intakeJobs = { receiveSnapshot } satisfies JobTable<never, never>;
export type IntakeJobs = typeof intakeJobs;

function toNewSnapshot(content: SnapshotContent): NewSnapshot {
  const envVars = content.envVars ?? {};
  const metadata = content.metadata ?? {};
  const run = runOutcome(metadata);
  const variables = new TextEncoder().encode(JSON.stringify(envVars));
  const stored = {
    runtime_versions: JSON.stringify(content.runtimeVersions ?? {}),
    dependencies: JSON.stringify(content.dependencies ?? {}),
    env_names: JSON.stringify(Object.keys(envVars)),
    metadata: JSON.stringify(metadata),
  };
  return {
    ...stored,
    machine_name: content.machineName,
    os: content.os ?? null,
    arch: content.arch ?? null,
    envVars: variables,
    stored_bytes: Object.values(stored).reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      variables.length,
    ),
    outcome: run?.result ?? null,
    outcome_of: run?.of ?? null,
  };
}
