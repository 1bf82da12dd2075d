import { limits } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/server/src/infra/clock.ts';
import { prune } from '../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  describe('shares', () => {
    async function start(settings: Record<string, string> = {}) {
      const service = await startService(openDatabase, settings);
      const project = await service.bootstrap();
      const key = project.apiKey;
      const store = async (machineName: string, node: string) => {
        const body = {
          machineName,
          runtimeVersions: { node },
          envVars: { TOKEN: `${node}-very-long-value` },
        };
        return String((await service.send(key, 'POST', '/machine/snapshots', body)).body.id);
      };
      const a = await store('works-here', '22.1.0');
      const b = await store('fails-there', '24.1.0');
      const share = (body: object, headers: Record<string, string> = {}) =>
        service.request('POST', '/machine/shares', { key, body, headers });
      return { service, project, key, a, b, share };
    }

    it('refuses a policy that asks for too much work with the packages of the other side', {
      tags: 'release',
    }, async () => {
      // The budget ends it, however slow the machine is.
      const { service, key, a, share } = await start({ ENVSNAP_JOB_SECONDS: '600' });
      const patterns = Array.from({ length: 40 }, (_, place) => `  - "*${'{a,b}'.repeat(9)}*${place}"`);
      const packages = Array.from({ length: 20_000 }, (_, place) => [`package-${place}`, '1']);
      const stored = await service.send(key, 'POST', '/machine/snapshots', {
        machineName: 'hostile',
        dependencies: { 'package-lock.json': Object.fromEntries(packages) },
        metadata: { policy: { path: '.envsnap.yaml', text: ['ignore:', ...patterns].join('\n') } },
      });
      expect(await share({ kind: 'comparison', a, b: stored.body.id })).toMatchObject({
        status: 422,
        body: { code: 'too_much_work', error: expect.stringContaining('matching 40 ignore patterns') },
      });
      expect((await share({ kind: 'snapshot', snapshotId: a })).status).toBe(201);
    });

    it('makes a page that opens without a key, holds no name, and says nothing of its address', async () => {
      const { service, key, a, b, share } = await start();
      const made = await share({ kind: 'comparison', a, b }, { 'accept-encoding': 'identity' });
      expect([made.status, made.status === 201 ? '' : service.log().slice(-1500)]).toEqual([201, '']);
      expect(Object.keys(made.body).sort()).toEqual(['expiresAt', 'id', 'url']);
      const { url, expiresAt } = made.body as { url: string; expiresAt: string };
      const token = url.replace(`${service.url}/share/`, '');
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(Math.round((Date.parse(expiresAt) - Date.now()) / 60_000)).toBe(limits.shareDefaultSeconds / 60);

      const page = await fetch(url);
      const html = await page.text();
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': expect.stringContaining('noindex'),
      });
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(html).toContain('data-verdict="failed"');
      for (const name of ['works-here', 'fails-there', 'very-long-value', token])
        expect(html).not.toContain(name);

      const { entries } = (await service.send(key, 'GET', '/machine/audit')).body;
      expect(entries[0]).toMatchObject({ action: 'share.created', details: { kind: 'comparison' } });
      const { shares, total } = (await service.send(key, 'GET', '/machine/shares')).body;
      expect([shares.length, total]).toEqual([1, 1]);
      expect(shares[0]).toMatchObject({ kind: 'comparison', snapshots: [a, b], expiresAt });
      const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
      const targets = [`SHARE/${token}`, `share/${token}/more`, `share/${encoded}`, `share//${encoded}`];
      for (const end of ['.', ')', '%20', '%zz', 'x']) targets.push(`share/${token}${end}`);
      targets.push(
        `share%2F${token}`,
        `base/share/${token}.`,
        `console/sign-in%3Flink=${token}`,
        `keys/${key}`,
      );
      for (const target of targets)
        await fetch(`${service.url}/${target}`, { headers: { 'x-api-key': key } });
      const { requests } = (await service.send(key, 'GET', '/machine/usage/requests/live')).body;
      expect(requests.length).toBeGreaterThan(targets.length);
      const everything = JSON.stringify([entries, shares, requests]) + service.log();
      expect(everything).toContain('"/share/…"');
      // The encoded token ends like the token itself.
      expect(everything).not.toContain(token.slice(1));
      expect(everything).not.toContain(key);
    });

    it('keeps the page when the snapshot is deleted, and ends it when it is revoked or the project deleted', async () => {
      const { service, project, key, a, share } = await start();
      const first = (await share({ kind: 'snapshot', snapshotId: a, expiresIn: 300 })).body;
      const second = (await share({ kind: 'snapshot', snapshotId: a })).body;
      await service.send(key, 'DELETE', `/machine/snapshots/${a}`);
      expect((await fetch(first.url)).status).toBe(200);
      expect((await service.send(key, 'DELETE', `/machine/shares/${first.id}`)).status).toBe(200);
      const expiredPage = await fetch(first.url, { headers: { accept: 'text/html' } });
      expect([expiredPage.status, expiredPage.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await expiredPage.text()).toContain('</html>');
      expect((await service.send(key, 'DELETE', `/machine/shares/${first.id}`)).status).toBe(404);
      expect((await fetch(second.url)).status).toBe(200);
      await service.send(key, 'DELETE', `/machine/projects/${project.projectId}`);
      const answer = await fetch(second.url);
      expect([answer.status, (await answer.json()).code]).toEqual([404, 'share_not_found']);
    });

    it('ends a page at its time, and removes it', async () => {
      const { service, key, a, share } = await start();
      const { url } = (await share({ kind: 'snapshot', snapshotId: a })).body;
      await service.database.run(
        service.database.dialect.builder('shares').update({ expires_at: Date.now() - 1 }),
      );
      expect((await fetch(url)).status).toBe(404);
      expect((await service.send(key, 'GET', '/machine/shares')).body.shares).toEqual([]);
      const days = { requestLogDays: 90, deliveryLogDays: 30, auditLogDays: 365 };
      expect(await prune(service.database, systemClock, days)).toMatchObject({ expiredShares: 1 });
    });

    it('gives a retry the first response, and refuses a share beyond the limit', async () => {
      const { service, a, share } = await start();
      const first = await share({ kind: 'snapshot', snapshotId: a }, { 'idempotency-key': 'one' });
      const again = await share({ kind: 'snapshot', snapshotId: a }, { 'idempotency-key': 'one' });
      expect(again.body).toEqual(first.body);
      const { builder } = service.database.dialect;
      const [row] = await service.database.all<Record<string, unknown>>(builder('shares').select('*'));
      const id = (place: number) => `019365a4-6f0e-7cc3-9a5a-${String(place).padStart(12, '0')}`;
      for (let place = 1; place < limits.sharesPerProject; place += 1) {
        const copy = { ...row, id: id(place), token_hash: id(place) };
        await service.database.run(builder('shares').insert(copy as never));
      }
      const refused = await share({ kind: 'snapshot', snapshotId: a });
      expect([refused.status, refused.body.code]).toEqual([403, 'share_quota_exceeded']);
    });

    it('gives a retry the first response when the snapshot is gone, but not when the share is', async () => {
      const { service, key, a, b, share } = await start();
      const body = { kind: 'comparison', a, b };
      const headers = { 'idempotency-key': 'one' };
      const first = await share(body, headers);
      await service.send(key, 'DELETE', `/machine/snapshots/${a}`);
      const again = await share(body, headers);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      const other = await share({ ...body, expiresIn: 300 }, headers);
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
      expect((await share(body)).body.code).toBe('snapshot_not_found');
      await service.send(key, 'DELETE', `/machine/shares/${first.body.id}`);
      expect((await share(body, headers)).body.code).toBe('share_not_found');
    });

    it('refuses what is not a share: other fields, a lifetime that is too short or too long, unknown snapshots', async () => {
      const { a, b, share } = await start();
      const refusals = [
        [{ kind: 'snapshot' }, 'snapshotId'],
        [{ kind: 'snapshot', snapshotId: a, a }, 'a'],
        [{ kind: 'comparison', a }, 'b'],
        [{ kind: 'comparison', a, b, snapshotId: a }, 'snapshotId'],
        [{ kind: 'snapshot', snapshotId: a, expiresIn: 299 }, 'expiresIn'],
        [{ kind: 'snapshot', snapshotId: a, expiresIn: 2_592_001 }, 'expiresIn'],
        [{ kind: 'other', snapshotId: a }, 'kind'],
      ] as const;
      for (const [body, path] of refusals) {
        const { status, body: answer } = await share(body);
        expect([status, answer.details[0].path]).toEqual([400, path]);
      }
    });
  });
});
