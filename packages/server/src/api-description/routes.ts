// Serves the API's description. Built once, at the start: the operations do not change while the server runs.

import { describeApi } from '@envsnap/shared/openapi';
import type { IRouter } from 'express';
import { sendJson } from '../infra/http/respond.ts';
import { version } from '../version.ts';

/** Mounts `/openapi.json`. */
export function mountApiDescription(router: IRouter): void {
  const json = JSON.stringify(describeApi(version));
  router.get('/openapi.json', (_request, response) => sendJson(response, 200, json));
}
