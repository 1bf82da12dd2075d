// Calls from pages of other origins: none by default, those of the setting otherwise. Fetch standard §3.3.

import { describe, expect, it } from 'vitest';
import { describeEachDatabase, describeOnSqlite } from '../../support/databases.ts';
import { startProject, startService } from '../../support/service.ts';

const origin = 'https://app.example.com';
const preflight = {
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'x-api-key',
};
const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describeOnSqlite((openDatabase) => {
  it('without the setting, no response allows any origin', async () => {
    const service = await startService(openDatabase);
    const preflightResponse = await service.request('OPTIONS', '/machine/snapshots', { headers: preflight });
    expect(preflightResponse.status).toBe(405);
    const read = await service.request('GET', '/health', { headers: { origin } });
    for (const { headers } of [preflightResponse, read]) expect(corsHeaders(headers)).toEqual([]);
  });

  it('pages of the origins in the setting may call, and read responses and errors', async () => {
    const service = await startService(openDatabase, {
      ENVSNAP_CORS_ORIGINS: `http://localhost:3000,${origin}`,
    });
    const preflightResponse = await service.request('OPTIONS', '/machine/snapshots', { headers: preflight });
    expect(preflightResponse.status).toBe(204);
    expect(Object.fromEntries(preflightResponse.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '86400',
      vary: 'Origin',
      'x-request-id': expect.any(String),
      'x-ratelimit-remaining': expect.any(String),
    });
    expect(preflightResponse.headers.has('access-control-allow-credentials')).toBe(false);
    for (const path of ['/health', '/machine/snapshots', '/nowhere']) {
      const { headers } = await service.request('GET', path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('pages of other origins may not, and caches keep the responses apart', async () => {
    const service = await startService(openDatabase, { ENVSNAP_CORS_ORIGINS: origin });
    for (const other of ['https://evil.example', 'null', `${origin}.evil.example`]) {
      const preflightResponse = await service.request('OPTIONS', '/machine/snapshots', {
        headers: { ...preflight, origin: other },
      });
      expect([preflightResponse.status, corsHeaders(preflightResponse.headers)]).toEqual([405, []]);
      const { headers } = await service.request('GET', '/health', { headers: { origin: other } });
      expect(corsHeaders(headers)).toEqual([]);
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('* allows every origin, and preflight requests count against no limit', async () => {
    const service = await startService(openDatabase, {
      ENVSNAP_CORS_ORIGINS: '*',
      ENVSNAP_RATE_PER_MINUTE: '2',
    });
    for (let question = 0; question < 5; question += 1) {
      const { status, headers } = await service.request('OPTIONS', '/machine/keys', { headers: preflight });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
    expect((await service.request('GET', '/machine/keys', { headers: { origin } })).status).toBe(401);
  });
});

// Edge cases for programs: integers that JavaScript cannot hold, and If-Match.

describeEachDatabase((openDatabase) => {
  it('an integer that would come back as another is refused with its path', async () => {
    const { service, key } = await startProject(openDatabase);
    const store = (metadata: string) =>
      service.send(key, 'POST', '/machine/snapshots', `{"machineName":"m","metadata":${metadata}}`);
    const refused = await store('{"build":{"ids":[1,9007199254740993]},"text":"9007199254740993"}');
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.details).toEqual([expect.objectContaining({ path: 'metadata.build.ids.1' })]);
    // A text, a fraction, and what JavaScript writes for the limits of Linux stay as they are.
    const json = '{"text":"9007199254740993","rate":0.1234567890123456789,"max":9223372036854776000}';
    expect((await store(json)).status).toBe(201);
  });

  describe('If-Match', () => {
    it('that does not match is 412 and changes nothing', async () => {
      const { service, key } = await startProject(openDatabase);
      const { id } = (await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' })).body;
      const call = async (method: string, path: string, match: string, body?: object) => {
        const headers = { 'if-match': match, ...(body && { 'content-type': 'application/json' }) };
        const sent = body && JSON.stringify(body);
        const answer = await service.request(method, path, { key, headers, ...(sent && { body: sent }) });
        return [answer.status, answer.body?.code];
      };
      const path = `/machine/snapshots/${id}`;
      const failed = [412, 'precondition_failed'];
      expect(await call('GET', path, '"other"')).toEqual(failed);
      expect(await call('DELETE', path, `W/"${id}"`)).toEqual(failed);
      expect(await call('POST', '/machine/keys', '"other"', { label: 'x' })).toEqual(failed);
      expect((await call('GET', path, '*'))[0]).toBe(200);
      expect((await call('DELETE', path, `"other", "${id}"`))[0]).toBe(200);
    });
  });
});
