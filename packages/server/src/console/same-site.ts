// Refuses what another site makes a browser send: forms, with the session's cookie, and links that sign in as somebody else.

import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';

/**
 * Throws `cross_site_forbidden` for a request of another origin: another port is one. Browsers say where a request comes from in
 * `Sec-Fetch-Site`. Over plain HTTP they leave it out; `Origin` says it of forms, and `Referer` of links. A caller that sends none of
 * them is no browser, or a person opened the address.
 */
export function refuseOtherSites(request: Request): void {
  const { 'sec-fetch-site': site, origin, referer, host = '' } = request.headers;
  const from = origin ?? referer;
  const isOwn =
    typeof site === 'string'
      ? site === 'same-origin' || site === 'none'
      : from === undefined || isOriginOf(from, host);
  if (!isOwn)
    throw new AppError(
      'cross_site_forbidden',
      'Another site sent this form or link; open the address itself',
    );
}

/** Whether an address is at this host and port. The scheme may be that of a proxy. */
function isOriginOf(address: string, host: string): boolean {
  const { protocol, host: itsHost } = URL.parse(address) ?? {};
  return itsHost !== undefined && itsHost !== '' && itsHost === URL.parse(`${protocol}//${host}`)?.host;
}
