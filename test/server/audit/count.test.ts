// The number of entries of an audit log is the same, however many of them one statement counts.

import { expect, it } from 'vitest';
import { type AuditFilter, createAuditRepository } from '../../../packages/server/src/audit/repository.ts';
import { describeEachDatabase } from '../../support/databases.ts';

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
          ...{ id, project_id: projectId, created_at: createdAt, action, actor_type: 'server' },
          ...{ actor: 'server', target_type: 'project', details: '{}' },
        }),
      );
    }
    const repository = createAuditRepository(database);
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
        expect(await repository.count({ projectId, ...filter }, atOnce)).toBe(expected);
    }
    expect(await repository.count({ projectId: null })).toBe(0);
  });
});
