// Owns the column that ties a row to its project.

import type { Knex } from 'knex';

/** Adds `project_id`: the row goes with its project. Null for rows of the whole server, where `optional`. */
export function belongsToProject(
  table: Knex.CreateTableBuilder,
  options?: { optional: boolean },
): Knex.ReferencingColumnBuilder {
  const column = table.uuid('project_id').references('id').inTable('projects').onDelete('CASCADE');
  return options?.optional ? column : column.notNullable();
}

/** Adds `api_key_id`: the row goes with its key. */
export function belongsToKey(table: Knex.CreateTableBuilder): Knex.ReferencingColumnBuilder {
  return table.uuid('api_key_id').notNullable().references('id').inTable('api_keys').onDelete('CASCADE');
}
