// The cookie that holds a session's token.

import type { Request, Response } from 'express';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { sessionLifeMs } from './sessions.ts';

const cookie = 'envsnap';

/** The token that a browser sends; undefined when it sends none. */
export function sessionTokenOf(request: Request): string | undefined {
  return readCookie(request, cookie);
}

/** Lets the browser keep a token, or forget it. */
export function setSessionCookie(request: Request, response: Response, token: string | null): void {
  if (token === null) clearCookie(request, response, cookie);
  else setCookie(request, response, cookie, token, sessionLifeMs / 1000);
}
