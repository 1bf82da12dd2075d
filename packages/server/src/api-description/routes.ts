// Serves the API's description, for programs and for people. Operations do not change at run time, so each text is built once, at
// its first request.

import type { JsonObject } from '@envsnap/shared/openapi';
import { describeApi } from '@envsnap/shared/openapi';
import type { IRouter, Request } from 'express';
import { contextOf } from '../infra/http/request-context.ts';
import { version } from '../version.ts';
import { type Asset, memoized, packAsset, sendAsset } from './asset.ts';
import {
  describeForReaders,
  limitsPage,
  page,
  pagePolicy,
  readGuides,
  readViewer,
  startScript,
} from './reference.ts';

const json = 'application/json; charset=utf-8';

/** The paths served here, open to everybody. */
export const descriptionPaths = [
  '/openapi.json',
  '/docs',
  '/docs/openapi.json',
  '/docs/viewer.js',
  '/docs/start.js',
  '/docs/limits',
];

/** Mounts {@link descriptionPaths}. `servers` in the documents has the server's path behind its proxy. */
export function mountApiDescription(router: IRouter, basePathOf: (request: Request) => string): void {
  const describe = memoized(() => describeApi(version));
  mountDocument('/openapi.json', describe);
  mountDocument(
    '/docs/openapi.json',
    memoized(() => describeForReaders(describe(), readGuides())),
  );
  mountAsset('/docs/viewer.js', async () => readViewer());
  mountAsset('/docs/start.js', () => packAsset('text/javascript; charset=utf-8', startScript));
  const html = memoized(() => packAsset('text/html; charset=utf-8', page));
  router.get('/docs', async (request, response) => {
    if (request.path.endsWith('/')) {
      response.redirect(308, '../docs');
      return;
    }
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    await sendAsset(request, response, await html());
  });

  router.get('/docs/limits', (_, response) => response.redirect(302, limitsPage));

  function mountDocument(path: string, make: () => JsonObject): void {
    const atRoot = memoized(() => packAsset(json, JSON.stringify(make())));
    router.get(path, async (request, response) => {
      const url = basePathOf(request);
      if (url === '') return sendAsset(request, response, await atRoot());
      const text = JSON.stringify({ ...make(), servers: [{ url, description: 'This server' }] });
      contextOf(request).hold(text.length);
      await sendAsset(request, response, await packAsset(json, text));
    });
  }

  function mountAsset(path: string, make: () => Promise<Asset>): void {
    const made = memoized(make);
    router.get(path, async (request, response) => sendAsset(request, response, await made()));
  }
}
