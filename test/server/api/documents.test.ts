import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  describe('the open documents', () => {
    it('describe the API for programs and for people, without any other host', async () => {
      const service = await startService(openDatabase);
      const openapi = await service.request('GET', '/openapi.json');
      expect(openapi).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
      const page = await service.request('GET', '/docs');
      expect(page.status).toBe(200);
      for (const path of Object.keys(openapi.body.paths)) {
        expect(page.body.replaceAll('<wbr>', '')).toContain(path.replace(/\{(\w+)\}/g, ':$1'));
      }
      expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await service.request('POST', '/docs')).headers.get('allow')).toBe('GET, HEAD');
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

    it('leave the metrics out when they are switched off', async () => {
      const service = await startService(openDatabase, { ENVSNAP_METRICS: 'off' });
      expect((await service.request('GET', '/metrics')).status).toBe(404);
    });
  });
});
