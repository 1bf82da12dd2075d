// What a request needs of the operations at run time: method, path and how it may be repeated.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

/** The part of an operation that decides what is sent. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** No key is needed, and none is sent. */
  readonly public?: boolean;
  /** `Idempotency-Key` is honoured, and one is always sent. */
  readonly idempotent?: boolean;
  /** A POST that changes nothing. */
  readonly safe?: boolean;
}

/** Names of all operations. */
export type OperationName =
  | 'bootstrap'
  | 'createKey'
  | 'listKeys'
  | 'getCurrentKey'
  | 'revokeKey'
  | 'getFingerprintKey'
  | 'rotateFingerprintKey'
  | 'createProject'
  | 'listProjects'
  | 'getProject'
  | 'updateProject'
  | 'deleteProject'
  | 'listAuditEntries'
  | 'listMembers'
  | 'inviteMember'
  | 'updateMember'
  | 'removeMember'
  | 'createSnapshot'
  | 'listSnapshots'
  | 'getSnapshot'
  | 'deleteSnapshot'
  | 'compareSnapshots'
  | 'diagnose'
  | 'listMachines'
  | 'getHistory'
  | 'createShare'
  | 'listShares'
  | 'deleteShare'
  | 'createConsoleLink'
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'redeliverWebhook'
  | 'uploadFile'
  | 'listFiles'
  | 'downloadFile'
  | 'deleteFile'
  | 'getUsage'
  | 'getUsageHistory'
  | 'getLiveRequests'
  | 'getHealth'
  | 'getReadiness';

/** The route of every operation, by the operation's name. */
export const routes: { readonly [N in OperationName]: Route } = {
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
  listAuditEntries: { method: 'GET', path: '/machine/audit' },
  listMembers: { method: 'GET', path: '/machine/team/:projectId/members' },
  inviteMember: { method: 'POST', path: '/machine/team/:projectId/members', idempotent: true },
  updateMember: { method: 'PATCH', path: '/machine/team/:projectId/members/:memberId' },
  removeMember: { method: 'DELETE', path: '/machine/team/:projectId/members/:memberId' },
  createSnapshot: { method: 'POST', path: '/machine/snapshots', idempotent: true },
  listSnapshots: { method: 'GET', path: '/machine/snapshots' },
  getSnapshot: { method: 'GET', path: '/machine/snapshots/:id' },
  deleteSnapshot: { method: 'DELETE', path: '/machine/snapshots/:id' },
  compareSnapshots: { method: 'POST', path: '/machine/snapshots/compare', safe: true },
  diagnose: { method: 'POST', path: '/machine/diagnosis', safe: true },
  listMachines: { method: 'GET', path: '/machine/machines' },
  getHistory: { method: 'GET', path: '/machine/history' },
  createShare: { method: 'POST', path: '/machine/shares', idempotent: true },
  listShares: { method: 'GET', path: '/machine/shares' },
  deleteShare: { method: 'DELETE', path: '/machine/shares/:id' },
  createConsoleLink: { method: 'POST', path: '/machine/console-links', idempotent: true },
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
};
