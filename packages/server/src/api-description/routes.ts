// Serves the API's description, for programs and for people. Operations do not change at run time, so each text is made once,
// at the first request for it.

import type { JsonObject } from '@envsnap/shared/openapi';
import { describeApi } from '@envsnap/shared/openapi';
import type { IRouter, Request } from 'express';
import { version } from '../version.ts';
import { type Asset, packAsset, sendAsset } from './asset.ts';
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

/** What is served here, all of it open to everybody. */
export const descriptionPaths = [
  '/openapi.json',
  '/docs',
  '/docs/openapi.json',
  '/docs/viewer.js',
  '/docs/start.js',
  '/docs/limits',
];

/** Mounts {@link descriptionPaths}. The documents name the path that the server has behind its proxy in `servers`. */
export function mountApiDescription(router: IRouter, basePathOf: (request: Request) => string): void {
  const describe = once(() => describeApi(version));
  mountDocument('/openapi.json', describe);
  mountDocument(
    '/docs/openapi.json',
    once(() => describeForReaders(describe(), readGuides())),
  );
  mountAsset('/docs/viewer.js', async () => readViewer());
  mountAsset('/docs/start.js', () => packAsset('text/javascript; charset=utf-8', startScript));
  const html = once(() => packAsset('text/html; charset=utf-8', page));
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
    const atRoot = once(() => packAsset(json, JSON.stringify(make())));
    router.get(path, async (request, response) => {
      const url = basePathOf(request);
      const servers = [{ url, description: 'This server' }];
      const asset = url === '' ? atRoot() : packAsset(json, JSON.stringify({ ...make(), servers }));
      await sendAsset(request, response, await asset);
    });
  }

  function mountAsset(path: string, make: () => Promise<Asset>): void {
    const made = once(make);
    router.get(path, async (request, response) => sendAsset(request, response, await made()));
  }
}

/** A function that makes its value at the first call. */
function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
