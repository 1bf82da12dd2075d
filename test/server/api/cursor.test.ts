// Pages that continue where the previous one ended, on lists of snapshots and of files.

import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  describe('the cursor of a list', () => {
    async function store(service: TestService, key: string, count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const body = { machineName: index % 2 === 0 ? 'even' : 'odd' };
        ids.unshift((await service.send(key, 'POST', '/machine/snapshots', body)).body.id);
      }
      return ids;
    }
    const list = async (service: TestService, key: string, query: string) =>
      service.send(key, 'GET', `/machine/snapshots?${query}`);
    const idsOf = (answer: { body: { snapshots: { id: string }[] } }) =>
      answer.body.snapshots.map(({ id }) => id);

    it('skips nothing and repeats nothing when entries come and go between two pages', async () => {
      const { service, key } = await startProject(openDatabase);
      const ids = await store(service, key, 6);
      const first = await list(service, key, 'limit=2');
      expect(idsOf(first)).toEqual(ids.slice(0, 2));
      // The page's last entry is deleted, and another is added in front.
      await service.send(key, 'DELETE', `/machine/snapshots/${ids[1]}`);
      const [added] = await store(service, key, 1);
      expect(added).toBeDefined();
      const second = await list(service, key, `limit=2&after=${first.body.next}`);
      expect(idsOf(second)).toEqual(ids.slice(2, 4));
      const last = await list(service, key, `limit=2&after=${second.body.next}`);
      expect(idsOf(last)).toEqual(ids.slice(4, 6));
      expect(last.body.next).toBeNull();
    });

    it('takes the id of an entry that is there, in any letter case, and keeps filters', async () => {
      const { service, key } = await startProject(openDatabase);
      const ids = await store(service, key, 5);
      expect(idsOf(await list(service, key, `after=${ids[2]?.toUpperCase()}`))).toEqual(ids.slice(3));
      const even = await list(service, key, `machineName=even&limit=1&after=${ids[1]}`);
      expect(idsOf(even)).toEqual([ids[2]]);
      expect(even.body.total).toBe(3);
    });

    it('is refused when it names nothing: 400 with the field', async () => {
      const { service, key } = await startProject(openDatabase);
      for (const after of ['x', '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77', '']) {
        const { status, body } = await list(service, key, `after=${after}`);
        expect({ after, status, path: body.details[0].path }).toEqual({ after, status: 400, path: 'after' });
      }
      const other = await service.bootstrap();
      const [foreign] = await store(service, other.apiKey, 1);
      expect((await list(service, key, `after=${foreign}`)).status).toBe(400);
    });

    it('walks files too', async () => {
      const { service, key } = await startProject(openDatabase);
      const names = ['a', 'b', 'c'];
      for (const name of names) {
        const form = new FormData();
        form.set('file', new Blob([name]), name);
        await fetch(`${service.url}/machine/files`, {
          method: 'POST',
          headers: { 'x-api-key': key },
          body: form,
        });
      }
      const seen: string[] = [];
      for (let after = ''; ; ) {
        const { body } = await service.send(key, 'GET', `/machine/files?limit=1${after}`);
        seen.push(...body.files.map(({ filename }: { filename: string }) => filename));
        if (body.next === null) break;
        after = `&after=${body.next}`;
      }
      expect(seen).toEqual(['c', 'b', 'a']);
    });
  });

  describe('the lists of keys, members and webhooks', () => {
    it('are whole unless a part is asked for', async () => {
      const { service, key, projectId } = await startProject(openDatabase);
      for (const label of ['a', 'b', 'c']) await service.send(key, 'POST', '/machine/keys', { label });
      for (const [path, name, total] of [
        ['/machine/keys', 'keys', 4],
        [`/machine/team/${projectId}/members`, 'members', 4],
        ['/machine/webhooks', 'webhooks', 0],
      ] as const) {
        const whole = (await service.send(key, 'GET', path)).body;
        expect({ ...whole, [name]: whole[name].length }).toEqual({
          [name]: total,
          total,
          limit: null,
          offset: 0,
        });
        const part = (await service.send(key, 'GET', `${path}?limit=2&offset=1`)).body;
        expect(part).toEqual({ [name]: whole[name].slice(1, 3), total, limit: 2, offset: 1 });
        expect((await service.send(key, 'GET', `${path}?limit=0`)).status).toBe(400);
      }
    });
  });
});
