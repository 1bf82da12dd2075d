// Serves the API's description, for programs and for people. Both are made once: operations do not change at run time.
// The page's links are relative, so that it works under every path; the document names the path in `servers`.

import { createHash } from 'node:crypto';
import { describeApi } from '@envsnap/shared/openapi';
import type { IRouter, Request } from 'express';
import { sendJson } from '../infra/http/respond.ts';
import { version } from '../version.ts';
import { pageScript } from './page-script.ts';
import { renderReference } from './reference-page.ts';

/** Only the page's own script runs, named by its digest; nothing is loaded from anywhere, and no form or frame is allowed. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Mounts `/openapi.json` and `/docs`. */
export function mountApiDescription(router: IRouter, basePathOf: (request: Request) => string): void {
  // At the first request for it: making it takes longer than all else that a start waits for.
  let description: ReturnType<typeof describeApi> | undefined;
  let json: string | undefined;
  let page: Buffer | undefined;
  router.get('/openapi.json', (request, response) => {
    description ??= describeApi(version);
    json ??= JSON.stringify(description);
    const url = basePathOf(request);
    if (url === '') sendJson(response, 200, json);
    else
      sendJson(
        response,
        200,
        JSON.stringify({ ...description, servers: [{ url, description: 'This server' }] }),
      );
  });
  router.get('/docs', (_request, response) => {
    page ??= Buffer.from(renderReference(version));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Content-Length', page.length);
    response.end(page);
  });
}
