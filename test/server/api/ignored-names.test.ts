// Names that an operation does not know change nothing, and the response lists them.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Operation, operations } from '../../../packages/shared/src/index.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  describe('names that an operation does not know', () => {
    const ignored = ({ headers }: { readonly headers: Headers }) => headers.get('x-ignored-parameters');

    it('of the query and of the body are listed, also of a large body, and change nothing', async () => {
      const { service, key } = await startProject(openDatabase);
      const plain = await service.send(key, 'POST', '/machine/snapshots?dry=1', {
        machineName: 'm',
        dependencys: { a: { b: '1' } },
        __proto: 1,
      });
      expect([plain.status, ignored(plain)]).toEqual([201, 'dry, dependencys, __proto']);
      const packages = Array.from({ length: 5000 }, (_, index) => [`package-${index}`, '1.0.0']);
      const large = await service.send(key, 'POST', '/machine/snapshots', {
        machineName: 'm',
        dependencies: { lock: Object.fromEntries(packages) },
        machinename: 'n',
      });
      expect([large.status, ignored(large)]).toEqual([201, 'machinename']);
      const listed = await service.send(key, 'GET', '/machine/snapshots?machine=nobody&limit=1&limit=2');
      expect([listed.body.total, ignored(listed)]).toEqual([2, 'machine']);
      const known = await service.send(key, 'GET', '/machine/snapshots?machineName=m');
      expect(ignored(known)).toBeNull();
    });

    it('are listed for an operation without a query, and beside an error', async () => {
      const { service, key } = await startProject(openDatabase);
      const usage = await service.send(key, 'GET', '/machine/usage?period=day');
      expect([usage.status, ignored(usage)]).toEqual([200, 'period']);
      const wrong = await service.send(key, 'GET', '/machine/snapshots?limit=0&machine=m');
      expect([wrong.status, ignored(wrong)]).toEqual([400, 'machine']);
    });

    it('are safe in a header, and at most twenty', async () => {
      const { service, key } = await startProject(openDatabase);
      const names = ['a\r\nSet-Cookie: x', 'Zürich, "x"', '\ud800', 'x'.repeat(10_000)];
      const body = Object.fromEntries([['page', 'runs'], ...names.map((name) => [name, 1])]);
      const answer = await service.send(key, 'POST', '/machine/console-links', body);
      expect(answer.status).toBe(201);
      expect(answer.headers.has('set-cookie')).toBe(false);
      expect(ignored(answer)).toBe(
        ['a%0D%0ASet-Cookie%3A%20x', 'Z%C3%BCrich%2C%20%22x%22', '%EF%BF%BD', 'x'.repeat(64)].join(', '),
      );
      const query = Array.from({ length: 50 }, (_, index) => `p${index}=1`).join('&');
      const many = await service.send(key, 'GET', `/machine/usage?${query}`);
      expect(ignored(many)?.split(', ')).toHaveLength(20);
      const wide = Array.from({ length: 20 }, (_, index) => `${'€'.repeat(64)}${index}`);
      const long = await service.request('POST', '/machine/console-links', {
        key,
        body: gzipSync(JSON.stringify(Object.fromEntries(wide.map((name) => [name.slice(-60), 1])))),
        headers: { 'content-encoding': 'gzip' },
      });
      expect(ignored(long)?.length).toBeLessThanOrEqual(2048);
    });

    it('are refused where a call deletes or changes several things', async () => {
      const { service, key, projectId } = await startProject(openDatabase);
      const several = Object.values(operations).filter((each: Operation) => each.isSweeping);
      expect(several.map(({ name }) => name)).toContain('rotateFingerprintKey');
      for (const { method, path } of several) {
        const refused = await service.send(key, method, `${path.replace(/:\w+/g, projectId)}?dryRun=true`);
        expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'dryRun' }] } });
      }
      expect((await service.send(key, 'DELETE', `/machine/projects/${projectId}`)).status).toBe(200);
    });
  });
});
