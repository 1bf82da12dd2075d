// Binds the operations of shares to their service, and serves their pages.

import { errorPage } from '@envsnap/console';
import { operations } from '@envsnap/shared';
import type { IRouter, Request } from 'express';
import { AppError } from '../infra/app-error.ts';
import type { Admit } from '../infra/http/admission.ts';
import { sharePathStart } from '../infra/http/begin-request.ts';
import { sendCompressedPage, sendPage } from '../infra/http/compressed-page.ts';
import type { Mount } from '../infra/http/mount.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { partOf } from '../infra/list-parts.ts';
import { jobContextOf } from '../snapshots/snapshot-rows.ts';
import type { Work } from '../work.ts';
import type { SharePageRow } from './repository.ts';

/** Mounts the operations of shares. `serverUrlOf` gives the address under which a request reached the server. */
export function mountShares(mount: Mount<Work>, serverUrlOf: (request: Request) => string): void {
  mount(operations.createShare, async (input) => {
    const { body, principal, work, request } = input;
    const serverUrl = serverUrlOf(request);
    const replayed = await work.confirm();
    if (replayed) return replayed;
    const page = await work.read.shares.freeze(body, serverUrl, jobContextOf(input));
    return work.transact(({ shares }) => shares.create(principal, page, serverUrl));
  });

  mount(operations.listShares, async ({ query, principal, work }) => {
    const { part, info } = partOf(await work.read.shares.list(principal.projectId), query);
    return { shares: part, ...info };
  });

  mount(operations.deleteShare, async ({ params, principal, work }) => {
    await work.transact(({ shares }) => shares.revoke(principal.projectId, params.id));
    return { success: true as const };
  });
}

/** Serves `/share/TOKEN` to everybody. Requests count against the limits of their address. */
export function mountSharePages(
  router: IRouter,
  deps: {
    readonly admit: Admit;
    readonly findPage: (token: string) => Promise<SharePageRow | undefined>;
    readonly serverUrlOf: (request: Request) => string;
  },
): void {
  router.get(`${sharePathStart}:token`, async (request, response) => {
    contextOf(request).route = `${sharePathStart}:token`;
    response.setHeader('Cache-Control', 'no-store');
    await deps.admit(request, response, undefined);
    const found = await deps.findPage(String(request.params.token));
    if (found === undefined) {
      if (request.accepts('json', 'html') !== 'html')
        throw new AppError('share_not_found', 'This share does not exist, has expired or was revoked');
      const { requestId } = contextOf(request);
      const text = 'This page does not exist, or has expired.';
      const missing = errorPage(
        {
          root: './',
          serverUrl: deps.serverUrlOf(request),
          caller: null,
          now: new Date(contextOf(request).arrivedMs),
        },
        { status: 404, error: text, code: 'share_not_found', requestId },
      );
      return sendPage(response, missing, 'no-referrer');
    }
    const { page: packed, content_security_policy: contentSecurityPolicy } = found;
    await sendCompressedPage(
      request,
      response,
      { status: 200, packed, contentSecurityPolicy },
      'no-referrer',
    );
  });
}
