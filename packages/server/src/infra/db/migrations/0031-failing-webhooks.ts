// Owns the index that finds failing webhooks, for the metrics.

import type { Migration } from '../migration.ts';

/** Adds the index; most webhooks are not in it. */
export const failingWebhooksMigration: Migration = {
  name: '0031_failing_webhooks',
  up: async ({ sql }) => {
    await sql('create index webhooks_failing on webhooks (failing_since) where failing_since is not null');
  },
};
