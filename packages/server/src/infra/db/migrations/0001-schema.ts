// Owns the first schema. Times are milliseconds since the epoch, JSON is text, and the rows of a project go with it
// (ON DELETE CASCADE), so that deleting a project is one statement.

import type { Migration } from '../migration.ts';
import { createContent } from './0001-schema/content.ts';
import { createProjects } from './0001-schema/projects.ts';
import { createUsage } from './0001-schema/usage.ts';
import { createWebhooks } from './0001-schema/webhooks.ts';

/** Every table of the service. */
export const schemaMigration: Migration = {
  name: '0001_schema',
  up: async (tools) => {
    await createProjects(tools);
    await createContent(tools);
    await createWebhooks(tools);
    await createUsage(tools);
    for (const table of ['project_quotas', 'machines', 'rate_limit_windows']) {
      for (const statement of tools.executor.dialect.tuneForUpdates(table)) await tools.sql(statement);
    }
  },
};
