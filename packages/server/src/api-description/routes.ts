// Serves the API's description, for programs and for people. Both are made once: operations do not change at run time.

import { describeApi } from '@envsnap/shared/openapi';
import type { IRouter } from 'express';
import { sendJson } from '../infra/http/respond.ts';
import { version } from '../version.ts';
import { renderReference } from './reference-page.ts';

/** Mounts `/openapi.json` and `/docs`. */
export function mountApiDescription(router: IRouter): void {
  const json = JSON.stringify(describeApi(version));
  let page: Buffer | undefined;
  router.get('/openapi.json', (_request, response) => sendJson(response, 200, json));
  router.get('/docs', (_request, response) => {
    page ??= Buffer.from(renderReference(version));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    );
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Content-Length', page.length);
    response.end(page);
  });
}
