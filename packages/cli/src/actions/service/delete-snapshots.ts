// Which stored snapshots are deleted: those that are named, or those of a machine, an age, and beyond a number. Runs have a
// retention of their own (docs/specification.md §14): they go only when they are named.

import type { EnvSnap } from '@envsnap/sdk';
import { runOutcome } from '@envsnap/shared/run-outcome';
import { CliError } from '../../errors/cli-error.ts';
import { resolveId, snapshotIds } from '../references/resolve-id.ts';
import { parseSpan } from './key-expiry.ts';

/** What may be deleted; at least one of these must be said. */
interface DeletionRequest {
  readonly ids: readonly string[];
  /** `30d`, `12h`, `4w`. */
  readonly olderThan: string | undefined;
  readonly machineName: string | undefined;
  /** How many of the newest of each machine stay. */
  readonly keep: number | undefined;
}

/** The ids to delete, in the order of the list. Exit code 2 when nothing or too much is asked for, 4 for an id that is not there. */
export async function chooseDeletions(
  client: EnvSnap,
  { ids, olderThan, machineName, keep }: DeletionRequest,
): Promise<string[]> {
  const filtered = olderThan !== undefined || machineName !== undefined || keep !== undefined;
  if (ids.length > 0 && filtered)
    throw usage(
      'ids and filters exclude each other',
      'Name snapshots, or use --older-than, --machine and --keep.',
    );
  if (ids.length > 0) {
    const found = new Set<string>();
    for (const id of ids) found.add(await resolveId(id, snapshotIds(client)));
    return [...found];
  }
  if (!filtered)
    throw usage(
      'nothing says which snapshots',
      'Name them, or use --older-than 30d, --machine NAME, --keep 10.',
    );
  const to = olderThan === undefined ? undefined : new Date(Date.now() - ageMs(olderThan)).toISOString();
  const kept = new Map<string, number>();
  const chosen: string[] = [];
  // The newest first: what stays of a machine is counted before the rest comes.
  for await (const { id, machineName: machine, createdAt, metadata } of client.snapshots.iterate({
    machineName,
  })) {
    if (runOutcome(metadata)) continue;
    const count = (kept.get(machine) ?? 0) + 1;
    kept.set(machine, count);
    const isOld = to === undefined || createdAt < to;
    if (isOld && count > (keep ?? 0)) chosen.push(id);
  }
  return chosen;
}

function ageMs(text: string): number {
  const ms = parseSpan(text);
  if (ms !== undefined) return ms;
  throw usage(`--older-than: "${text}" is not an age`, 'Hours, days or weeks: 12h, 30d, 8w.');
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { code: 'usage', hint });
}
