// Who the audit log names, and through what they act.

import type { Request } from 'express';
import { contextOf, type RequestOrigin } from '../infra/http/request-context.ts';

/** Who acts, and through what. */
export type AuditOrigin =
  | ({
      readonly type: 'request';
      /** Id of the calling key; undefined for a caller without one. */
      readonly apiKeyId: string | undefined;
    } & RequestOrigin)
  /** The command line of the server, and the system's account that ran it. */
  | { readonly type: 'operator'; readonly account: string | null }
  /** The server by itself. */
  | { readonly type: 'server' };

/** The caller of a request. */
export function originOf(request: Request): AuditOrigin {
  const { principal, origin } = contextOf(request);
  return { type: 'request', apiKeyId: principal?.apiKeyId, ...origin };
}
