// Owns the column of the audit log for the id that a caller gave its request.

import type { Migration } from '../migration.ts';

/** Adds the column; of older entries, `request_id` may be the caller's. */
export const clientRequestIdsMigration: Migration = {
  name: '0210_client_request_ids',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder.alterTable('audit_log', (table) => {
        table.text('client_request_id');
      }),
    );
  },
};
