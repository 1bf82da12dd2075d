// Keys may end by themselves at a time that is set when they are made.

import type { Migration } from '../migration.ts';

/** Adds that time, and whether it has been announced; most keys have none and are not in the index. */
export const keyExpiryMigration: Migration = {
  name: '0215_key_expiry',
  up: async ({ schema, sql }) => {
    await schema((builder) =>
      builder.alterTable('api_keys', (table) => {
        // Milliseconds since the epoch; null for a key that stays until it is revoked.
        table.bigInteger('expires_at');
        // When its end was announced to the webhooks of its project.
        table.bigInteger('expiry_announced_at');
      }),
    );
    await sql('create index api_keys_expiring on api_keys (expires_at) where expiry_announced_at is null');
  },
};
