// The list of all migrations, in the order in which they are applied.

import type { Migration } from './migration.ts';
import { schemaMigration } from './migrations/0001-schema.ts';

export const migrations: readonly Migration[] = [schemaMigration];
