// Owns the column that counts which attempts of a delivery a person asked for.

import type { Migration } from '../migration.ts';

/** Lets the retries go on by their schedule, whatever was sent by hand between them. */
export const redeliveriesMigration: Migration = {
  name: '0280_redeliveries',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder.alterTable('webhook_deliveries', (table) => {
        table.integer('redeliveries').notNullable().defaultTo(0);
      }),
    );
  },
};
