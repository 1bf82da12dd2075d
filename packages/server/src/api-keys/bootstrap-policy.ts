// Who may bootstrap: everybody, holders of a token, or nobody. docs/specification.md §1.

import { createHash, timingSafeEqual } from 'node:crypto';

export interface BootstrapPolicy {
  readonly mode: 'open' | 'token' | 'closed';
  readonly token: string | undefined;
}

/** Why a bootstrap is refused, or undefined when it may go on. */
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
