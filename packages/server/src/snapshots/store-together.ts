// Stores the snapshots of one moment in one statement, where the database gains by it: those that nothing stands against.
// Whatever the statement passes over, such as a full quota, is decided by the transaction of a creation (service.ts).
// docs/decisions/0141, 0167.

import type { NewStoredAnswer } from '../idempotency/repository.ts';
import type { Database } from '../infra/db/database.ts';
import type { NewEvent } from '../webhooks/outbox.ts';
import { type Creation, storeAndAnnounce, storeQuietly } from './creation-statements.ts';
import type { NewSnapshotRow } from './repository.ts';

/** What a creation's transaction would check and store beside the snapshot. */
export interface CreationClaim {
  readonly apiKeyId: string;
  /** The answer for retries; undefined without an `Idempotency-Key`. */
  readonly answer: NewStoredAnswer | undefined;
  /** Makes the event for webhooks that listen. */
  readonly draftEvent: () => NewEvent;
}

/** Bytes of a snapshot from which it is stored by itself: the snapshots of one statement are sent as one packet. */
const mostBytes = 128 * 1024;
/** How long a project is taken for one where a webhook listens, in milliseconds. */
const listenedMs = 600_000;
/** Projects remembered as such at most. */
const mostListened = 10_000;

/**
 * Stores a snapshot, and the answer for retries, if nothing stands against it. False when nothing was stored.
 * `namedKeyId` is the fingerprint key that the snapshot names. Errors: `database_unavailable`.
 */
export type StoreTogether = (
  row: NewSnapshotRow,
  namedKeyId: string | undefined,
  claim: CreationClaim,
) => Promise<boolean>;

/**
 * Creates what stores snapshots together; undefined where each is better stored by itself. `announced` is called after
 * the commit of an event.
 */
export function createStoreTogether(
  { changeTogether }: Database,
  announced: () => void,
): StoreTogether | undefined {
  if (!changeTogether) return undefined;
  /** Projects where somebody listens, or did, and until when that is believed; only to choose the statement. */
  const listened = new Map<string, number>();

  function remember(projectId: string, nowMs: number): void {
    if (listened.size >= mostListened) listened.clear();
    listened.set(projectId, nowMs + listenedMs);
  }

  return async (row, namedKeyId, { apiKeyId, answer, draftEvent }) => {
    const { project_id: projectId, created_at: nowMs } = row;
    if (bytesOf(row) > mostBytes) return false;
    const creation: Creation = {
      ...row,
      api_key_id: apiKeyId,
      named_key_id: namedKeyId ?? null,
      answered_at: answer?.created_at ?? null,
      scope: answer?.scope ?? null,
      fingerprint: answer?.fingerprint ?? null,
      status_code: answer?.status_code ?? null,
      response: answer?.response ?? null,
      response_encrypted: answer?.response_encrypted ?? null,
      expires_at: answer?.expires_at ?? null,
    };
    if ((listened.get(projectId) ?? 0) <= nowMs) {
      const found = await changeTogether(storeQuietly, creation);
      if (found?.stored !== false) return found?.stored === true;
      remember(projectId, nowMs);
    }
    const event = draftEvent();
    const found = await changeTogether(storeAndAnnounce, {
      ...creation,
      event_id: event.id,
      event_payload: event.payload,
      event_traceparent: event.traceparent,
      event_at: event.nowMs,
    });
    if (found) announced();
    return found !== undefined;
  };
}

function bytesOf(row: NewSnapshotRow): number {
  const { dependencies, env_ciphertext, env_names, metadata, runtime_versions } = row;
  return (
    dependencies.length + env_ciphertext.length + env_names.length + metadata.length + runtime_versions.length
  );
}
