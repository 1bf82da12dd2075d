// Who may bootstrap: everybody, holders of a token, or nobody. docs/specification.md §1.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { isForwarded } from '../infra/http/direct-caller.ts';
import type { Logger } from '../infra/logger.ts';

export interface BootstrapPolicy {
  readonly mode: 'open' | 'token' | 'closed';
  readonly token: string | undefined;
}

/** Why a bootstrap is refused; undefined if it is allowed. */
export function refuseBootstrap(policy: BootstrapPolicy, sentToken: string | string[] | undefined) {
  if (policy.mode === 'open') return undefined;
  if (policy.mode === 'closed') {
    return {
      code: 'bootstrap_closed',
      message: 'Bootstrap is closed on this server; ask its operator for a key',
    } as const;
  }
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const { token } = policy;
  const matches =
    token !== undefined && typeof sentToken === 'string' && timingSafeEqual(digest(sentToken), digest(token));
  if (matches) return undefined;
  const message = sentToken === undefined ? 'Missing X-Bootstrap-Token header' : 'Invalid bootstrap token';
  return { code: 'invalid_bootstrap_token', message } as const;
}

/** Warns once if a proxy forwards requests to a server where everybody may bootstrap, whatever address it listens on. */
export function warnWhenForwarded({ mode }: BootstrapPolicy, logger: Logger): RequestHandler {
  let isWarned = mode !== 'open';
  return (request, _response, next) => {
    if (!isWarned && isForwarded(request)) {
      isWarned = true;
      logger.warn(
        'a proxy forwards requests, so anyone who can reach the proxy can create projects without a key; set ENVSNAP_BOOTSTRAP to token or closed',
      );
    }
    next();
  };
}
