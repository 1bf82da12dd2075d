// Refuses what another site makes a browser send: forms, with the session's cookie, and links that sign in as somebody else.

import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';

/**
 * Throws `cross_site_forbidden` for a request of another site. Browsers say where a request comes from in `Sec-Fetch-Site`; over
 * plain HTTP they leave it out, and `Origin` says it. A caller that sends neither is not a browser.
 */
export function refuseOtherSites(request: Request): void {
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string') {
    if (site === 'same-origin' || site === 'none') return;
  } else {
    const { origin } = request.headers;
    if (origin === undefined || hostOf(origin) === hostOf(`http://${request.headers.host ?? ''}`)) return;
  }
  throw new AppError('cross_site_forbidden', 'Another site sent this form or link; open the address itself');
}

/** Without the port: not every proxy passes on the one that was called. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}
