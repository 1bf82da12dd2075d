// Owns the quotas of webhooks and keys. They are counted when one is added, under the lock of the project's quotas.

import type { Migration } from '../migration.ts';

/** Adds the quotas; projects that are there get the defaults, even where they hold more already. */
export const moreQuotasMigration: Migration = {
  name: '0003_more_quotas',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder.alterTable('project_quotas', (table) => {
        table.integer('max_webhooks').notNullable().defaultTo(100);
        table.integer('max_api_keys').notNullable().defaultTo(1000);
      }),
    );
  },
};
