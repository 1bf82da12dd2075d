// Owns the mark of webhooks that have been deleted and whose log is still being removed.

import type { Migration } from '../migration.ts';

/** Lets a webhook be gone before its log is (docs/decisions/0102). */
export const deletedWebhooksMigration: Migration = {
  name: '0050_deleted_webhooks',
  up: async ({ schema, sql }) => {
    await schema((builder) => builder.alterTable('webhooks', (table) => table.bigInteger('deleted_at')));
    await sql('create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null');
  },
};
