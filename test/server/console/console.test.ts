import { randomUUID } from 'node:crypto';
import { consoleForms } from '@envsnap/console';
import { describe, expect, it } from 'vitest';
import { createProjectPages } from '../../../packages/server/src/console/project-pages.ts';
import { createSnapshotPages } from '../../../packages/server/src/console/snapshot-pages.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startService, type TestService } from '../../support/service.ts';
import { words } from '../../support/words.ts';

/** A minimal browser: it keeps cookies, and follows no redirect. */
function browser(service: TestService, defaults: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, fields?: Record<string, string>, headers = {}) => {
    const answer = await fetch(`${service.url}/console/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...defaults,
        ...headers,
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: answer.status,
      headers: answer.headers,
      location: answer.headers.get('location'),
      html: await answer.text(),
    };
  };
  return {
    cookies,
    get: (path: string, headers = {}) => send('GET', path, undefined, headers),
    post: (path: string, fields: Record<string, string> = {}, headers = {}) =>
      send('POST', path, fields, headers),
    signIn: (key: string) => send('POST', 'sign-in', { key }),
  };
}

/** Every address of a page, as Express writes them. */
const addresses = [createSnapshotPages, createProjectPages].flatMap((create) =>
  Object.keys(create({} as never).pages),
);

describeEachDatabase((openDatabase) => {
  describe('the console', () => {
    async function start(env: Record<string, string> = {}) {
      const service = await startService(openDatabase, env);
      const project = await service.bootstrap();
      const key = project.apiKey;
      const store = async (machineName: string, node: string, outcome: string) => {
        const body = {
          machineName,
          runtimeVersions: { node },
          envVars: { SECRET: `value-of-${machineName}` },
          metadata: { outcome: { result: outcome, of: 'test' } },
        };
        return String((await service.send(key, 'POST', '/machine/snapshots', body)).body.id);
      };
      const a = await store('works', '22.1.0', 'passed');
      const b = await store('fails', '24.1.0', 'failed');
      const newKey = async (role: string) =>
        (await service.send(key, 'POST', '/machine/keys', { role })).body as {
          apiKey: string;
          apiKeyId: string;
        };
      return { service, project, key, a, b, newKey };
    }

    it('signs in once, shows every page, and signs out', { tags: 'both-databases' }, async () => {
      const { service, key, a, b } = await start();
      const visitor = browser(service);
      expect(await visitor.get('runs')).toMatchObject({ status: 303, location: './sign-in?next=runs' });
      expect((await visitor.get('sign-in?next=runs')).html).toContain('name="key"');
      // A link that signs in as somebody else does not work.
      const swap = { key, next: `sign-in?link=${'x'.repeat(43)}` };
      expect((await browser(service).post('sign-in', swap)).location).toBe('./');
      const signedIn = await visitor.signIn(key);
      expect([signedIn.status, signedIn.location]).toEqual([303, './']);
      expect(signedIn.headers.getSetCookie()[0]).toMatch(
        /^envsnap=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
      );
      const webhook = { url: 'https://example.com/hook', events: ['file.deleted'] };
      const { body } = await service.send(key, 'POST', '/machine/webhooks', webhook);
      const filled: Record<string, string> = {
        'machines/:name': 'machines/works',
        'runs/:id': `runs/${b}`,
        compare: `compare?a=${a}&b=${b}`,
        'snapshots/:id': `snapshots/${a}`,
        'webhooks/:id': `webhooks/${body.id}`,
      };
      const pages = addresses.map((address) => filled[address] ?? address);
      const more = ['history?path=runtimes.node', 'search?q=node', 'why?test=one', `${filled.compare}&all=1`];
      more.push(`webhooks/${body.id}?after=${a}`);
      for (const page of [...pages, ...more]) {
        const { status, headers, html } = await visitor.get(page);
        expect([page, status, html.slice(-8)]).toEqual([page, 200, '</html>\n']);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-security-policy')).not.toContain('unsafe');
        expect([page, html.includes('value-of-')]).toEqual([page, false]);
        // The path to the API's pages, from each address.
        const [, api = ''] = /<a href="([^"]*)">API<\/a>/.exec(html) ?? [];
        expect(new URL(api, `${service.url}/console/${page}`).pathname).toBe('/docs');
      }
      for (const sides of [`a=${a}&b=${b}`, 'a=latest:works&b=latest:fails', 'a=latest:works&b=latest'])
        expect((await visitor.get(`compare?${sides}`)).html).toContain('data-verdict="failed"');
      const missing = await visitor.get(`compare?a=${a}&b=latest:nobody`);
      expect([missing.status, missing.html]).toEqual([404, expect.stringContaining('Go to the start page')]);
      expect((await visitor.get(`compare?a=${a}`)).html).toContain('Choose two snapshots');
      expect((await visitor.get('nowhere')).status).toBe(404);
      const token = visitor.cookies.get('envsnap') as string;
      expect((await visitor.post('sign-out')).location).toBe('./sign-in');
      expect(visitor.cookies.size).toBe(0);
      expect((await visitor.get('runs', { cookie: `envsnap=${token}` })).status).toBe(303);
      expect(service.log()).not.toContain(token);
    });

    it('ends the browser’s earlier session when somebody signs in', async () => {
      const { service, key, newKey } = await start();
      const { apiKey } = await newKey('viewer');
      const visitor = browser(service);
      await visitor.signIn(apiKey);
      const cookie = `envsnap=${visitor.cookies.get('envsnap')}`;
      expect((await browser(service).get('runs', { cookie })).status).toBe(200);
      // A failed sign-in does not end a session.
      await visitor.signIn('nonsense');
      expect((await browser(service).get('runs', { cookie })).status).toBe(200);
      await visitor.signIn(key);
      expect((await browser(service).get('runs', { cookie })).status).toBe(303);
      expect((await visitor.get('runs')).status).toBe(200);
    });

    it('suggests values of machines where one is typed, and filters the audit log by who, what and when', async () => {
      const { service, key, newKey } = await start();
      const { apiKey, apiKeyId } = await newKey('admin');
      await service.send(apiKey, 'POST', '/machine/keys', { label: 'made-by-admin', role: 'viewer' });
      const visitor = browser(service);
      await visitor.signIn(key);
      for (const page of ['history', 'history?path=os', 'matrix'])
        expect((await visitor.get(page)).html).toMatch(/<datalist.*<option value="runtimes\.node">/);
      const rows = async (query: string) =>
        (await visitor.get(`audit?${query}`)).html.match(/<td[^>]*data-column="Action"/g)?.length ?? 0;
      const today = new Date().toISOString().slice(0, 10);
      expect(await rows(`actor=${apiKeyId}&action=key.created&to=${today}`)).toBe(1);
      expect(await rows('actor=operator')).toBe(0);
      expect(await rows('to=2020-01-01')).toBe(0);
      expect((await visitor.get('audit?actor=nobody')).status).toBe(400);
    });

    it('shows the sign-in page once a key is revoked, and a reduced page once it is demoted', async () => {
      const { service, project, key, newKey } = await start();
      const { apiKey, apiKeyId } = await newKey('admin');
      const visitor = browser(service);
      await visitor.signIn(apiKey);
      expect((await visitor.get('audit')).status).toBe(200);
      const { members } = (await service.send(key, 'GET', `/machine/team/${project.projectId}/members`)).body;
      const member = members.find((each: { apiKeyId: string }) => each.apiKeyId === apiKeyId);
      const path = `/machine/team/${project.projectId}/members/${member.id}`;
      await service.send(key, 'PATCH', path, { role: 'viewer' });
      expect((await visitor.get('audit')).status).toBe(403);
      expect((await visitor.post('keys', { label: 'x', role: 'viewer' })).status).toBe(403);
      expect((await visitor.get('keys')).html).not.toContain('action="keys"');
      await service.send(key, 'DELETE', `/machine/keys/${apiKeyId}`);
      expect(await visitor.get('runs')).toMatchObject({ status: 303, location: './sign-in?next=runs' });
    });

    it('shows no page and no form to readers who are not signed in, and takes no form from another site', async () => {
      const { service, key } = await start();
      const [visitor, stranger] = [browser(service), browser(service)];
      await visitor.signIn(key);
      const fill = (address: string) => address.replace(/:\w+/g, randomUUID());
      for (const address of addresses) {
        const { status, location } = await stranger.get(fill(address));
        expect([address, status, location]).toEqual([address, 303, expect.stringMatching(/^[./]+sign-in/)]);
      }
      for (const { action } of Object.values(consoleForms)) {
        const { status } = await visitor.post(fill(action), {}, { 'sec-fetch-site': 'cross-site' });
        expect([action, status]).toEqual([action, 403]);
        if (action === consoleForms.signIn.action) continue;
        const { location } = await stranger.post(fill(action));
        expect([action, location]).toEqual([action, expect.stringMatching(/^[./]+sign-in/)]);
      }
    });

    it('refuses forms of other sites, and what is not a key', async () => {
      const { service, key } = await start();
      const visitor = browser(service);
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: service.url.replace(/\d+$/, '4999') },
        { referer: `${service.url.replace(/\d+$/, '4999')}/page` },
      ]) {
        const { status, html } = await visitor.post('sign-in', { key }, headers);
        expect([headers, status]).toEqual([headers, 403]);
        expect(html).toContain('cross_site_forbidden');
      }
      expect(visitor.cookies.size).toBe(0);
      for (const wrong of ['', 'nonsense', key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
        expect((await visitor.signIn(wrong)).status).toBe(401);
      const unreadable: [body: string, type: string, status: number][] = [
        [`key=${'x'.repeat(17_000)}`, 'application/x-www-form-urlencoded', 413],
        [JSON.stringify({ key }), 'application/json', 401],
      ];
      for (const [body, type, status] of unreadable) {
        const headers = { 'content-type': type, accept: 'text/html' };
        const answer = await fetch(`${service.url}/console/sign-in`, { method: 'POST', headers, body });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          status,
          'text/html; charset=utf-8',
        ]);
      }
      expect((await visitor.post('sign-in', { key }, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
      expect((await visitor.post('sign-out', {}, { origin: service.url })).status).toBe(303);
    });

    it('opens a link once, and lists and ends sessions', async () => {
      const { service, key, newKey } = await start();
      const made = await service.send(key, 'POST', '/machine/console-links', { page: 'keys' });
      expect(made.status).toBe(201);
      const link = String(made.body.url).replace(`${service.url}/console/`, '');
      const lifeMs = Date.parse(made.body.expiresAt) - Date.now();
      // It ends by the database's clock, which may be some milliseconds ahead of this one.
      expect(lifeMs > 50_000 && lifeMs <= 61_000).toBe(true);
      const first = browser(service);
      // Neither a program that previews it, nor a site that links there to sign the visitor in as somebody else.
      await fetch(String(made.body.url), { method: 'HEAD' });
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { referer: 'http://evil.example/page' }])
        expect((await fetch(String(made.body.url), { headers, redirect: 'manual' })).status).toBe(403);
      expect(await first.get(link)).toMatchObject({ status: 303, location: './keys' });
      expect((await browser(service).get(link)).status).toBe(401);
      const late = await service.send(key, 'POST', '/machine/console-links', {});
      const { builder } = service.database.dialect;
      await service.database.run(builder('console_links').decrement('expires_at', 60_000));
      const lateLink = String(late.body.url).replace(`${service.url}/console/`, '');
      expect((await browser(service).get(lateLink)).status).toBe(401);
      for (const page of [
        'sign-in',
        `sign-in?link=${'x'.repeat(43)}`,
        'https://evil.example',
        '//evil.example',
        '/etc',
        'runs\\..',
        '../x',
        'javascript:x',
      ])
        expect((await service.send(key, 'POST', '/machine/console-links', { page })).status).toBe(400);

      const viewer = await newKey('viewer');
      const others = Array.from({ length: 21 }, () => browser(service));
      for (const other of others) await other.signIn(viewer.apiKey);
      expect((await others[0]?.get('runs'))?.status).toBe(303);
      expect((await others[1]?.get('runs'))?.status).toBe(200);
      const ownOnly = (await others[1]?.get('keys'))?.html ?? '';
      expect([...ownOnly.matchAll(/sessions\/[0-9a-f-]{36}\/end/g)]).toHaveLength(20);
      const all = (await first.get('keys')).html;
      const ids = [...all.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)].map(([, id]) => id as string);
      expect(new Set(ids).size).toBe(21);
      const another = ids.find((id) => !ownOnly.includes(id)) as string;
      expect((await others[1]?.post(`sessions/${another}/end`))?.status).toBe(404);
      const theirs = ids.filter((id) => ownOnly.includes(id));
      for (const id of theirs) expect((await first.post(`sessions/${id}/end`)).status).toBe(303);
      expect((await others[20]?.get('runs'))?.status).toBe(303);
      const { entries } = (await service.send(key, 'GET', '/machine/audit?action=session.ended')).body;
      expect(entries).toHaveLength(20);
    });

    it('lists sessions a hundred at a time, and ends one of the oldest', async () => {
      const { service, project, key, newKey } = await start();
      const { apiKeyId } = await newKey('member');
      const nowMs = Date.now();
      const rows = Array.from({ length: 120 }, (_, place) => ({
        id: randomUUID(),
        token_hash: String(place).padStart(64, '0'),
        project_id: project.projectId,
        api_key_id: apiKeyId,
        created_at: nowMs - 3_600_000 - place,
        last_used_at: nowMs,
        expires_at: nowMs + 3_600_000,
      }));
      await service.database.run(service.database.dialect.builder('sessions').insert(rows));
      const visitor = browser(service);
      await visitor.signIn(key);
      const listed = async (query: string) => {
        const { html } = await visitor.get(`keys${query}`);
        expect(html.includes('Older sessions</a> <span class="dim">121 in total')).toBe(query === '');
        return [...html.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)].map(([, id]) => id);
      };
      expect(await listed('')).toHaveLength(100);
      const older = await listed('?offset=100');
      expect(older.sort()).toEqual(
        rows
          .slice(99)
          .map(({ id }) => id)
          .sort(),
      );
      expect((await visitor.post(`sessions/${older[0]}/end`)).status).toBe(303);
      expect(await listed('?offset=100')).toHaveLength(20);
    });

    it('ends a session after 12 hours of silence and after 7 days', async () => {
      const { service, key } = await start();
      const { builder } = service.database.dialect;
      const hour = 3_600_000;
      for (const change of [{ last_used_at: Date.now() - 12 * hour }, { expires_at: Date.now() - 1 }]) {
        const visitor = browser(service);
        await visitor.signIn(key);
        expect((await visitor.get('shares')).status).toBe(200);
        await service.database.run(builder('sessions').update(change));
        expect((await visitor.get('shares')).status).toBe(303);
      }
    });

    it('shows its pages where the last use of a session cannot be written', async () => {
      const { service, key } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const { builder, name } = service.database.dialect;
      await service.database.run(builder('sessions').update({ last_used_at: Date.now() - 120_000 }));
      const refuse =
        name === 'sqlite'
          ? `create trigger full before update on sessions begin select raise(abort, 'full'); end`
          : 'create rule "full" as on update to sessions do instead select 1 / 0';
      await service.database.run(builder.raw(refuse));
      await expect(service.database.run(builder('sessions').update({ last_used_at: 0 }))).rejects.toThrow();
      expect((await visitor.get('shares')).status).toBe(200);
    });

    it('counts against the limits of the key, and signing in against those of the address', async () => {
      const { service, key } = await start({ ENVSNAP_RATE_PER_MINUTE: '12' });
      const visitor = browser(service);
      await visitor.signIn(key);
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1) statuses.push((await visitor.get('shares')).status);
      expect(statuses).toContain(429);
      expect((await service.send(key, 'GET', '/machine/keys/current')).status).toBe(429);
      const tried: number[] = [];
      for (let count = 0; count < 12; count += 1) tried.push((await visitor.signIn('mk_wrong')).status);
      expect([tried[0], tried.at(-1)]).toEqual([401, 429]);
    });

    it('counts redirects and refusals, and responds in JSON to callers that ask for JSON', async () => {
      const { service, key } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));
      const atFirst = remaining(await visitor.get('shares'));
      const answers = [
        await visitor.get('nope'),
        await visitor.get('../console'),
        await visitor.get('../'),
        await visitor.post('sign-out', {}, { 'sec-fetch-site': 'cross-site' }),
        await visitor.post('sign-out', { a: 'x'.repeat(20_000) }),
        await visitor.get('nope', { accept: 'application/json' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 303, 303, 403, 413, 404]);
      expect(answers.map(remaining)).toEqual([1, 2, 3, 4, 5, 6].map((count) => atFirst - count));
      expect(answers[0]?.html).toContain('</html>');
      expect(JSON.parse(answers[5]?.html ?? '')).toMatchObject({ code: 'route_not_found' });
    });

    it('shows values of variables on request only, each of them audited', async () => {
      const { service, key, a } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const entries = async (action: string) =>
        (await service.send(key, 'GET', `/machine/audit?action=${action}`)).body.total;
      const address = `snapshots/${a}`;
      for (let count = 0; count < 2; count += 1)
        expect((await visitor.post(address)).html).toContain('value-of-works');
      expect((await visitor.get(address)).html).not.toContain('value-of-works');
      expect((await visitor.post(`snapshots/${randomUUID()}`)).status).toBe(404);
      expect(await entries('snapshot.variables_read')).toBe(2);

      for (let run = 0; run < 12; run += 1) {
        const result = run % 2 === 0 ? 'passed' : 'failed';
        await service.send(key, 'POST', '/machine/snapshots', {
          machineName: 'runner',
          envVars: { APP_MODE: `mode-of-${result}`, PATH: `/usr/bin:/opt/path-of-${result}` },
          metadata: { capture: { envValues: 'safe' }, outcome: { result, of: 'modes' } },
        });
      }
      const hidden = (await visitor.get('why?of=modes')).html;
      expect(hidden).toMatch(/with the usual APP_MODE\b/);
      expect(hidden).not.toMatch(/(?:mode|path)-of-/);
      expect(await entries('diagnosis.made')).toBe(0);
      for (let count = 0; count < 2; count += 1)
        expect((await visitor.post('why', { of: 'modes' })).html).toMatch(/APP_MODE=mode-of-passed\b/);
      expect((await visitor.post('why', { of: '\0' })).status).toBe(400);
      expect(await entries('diagnosis.made')).toBe(2);
    });

    it('responds to an address that does not exist with a page that says so', async () => {
      const { service, key } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      for (const id of ['zzz', '%00', randomUUID(), randomUUID().slice(1)]) {
        const { status, html } = await visitor.post(`sessions/${id}/end`);
        expect([id, status, html]).toEqual([id, 404, expect.stringContaining('session_not_found')]);
      }
      const pages = words`runs?of=%00 runs?after=%00 compare?a=latest:%00 history?machine=a%00b why?of=%00`;
      for (const page of [
        ...pages,
        'search?offset=%00',
        'keys?offset=%00',
        'matrix?key=%00',
        'audit?action=%00',
      ]) {
        const { status, html } = await visitor.get(page);
        expect([page, status, html]).toEqual([page, 400, expect.stringContaining('validation_failed')]);
      }
      expect((await visitor.get('why?of=long-ago')).html).toContain('<option value="long-ago" selected>');
      expect(service.log()).not.toContain('request failed');
    });

    it('changes what the API changes: keys, members, webhooks, shares, snapshots', async () => {
      const { service, key, a, b } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const made = async (path: string, fields: Record<string, string>) => {
        const { status, location } = await visitor.post(path, fields);
        expect([path, status, location]).toEqual([path, 303, expect.stringMatching(/\?made=[\w-]+$/)]);
        return (await visitor.get(location ?? '')).html;
      };
      expect(await made('keys', { label: 'ci', role: 'viewer', expiresAt: '' })).toMatch(/mk_[0-9a-f]{64}/);
      expect(await made('team', { label: 'Ada', role: 'member' })).toMatch(/mk_[0-9a-f]{64}/);
      const share = await made('shares', { kind: 'comparison', a, b, expiresIn: '86400' });
      const url = /http:\/\/[^"<]*\/share\/[\w-]{43}/.exec(share)?.[0] ?? '';
      expect((await fetch(url)).status).toBe(200);
      const id = /shares\/([0-9a-f-]{36})\/revoke/.exec(share)?.[1];
      expect((await visitor.post(`shares/${id}/revoke`)).location).toBe('../../shares?done=revokeShare');
      expect((await fetch(url)).status).toBe(404);
      expect((await visitor.post(`snapshots/${a}/delete`)).location).toBe('../../?done=deleteSnapshot');
      expect((await service.send(key, 'GET', `/machine/snapshots/${a}`)).status).toBe(404);
      expect((await visitor.get(`snapshots/${a}`)).status).toBe(404);
      expect((await visitor.get('shares?done=revokeShare')).html).toContain('The share was revoked');
    });

    it('gives a refused form back in its page, with what was typed and the problem at its field', async () => {
      const { service, key, a } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const fields = { label: 'nightly', role: 'viewer', expiresAt: '2020-01-01' };
      const { status, html } = await visitor.post('keys', fields);
      expect([status, html.match(/<nav /g)?.length]).toEqual([400, 1]);
      expect(html).toContain('value="nightly"');
      expect(html).toContain('<option value="viewer" selected>');
      expect(html).toMatch(/<input id="createKey-expiresAt"[^>]*aria-invalid="true"[^>]*value="2020-01-01"/);
      expect(html.match(/ aria-invalid="/g)).toHaveLength(1);
      expect(html.match(/Expires on must[^<]*\./g)).toHaveLength(1);
      const hook = await visitor.post('webhooks', { url: 'nonsense', 'events[]': 'file.deleted' });
      expect([hook.status, hook.html.match(/ checked/g)?.length]).toEqual([400, 1]);
      expect(hook.html).toMatch(/Address must[^<]*\./);
      for (const [page, sent, problem] of [
        ['shares', { kind: 'snapshot', snapshotId: a, expiresIn: '1' }, /How long must[\s\S]*<\/main>/],
        [
          'team',
          { label: ' \u200b', role: 'admin' },
          /Name must not be empty\.[\s\S]* value="admin" selected/,
        ],
        ['webhooks', { url: 'nonsense' }, /Address must[\s\S]*Events must not be empty\./],
      ] as const)
        expect(await visitor.post(page, sent)).toMatchObject({
          status: 400,
          html: expect.stringMatching(problem),
        });
      const { keys } = (await service.send(key, 'GET', '/machine/keys')).body;
      expect(keys).toHaveLength(1);
    });

    it('shows a new key at an address that makes nothing, to its maker alone, until it is revoked', async () => {
      const { service, key, newKey } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const { location } = await visitor.post('keys', { label: 'ci', role: 'member' });
      const address = (location ?? '').replace('./', '');
      const shown = /mk_[0-9a-f]{64}/.exec((await visitor.get(address)).html)?.[0];
      expect(shown).toBeDefined();
      expect((await visitor.get(address)).html).toContain(shown);
      expect((await service.send(key, 'GET', '/machine/keys')).body.keys).toHaveLength(2);
      const other = browser(service);
      await other.signIn((await newKey('admin')).apiKey);
      const theirs = await other.get(address);
      expect([theirs.status, theirs.html.includes(shown ?? '')]).toEqual([200, false]);
      expect(theirs.html).toContain('Reloading it created nothing');
      const id = (await service.send(key, 'GET', '/machine/keys')).body.keys.find(
        (each: { label: string }) => each.label === 'ci',
      ).id;
      await visitor.post(`keys/${id}/revoke`);
      const revoked = await visitor.get(address);
      expect([revoked.status, revoked.html.includes(shown ?? '')]).toEqual([200, false]);
    });

    it('says that a session has ended, and gives back what was typed after signing in', async () => {
      const { service, key } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const { builder } = service.database.dialect;
      await service.database.run(builder('sessions').update({ expires_at: Date.now() - 1 }));
      const { location } = await visitor.post('keys', { label: 'nightly', role: 'viewer' });
      expect(location).toBe('./sign-in?next=keys');
      const { html } = await visitor.get('sign-in?next=keys');
      expect(html).toContain('Your session has ended');
      expect((await visitor.post('sign-in', { key, next: 'keys' })).location).toBe('./keys');
      const page = (await visitor.get('keys')).html;
      expect(page).toContain('value="nightly"');
      expect(page).toContain('Nothing has been sent yet');
      expect((await visitor.get('keys')).html).not.toContain('value="nightly"');
      expect((await service.send(key, 'GET', '/machine/keys')).body.keys).toHaveLength(1);
    });

    it('keeps the navigation on errors, and says what to do', async () => {
      const { service, newKey } = await start();
      const visitor = browser(service);
      await visitor.signIn((await newKey('viewer')).apiKey);
      for (const [page, status, advice] of [
        ['nowhere', 404, 'choose a page above'],
        ['audit', 403, 'Ask an owner or admin'],
        [`snapshots/${randomUUID()}`, 404, 'It may have been deleted'],
      ] as const) {
        const answer = await visitor.get(page);
        expect([page, answer.status, answer.html.includes('<nav ')]).toEqual([page, status, true]);
        expect(answer.html).toContain(advice);
      }
      expect((await browser(service).get('nowhere')).html).not.toContain('<nav ');
    });

    it('begins with the health of the project, and explains a run and a machine', async () => {
      const { service, key, a, b } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const first = (await visitor.get('')).html;
      expect(first).toContain('<h1>test fails</h1>');
      const strip = /data-run="test"[\s\S]*?<\/ol>/.exec(first)?.[0] ?? '';
      expect(
        [...strip.matchAll(/data-result="(\w+)" href="([^"]*)"/g)].map((match) => match.slice(1)),
      ).toEqual([
        ['passed', `./runs/${a}`],
        ['failed', `./runs/${b}`],
      ]);
      expect(first).toMatch(/failing since[\s\S]*likeliest: <a [^>]*>node is 22\.1\.0 [^<]*24\.1\.0/);
      expect(first).toContain('data-machine="fails" data-state="steady"');

      const run = (await visitor.get(`runs/${b}`)).html;
      expect(run).toContain('<h1>node is 22.1.0 in the run that passed, 24.1.0 in this run');
      expect(run).toMatch(/data-next[\s\S]*?data-copy="[^"]*22\.1\.0/);
      expect([...run.matchAll(/data-cause="([^"]*)"/g)].map(([, cause]) => cause)[0]).toBe('runtimes:node');
      expect(run).toContain(`href="../runs/${a}">Run before</a>`);
      expect((await visitor.get(`runs/${a}`)).html).toContain(`href="../runs/${b}">Run after</a>`);

      const second = { machineName: 'a/b & c', runtimeVersions: { node: '22.1.0' } };
      const ids: string[] = [];
      for (const node of ['22.1.0', '24.1.0'])
        ids.push(
          (await service.send(key, 'POST', '/machine/snapshots', { ...second, runtimeVersions: { node } }))
            .body.id,
        );
      const address = `machines/${encodeURIComponent('a/b & c')}`;
      const machine = (await visitor.get(address)).html;
      expect([...machine.matchAll(/data-snapshot="([^"]*)"/g)].map(([, id]) => id)).toEqual(ids.reverse());
      expect(machine).toMatch(/1 difference: node is 22\.1\.0 [^<]*24\.1\.0/);
      expect((await visitor.get(`${address}?with=${a}`)).html).toContain(`name="a" value="${a}"`);
      expect((await visitor.get('')).html).toContain('data-machine="a/b &amp; c" data-state="changed"');
      expect((await browser(service).get(address)).location).toBe(
        `../sign-in?next=${encodeURIComponent(address)}`,
      );
      expect((await visitor.get('machines/nobody')).status).toBe(404);
      expect((await visitor.get(`runs/${ids[0]}`)).status).toBe(404);
    });

    it('finds machines, tools, packages and names of variables, and never what a variable holds', async () => {
      const { service, key } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      await service.send(key, 'POST', '/machine/snapshots', {
        machineName: '100%_Runner',
        runtimeVersions: { Terraform: '1.9.5' },
        dependencies: { 'package-lock.json': { zod: '4.0.1' } },
        envVars: { APP_MODE: 'hidden-text' },
      });
      const find = async (q: string) => {
        const { status, html } = await visitor.get(`search?q=${encodeURIComponent(q)}`);
        expect(status).toBe(200);
        return html.slice(html.indexOf('<main'));
      };
      expect(await find('terra')).toMatch(/path=runtimes\.Terraform[\s\S]*1\.9\.5[\s\S]*100%_Runner/);
      expect(await find('ZOD')).toMatch(/package-lock\.json\/zod[\s\S]*4\.0\.1/);
      expect(await find('app_')).toContain('path=env%3AAPP_MODE');
      expect(await find('%_r')).toContain('machines/100%25_Runner');
      for (const q of ['hidden-text', '%%', 'x"y'])
        expect(await find(q)).toContain('Nothing in the newest snapshots');
      expect(await find('')).toContain('href="./machines/works"');
    });

    it('shows and changes settings, lists files, downloads and deletes them', async () => {
      const { service, key, newKey } = await start();
      const visitor = browser(service);
      await visitor.signIn(key);
      const saved = await visitor.post('settings', { name: 'Renamed', description: 'What it is for' });
      expect(saved.location).toBe('./settings?done=updateProject');
      expect((await visitor.get('settings')).html).toMatch(/value="Renamed"[\s\S]*What it is for/);
      const long = await visitor.post('settings', { name: 'n'.repeat(201), description: 'kept' });
      expect([long.status, long.html.includes('>kept</textarea>')]).toEqual([400, true]);
      const blank = await visitor.post('settings', { name: ' ', description: 'kept' });
      expect([blank.status, blank.html.includes('Name must')]).toEqual([400, true]);
      expect((await visitor.post('settings', { name: 'Renamed', description: '' })).status).toBe(303);
      expect((await visitor.get('settings')).html).not.toContain('What it is for');
      const form = new FormData();
      form.append('file', new Blob(['content-of-file']), 'dev.env');
      const uploaded = await fetch(`${service.url}/machine/files`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: form,
      });
      const { id } = (await uploaded.json()) as { id: string };
      expect((await visitor.get('files')).html).toContain(`href="./files/${id}"`);
      const file = await visitor.get(`files/${id}`);
      expect([file.html, file.headers.get('content-disposition')]).toEqual([
        'content-of-file',
        expect.stringContaining('attachment'),
      ]);
      expect((await visitor.post(`files/${id}/delete`)).location).toBe('../../files?done=deleteFile');
      expect((await visitor.get(`files/${id}`)).status).toBe(404);
      const viewer = browser(service);
      await viewer.signIn((await newKey('viewer')).apiKey);
      expect((await viewer.get('settings')).html).not.toContain('<textarea');
      expect((await viewer.post('settings', { name: 'x' })).status).toBe(403);
      expect((await viewer.get('usage')).html).toMatch(/Requests a day[\s\S]*class="bars"/);
    });

    it('keeps its cookie to HTTPS behind a proxy, links under its prefix, and is gone when switched off', async () => {
      const { service, key } = await start({ ENVSNAP_TRUST_PROXY: '127.0.0.1,::1' });
      const forwarded = {
        'x-forwarded-proto': 'https',
        'x-forwarded-prefix': '/tools/envsnap',
        'x-forwarded-for': '192.0.2.1',
      };
      const visitor = browser(service, forwarded);
      const { headers } = await visitor.signIn(key);
      expect(headers.getSetCookie()[0]).toMatch(
        /^__Host-envsnap=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure$/,
      );
      const { html } = await visitor.get('keys');
      expect([...html.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, link]) => link)).toEqual([]);
      const made = await service.request('POST', '/machine/console-links', { key, headers: forwarded });
      expect(made.body.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/tools\/envsnap\/console\/sign-in\?link=/);
      const root = await fetch(`${service.url}/`, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect([root.status, root.headers.get('location')]).toEqual([303, 'console/']);

      const without = await start({ ENVSNAP_CONSOLE: 'off' });
      expect((await browser(without.service).get('')).status).toBe(404);
      const link = await without.service.send(without.key, 'POST', '/machine/console-links');
      expect(link.status).toBe(404);
      const body = { kind: 'snapshot', snapshotId: without.a };
      expect((await without.service.send(without.key, 'POST', '/machine/shares', body)).status).toBe(201);
    });
  });
});
