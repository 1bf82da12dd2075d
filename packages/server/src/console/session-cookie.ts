// The cookie that holds a session's token.

import type { Request, Response } from 'express';
import { isSecure } from '../infra/http/server-url.ts';
import { sessionLifeMs } from './sessions.ts';

/** Over HTTPS the browser itself vouches that no other host and no plain connection has set it. */
function nameOf(request: Request): string {
  return isSecure(request) ? '__Host-envsnap' : 'envsnap';
}

/** The token that a browser sends; undefined when it sends none. */
export function sessionTokenOf(request: Request): string | undefined {
  const name = nameOf(request);
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/** Lets the browser keep a token, or forget it. */
export function setSessionCookie(request: Request, response: Response, token: string | null): void {
  const secure = isSecure(request) ? '; Secure' : '';
  const life = token === null ? 0 : sessionLifeMs / 1000;
  response.append(
    'Set-Cookie',
    `${nameOf(request)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${life}${secure}`,
  );
}
