// Who the audit log names, and through what they act.

import type { Request } from 'express';
import { contextOf, type RequestOrigin } from '../infra/http/request-context.ts';

export type AuditOrigin =
  | ({
      readonly type: 'request';
      /** Id of the calling key; undefined for a caller without one. */
      readonly apiKeyId: string | undefined;
    } & RequestOrigin)
  /** The command line of the server, and the system's account that ran it. */
  | { readonly type: 'operator'; readonly account: string | null }
  | { readonly type: 'server' };

export function originOf(request: Request): AuditOrigin {
  const { principal, origin } = contextOf(request);
  return { type: 'request', apiKeyId: principal?.apiKeyId, ...origin };
}
