import { describe, expect, it } from 'vitest';
import { findSnapshot } from '../../../packages/server/src/snapshots/repository.ts';
import { countLoopTurns } from '../../support/count-loop-turns.ts';
import { describeOnSqlite } from '../../support/databases.ts';
import { startProject, startService, type TestService } from '../../support/service.ts';
import { words } from '../../support/words.ts';

describeOnSqlite((openDatabase) => {
  describe('the open documents', () => {
    it('describe the API for programs and for people, without any other host', async () => {
      const service = await startService(openDatabase);
      const openapi = await service.request('GET', '/openapi.json');
      expect(openapi).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
      const page = await service.request('GET', '/docs');
      expect(page.status).toBe(200);
      expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await service.request('POST', '/docs')).headers.get('allow')).toBe('GET, HEAD');
    });

    it('are sent compressed, and not again to callers that have them', async () => {
      const service = await startService(openDatabase);
      for (const path of words`/openapi.json /docs /docs/openapi.json /docs/viewer.js /docs/start.js`) {
        const packed = await service.request('GET', path, { headers: { 'accept-encoding': 'gzip' } });
        const plain = await service.request('GET', path, { headers: { 'accept-encoding': 'identity' } });
        expect([path, packed.status, packed.headers.get('content-encoding')]).toEqual([path, 200, 'gzip']);
        expect(plain.headers.get('content-encoding')).toBeNull();
        expect(plain.body).toEqual(packed.body);
        const again = await service.request('GET', path, {
          headers: { 'if-none-match': packed.headers.get('etag') ?? '' },
        });
        expect([path, again.status]).toEqual([path, 304]);
      }
    });

    it('count requests by route template for Prometheus, never by path', async () => {
      const service = await startService(openDatabase);
      await service.request('GET', '/some/scanned/path-1');
      await service.request('GET', '/health');
      const { body, headers } = await service.request('GET', '/metrics');
      expect(headers.get('content-type')).toContain('text/plain');
      expect(body).toContain('envsnap_http_requests_total{method="GET",route="/health",status="200"} 1');
      expect(body).toContain('route="unmatched",status="404"} 1');
      expect(body).not.toContain('path-1');
    });

    it('link to each other under whatever path a trusted proxy publishes them', async () => {
      const trusting = await startService(openDatabase, { ENVSNAP_TRUST_PROXY: '127.0.0.1' });
      const serverOf = async (service: TestService, prefix: string) => {
        const headers = { 'x-forwarded-prefix': prefix };
        return (await service.request('GET', '/openapi.json', { headers })).body.servers[0].url;
      };
      expect(await serverOf(trusting, '/sub/')).toBe('/sub');
      expect(await serverOf(trusting, '/a/b-c')).toBe('/a/b-c');
      for (const hostile of ['//evil.example', 'https://evil.example', '/x"y', '/..%2f'])
        expect(await serverOf(trusting, hostile)).toBe('/');
      const distrusting = await startService(openDatabase, { ENVSNAP_BASE_PATH: '/configured/' });
      expect(await serverOf(distrusting, '/sub')).toBe('/configured');
      const page = (await distrusting.request('GET', '/docs')).body;
      const links = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(
        ([, href]) => new URL(href, 'http://x/sub/docs').pathname,
      );
      expect(links).toContain('/sub/openapi.json');
      expect(links.every((link) => link.startsWith('/sub/'))).toBe(true);
    });

    it('leave the metrics out when they are switched off', async () => {
      const service = await startService(openDatabase, { ENVSNAP_METRICS: 'off' });
      expect((await service.request('GET', '/metrics')).status).toBe(404);
    });
  });
});

// Large snapshots that an embedded database reads at the same moment, on the server's thread: nobody else waits for all of them.
// PostgreSQL's arrive over its connections.

describeOnSqlite((openDatabase) => {
  it('large snapshots that are read at one moment are spread over turns of the event loop', async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    const body = { machineName: 'm', dependencies: { 'a.lock': { a: 'ä'.repeat(200_000) } } };
    const { id } = (await service.send(key, 'POST', '/machine/snapshots', body)).body;
    const loopTurns = await countLoopTurns((turn) =>
      Promise.all(
        Array.from({ length: 10 }, async () => {
          const row = await findSnapshot(service.database, projectId, id);
          expect(JSON.parse(String(row?.dependencies))).toEqual(body.dependencies);
          for (const start = performance.now(); performance.now() - start < 10; );
          return turn();
        }),
      ),
    );
    // One that came alone, and one that waited in the previous turn.
    const together = [...Map.groupBy(loopTurns, (turn) => turn).values()];
    expect(Math.max(...together.map((each) => each.length))).toBeLessThan(3);
  });
});
