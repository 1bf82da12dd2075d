// The number of entries of an audit log is right, however many of them one statement counts, and one actor's entries of one
// action are found without reading the rest.
//
// @module-tag both-databases

import { expect, it } from 'vitest';
import {
  type AuditFilter,
  countEntries,
  listEntries,
} from '../../../packages/server/src/audit/repository.ts';
import type { Database, Executor } from '../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../support/databases.ts';

type Query = ReturnType<Database['dialect']['builder']>;

const projectId = '00000000-0000-4000-8000-00000000000a';
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

describeEachDatabase((openDatabase) => {
  it('counts every entry that matches once, also where many have one time', async () => {
    const database = await openDatabase();
    const { builder } = database.dialect;
    await database.run(
      builder('projects').insert({ id: projectId, name: 'p', created_at: 0, updated_at: 0 }),
    );
    const entries = Array.from({ length: 60 }, (_, index) => ({
      id: idOf((index * 37) % 60),
      createdAt: Math.floor(index / 9),
      action: index % 3 === 0 ? 'key.created' : 'project.updated',
    }));
    for (const { id, createdAt, action } of entries) {
      await database.run(
        builder('audit_log').insert({
          id,
          project_id: projectId,
          created_at: createdAt,
          action,
          actor_type: 'server',
          actor: 'server',
          target_type: 'project',
          details: '{}',
        }),
      );
    }
    const filters: Omit<AuditFilter, 'projectId'>[] = [
      {},
      { action: 'key.created' },
      { actor: 'nobody' },
      { fromMs: 2 },
      { fromMs: 1, toMs: 4, action: 'project.updated' },
    ];
    for (const filter of filters) {
      const { action, actor, fromMs = 0, toMs = 100 } = filter;
      const expected = entries.filter(
        (entry) =>
          (action === undefined || entry.action === action) &&
          actor === undefined &&
          entry.createdAt >= fromMs &&
          entry.createdAt <= toMs,
      ).length;
      for (const atOnce of [1, 2, 7, 20, 59, 60, 61, undefined])
        expect(await countEntries(database, { projectId, ...filter }, atOnce)).toBe(expected);
    }
    expect(await countEntries(database, { projectId: null })).toBe(0);
  });

  it('reads only entries that match where both action and actor are asked for', async () => {
    const database = await openDatabase();
    const { builder, name } = database.dialect;
    await database.run(
      builder('projects').insert({ id: projectId, name: 'p', created_at: 0, updated_at: 0 }),
    );
    // 300 entries of each action and of each actor, 30 of both.
    const entries = Array.from({ length: 3000 }, (_, index) => ({
      id: idOf(index),
      project_id: projectId,
      created_at: index,
      action: `action ${index % 10}`,
      actor_type: 'key',
      actor: `actor ${(index + Math.floor(index / 300)) % 10}`,
      target_type: 'project',
      details: '{}',
    }));
    for (let start = 0; start < entries.length; start += 300)
      await database.run(builder('audit_log').insert(entries.slice(start, start + 300)));
    if (name === 'postgresql') await database.run(builder.raw('analyze'));
    const queries: Query[] = [];
    const watched: Executor = Object.create(database, {
      all: { value: (query: Query) => queries.push(query) && database.all(query) },
      get: { value: (query: Query) => queries.push(query) && database.get(query) },
    });
    const after = { createdAt: 2000, id: idOf(2000) };
    const filter = { projectId, action: 'action 1', actor: 'actor 3' };
    await listEntries(watched, { ...filter, toMs: 2500 }, { limit: 10, offset: 0, after });
    await countEntries(watched, { ...filter, fromMs: 100 }, 20);
    const explain = name === 'sqlite' ? 'explain query plan' : 'explain (analyze, format json)';
    for (const query of queries) {
      const plan = JSON.stringify(await database.all(builder.raw(`${explain} ${query.toQuery()}`)));
      expect(plan, query.toQuery()).toContain('audit_log_of_actor');
      expect(plan, query.toQuery()).not.toMatch(/Rows Removed by [\w ]+":[1-9]/);
    }
  });
});
