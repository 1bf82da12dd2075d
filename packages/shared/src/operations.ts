// The table of operations: the API's table of contents, in the order of the documents.

import * as apiKeys from './api-key.ts';
import * as audit from './audit.ts';
import * as comparison from './comparison.ts';
import * as diagnosis from './diagnosis.ts';
import * as files from './file.ts';
import * as fingerprintKeys from './fingerprint-key.ts';
import type { Operation } from './operation.ts';
import * as projects from './project.ts';
import * as service from './service.ts';
import * as shares from './share.ts';
import * as snapshots from './snapshot.ts';
import * as snapshotHistory from './snapshot-history.ts';
import * as team from './team.ts';
import * as usage from './usage.ts';
import * as webhooks from './webhook.ts';

/** Every operation of the service by name. */
export const operations = {
  bootstrap: apiKeys.bootstrap,
  createKey: apiKeys.createKey,
  listKeys: apiKeys.listKeys,
  getCurrentKey: apiKeys.getCurrentKey,
  revokeKey: apiKeys.revokeKey,
  getFingerprintKey: fingerprintKeys.getFingerprintKey,
  rotateFingerprintKey: fingerprintKeys.rotateFingerprintKey,
  createProject: projects.createProject,
  listProjects: projects.listProjects,
  getProject: projects.getProject,
  updateProject: projects.updateProject,
  deleteProject: projects.deleteProject,
  listAuditEntries: audit.listAuditEntries,
  listMembers: team.listMembers,
  inviteMember: team.inviteMember,
  updateMember: team.updateMember,
  removeMember: team.removeMember,
  createSnapshot: snapshots.createSnapshot,
  listSnapshots: snapshots.listSnapshots,
  getSnapshot: snapshots.getSnapshot,
  deleteSnapshot: snapshots.deleteSnapshot,
  compareSnapshots: comparison.compareSnapshotsOperation,
  diagnose: diagnosis.diagnose,
  listMachines: snapshotHistory.listMachines,
  getHistory: snapshotHistory.getHistory,
  createShare: shares.createShare,
  listShares: shares.listShares,
  deleteShare: shares.deleteShare,
  createConsoleLink: shares.createConsoleLink,
  createWebhook: webhooks.createWebhook,
  listWebhooks: webhooks.listWebhooks,
  getWebhook: webhooks.getWebhook,
  updateWebhook: webhooks.updateWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  testWebhook: webhooks.testWebhook,
  redeliverWebhook: webhooks.redeliverWebhook,
  uploadFile: files.uploadFile,
  listFiles: files.listFiles,
  downloadFile: files.downloadFile,
  deleteFile: files.deleteFile,
  getUsage: usage.getUsage,
  getUsageHistory: usage.getUsageHistory,
  getLiveRequests: usage.getLiveRequests,
  getHealth: service.getHealth,
  getReadiness: service.getReadiness,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
