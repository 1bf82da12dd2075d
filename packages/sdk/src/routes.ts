// What a request needs of the contracts at run time: method, path and how it may be repeated. A projection of the
// operations table that the compiler checks, so that the SDK loads without zod.

import type { Operation, OperationName, Operations } from '@envsnap/shared';

/** The part of an operation that decides what is sent. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** No key is needed, and none is sent. */
  readonly public?: true;
  /** `Idempotency-Key` is honoured, and one is always sent. */
  readonly idempotent?: true;
  /** A POST that changes nothing. */
  readonly safe?: true;
}

type Flag<Name extends string, On> = On extends true
  ? { readonly [K in Name]: true }
  : { readonly [K in Name]?: never };

/** The one route that an operation's declaration allows; anything else does not compile. */
type RouteOf<O extends Operation> = { readonly method: O['method']; readonly path: O['path'] } & Flag<
  'public',
  O['access'] extends 'public' ? true : false
> &
  Flag<'idempotent', O extends { idempotency: string } ? true : false> &
  Flag<'safe', O extends { safe: true } ? true : false>;

/** The route of every operation, by the operation's name. */
export const routes = {
  bootstrap: { method: 'POST', path: '/machine/keys/bootstrap', public: true, idempotent: true },
  createKey: { method: 'POST', path: '/machine/keys', idempotent: true },
  listKeys: { method: 'GET', path: '/machine/keys' },
  getCurrentKey: { method: 'GET', path: '/machine/keys/current' },
  revokeKey: { method: 'DELETE', path: '/machine/keys/:id' },
  getFingerprintKey: { method: 'GET', path: '/machine/fingerprint-key' },
  rotateFingerprintKey: { method: 'POST', path: '/machine/fingerprint-key/rotate', idempotent: true },
  createProject: { method: 'POST', path: '/machine/projects', idempotent: true },
  listProjects: { method: 'GET', path: '/machine/projects' },
  getProject: { method: 'GET', path: '/machine/projects/:id' },
  updateProject: { method: 'PATCH', path: '/machine/projects/:id' },
  deleteProject: { method: 'DELETE', path: '/machine/projects/:id' },
  listMembers: { method: 'GET', path: '/machine/team/:projectId/members' },
  inviteMember: { method: 'POST', path: '/machine/team/:projectId/members', idempotent: true },
  updateMember: { method: 'PATCH', path: '/machine/team/:projectId/members/:memberId' },
  removeMember: { method: 'DELETE', path: '/machine/team/:projectId/members/:memberId' },
  createSnapshot: { method: 'POST', path: '/machine/snapshots', idempotent: true },
  listSnapshots: { method: 'GET', path: '/machine/snapshots' },
  getSnapshot: { method: 'GET', path: '/machine/snapshots/:id' },
  deleteSnapshot: { method: 'DELETE', path: '/machine/snapshots/:id' },
  compareSnapshots: { method: 'POST', path: '/machine/snapshots/compare', safe: true },
  listMachines: { method: 'GET', path: '/machine/machines' },
  getHistory: { method: 'GET', path: '/machine/history' },
  createWebhook: { method: 'POST', path: '/machine/webhooks', idempotent: true },
  listWebhooks: { method: 'GET', path: '/machine/webhooks' },
  getWebhook: { method: 'GET', path: '/machine/webhooks/:id' },
  updateWebhook: { method: 'PATCH', path: '/machine/webhooks/:id' },
  deleteWebhook: { method: 'DELETE', path: '/machine/webhooks/:id' },
  testWebhook: { method: 'POST', path: '/machine/webhooks/:id/test' },
  redeliverWebhook: { method: 'POST', path: '/machine/webhooks/:id/deliveries/:deliveryId/redeliver' },
  uploadFile: { method: 'POST', path: '/machine/files', idempotent: true },
  listFiles: { method: 'GET', path: '/machine/files' },
  downloadFile: { method: 'GET', path: '/machine/files/:id' },
  deleteFile: { method: 'DELETE', path: '/machine/files/:id' },
  getUsage: { method: 'GET', path: '/machine/usage' },
  getUsageHistory: { method: 'GET', path: '/machine/usage/requests' },
  getLiveRequests: { method: 'GET', path: '/machine/usage/requests/live' },
  getHealth: { method: 'GET', path: '/health', public: true },
  getReadiness: { method: 'GET', path: '/ready', public: true },
} as const satisfies { readonly [N in OperationName]: RouteOf<Operations[N]> };
