// Owns the index of the audit log for what one actor did of one kind.

import type { Migration } from '../migration.ts';

/** Adds the index: without it, a rare pair of action and actor is looked for among all entries of one of them. */
export const auditOfActorMigration: Migration = {
  name: '0260_audit_of_actor',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder.alterTable('audit_log', (table) => {
        table.index(['project_id', 'action', 'actor', 'created_at', 'id'], 'audit_log_of_actor');
      }),
    );
  },
};
