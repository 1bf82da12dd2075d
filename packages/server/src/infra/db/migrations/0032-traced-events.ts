// Owns the column that names the trace of an event.

import type { Migration } from '../migration.ts';

/** Lets a delivery continue the trace of the request that caused it, however much later it is made. */
export const tracedEventsMigration: Migration = {
  name: '0032_traced_events',
  up: async ({ schema }) => {
    await schema((builder) => builder.alterTable('outbox_events', (table) => table.text('traceparent')));
  },
};
