// Owns the columns that say how a snapshot's run ended, which its metadata hold too.

import type { Executor } from '../database.ts';
import type { Migration } from '../migration.ts';

/** Snapshots that are read at once; each may hold 256 KiB of metadata. */
const pageSize = 100;

/** Adds the outcome of runs to snapshots, for filters and diagnoses. */
export const outcomesMigration: Migration = {
  name: '0007_outcomes',
  up: async ({ schema, sql, executor }) => {
    await schema((builder) =>
      builder.alterTable('snapshots', (table) => {
        table.text('outcome');
        table.text('outcome_of');
      }),
    );
    await fillIn(executor);
    // Most snapshots have no outcome, so the index holds only those that do.
    await sql(
      'create index snapshots_outcome on snapshots (project_id, created_at, id) where outcome is not null',
    );
  },
};

/** Snapshots that somebody gave an outcome before there was a flag for it. */
async function fillIn(executor: Executor): Promise<void> {
  const { builder } = executor.dialect;
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await executor.all<{ id: string; metadata: string }>(
      builder('snapshots')
        .select('id', 'metadata')
        .where('id', '>', last)
        .whereLike('metadata', '%"outcome":"%')
        .orderBy('id')
        .limit(pageSize),
    );
    for (const { id, metadata } of rows) {
      const { outcome, outcomeOf } = JSON.parse(metadata) as { outcome?: unknown; outcomeOf?: unknown };
      if (outcome !== 'passed' && outcome !== 'failed') continue;
      await executor.run(
        builder('snapshots')
          .where('id', id)
          .update({ outcome, outcome_of: typeof outcomeOf === 'string' ? outcomeOf : null }),
      );
    }
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) return;
    last = end.id;
  }
}
