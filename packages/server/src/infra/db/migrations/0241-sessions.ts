// Owns the tables of the console's sessions, and of the links that open one.

import type { Migration } from '../migration.ts';

/** Adds the tables; they begin empty. */
export const sessionsMigration: Migration = {
  name: '0241_sessions',
  up: async ({ schema }) => {
    await schema((builder) =>
      builder
        .createTable('sessions', (table) => {
          table.uuid('id').primary();
          // SHA-256 of what the browser keeps, hex.
          table.text('token_hash').notNullable().unique();
          table.uuid('project_id').notNullable().references('id').inTable('projects').onDelete('CASCADE');
          // A session ends with its key.
          table.uuid('api_key_id').notNullable().references('id').inTable('api_keys').onDelete('CASCADE');
          table.bigInteger('created_at').notNullable();
          // To the minute.
          table.bigInteger('last_used_at').notNullable().index();
          table.bigInteger('expires_at').notNullable().index();
          table.index(['project_id', 'created_at']);
          table.index(['api_key_id', 'created_at']);
        })
        .createTable('console_links', (table) => {
          // SHA-256 of the token in the link, hex.
          table.text('token_hash').primary();
          table
            .uuid('project_id')
            .notNullable()
            .references('id')
            .inTable('projects')
            .onDelete('CASCADE')
            .index();
          table
            .uuid('api_key_id')
            .notNullable()
            .references('id')
            .inTable('api_keys')
            .onDelete('CASCADE')
            .index();
          // Where it leads to, below the console.
          table.text('page').notNullable();
          table.bigInteger('expires_at').notNullable().index();
        }),
    );
  },
};
