// The cookies of the console. Over HTTPS the browser guarantees that no other host and no plain connection has set one.

import type { Request, Response } from 'express';
import { isSecure } from '../infra/http/server-url.ts';

function prefixed(request: Request, name: string): string {
  return isSecure(request) ? `__Host-${name}` : name;
}

export function readCookie(request: Request, name: string): string | undefined {
  const full = prefixed(request, name);
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === full) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/** The browser keeps it for this many seconds; 0 deletes it. */
export function setCookie(
  request: Request,
  response: Response,
  name: string,
  value: string,
  seconds: number,
): void {
  const secure = isSecure(request) ? '; Secure' : '';
  response.append(
    'Set-Cookie',
    `${prefixed(request, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
  );
}
