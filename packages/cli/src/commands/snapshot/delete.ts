// envsnap snapshot delete

import type { EnvSnap } from '@envsnap/sdk';
import { runOutcome } from '@envsnap/shared/run-outcome';
import { counted } from '@envsnap/shared/text/size';
import { integer, string } from '@oclif/core/flags';
import { resolveId, snapshotIds } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';
import { parseSpan } from '../../service-commands/keys-and-members.ts';
import { withProgress } from '../../terminal/progress.ts';

export default class SnapshotDelete extends BaseCommand {
  static override summary = 'Delete stored snapshots by id, age or machine.';
  static override description =
    'You can combine --older-than, --machine and --keep: a snapshot is deleted if all of them select it. ' +
    'These flags never delete runs, which have their own limit. To delete a run, give its id.';
  static override usage = 'snapshot delete [ID…] [FLAGS]';
  static override examples = [
    'envsnap snapshot delete 0193a5c2',
    'envsnap snapshot delete --older-than 30d --keep 5 --yes',
  ];
  static override strict = false;
  static override flags = {
    'older-than': string({ summary: 'Delete snapshots older than this: 12h, 30d, 8w.', helpValue: 'AGE' }),
    machine: string({ summary: 'Delete only snapshots of this machine.', helpValue: 'NAME' }),
    keep: integer({ summary: 'Keep the newest N of each machine.', min: 0, helpValue: 'N' }),
    ...yesFlag,
    ...connectionFlags,
  };

  override async run(): Promise<{ id: string | null; deleted: string | null; ids: string[] }> {
    const { argv, flags } = await this.parse(SnapshotDelete);
    const client = await this.client(flags);
    const ids = await chooseDeletions(client, {
      ids: argv.map(String),
      olderThan: flags['older-than'],
      machineName: flags.machine,
      keep: flags.keep,
    });
    const [only] = ids;
    const what =
      ids.length === 1 && only !== undefined ? `snapshot ${only}` : counted(ids.length, 'snapshot');
    if (ids.length > 0) await this.confirm(`Delete ${what}?`, flags.yes);
    await withProgress(`Deleting ${what}`, async ({ say }) => {
      for (const [place, id] of ids.entries()) {
        await client.snapshots.delete(id);
        say(`Deleted ${place + 1} of ${ids.length}`);
      }
    });
    this.print(ids.length === 0 ? 'No snapshots to delete.' : `Deleted ${what}.`);
    const id = ids.length === 1 ? (only ?? null) : null;
    return { id, deleted: id, ids };
  }
}

interface DeletionRequest {
  readonly ids: readonly string[];
  /** `30d`, `12h`, `4w`. */
  readonly olderThan: string | undefined;
  readonly machineName: string | undefined;
  /** Number of the newest snapshots of each machine to keep. */
  readonly keep: number | undefined;
}

/** The ids to delete, in the order of the list. Exit code 2 if the flags select nothing or too much, 4 for an unknown id. */
async function chooseDeletions(
  client: EnvSnap,
  { ids, olderThan, machineName, keep }: DeletionRequest,
): Promise<string[]> {
  const filtered = olderThan !== undefined || machineName !== undefined || keep !== undefined;
  if (ids.length > 0 && filtered)
    throw usageError(
      'ids and filters cannot be combined',
      'Name snapshots, or use --older-than, --machine and --keep.',
    );
  if (ids.length > 0) {
    const found = new Set<string>();
    for (const id of ids) found.add(await resolveId(id, snapshotIds(client)));
    return [...found];
  }
  if (!filtered)
    throw usageError(
      'no snapshots are selected',
      'Name them, or use --older-than 30d, --machine NAME, --keep 10.',
    );
  const to = olderThan === undefined ? undefined : new Date(Date.now() - ageMs(olderThan)).toISOString();
  const kept = new Map<string, number>();
  const chosen: string[] = [];
  // The newest first, so the ones to keep are counted before the others come.
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
  throw usageError(`--older-than: "${text}" is not an age`, 'Hours, days or weeks: 12h, 30d, 8w.');
}
