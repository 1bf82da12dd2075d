// The shapes of the answers, for the check that what came is an answer of envsnap.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

import type { Shape } from '../call/answer-shape.ts';
import type { Answers } from './types.ts';

const apiKey: Shape = { id: 's', label: 's?', role: 's', prefix: 's', createdAt: 's', lastUsedAt: 's?', expiresAt: 's?' };
const success: Shape = { success: 'b' };
const fingerprintKey: Shape = { id: 's', key: 's', createdAt: 's' };
const project: Shape = { id: 's', name: 's', description: 's?', role: 's', createdAt: 's', updatedAt: 's' };
const projectWithCounts: Shape = { id: 's', name: 's', description: 's?', role: 's', createdAt: 's', updatedAt: 's', counts: { snapshots: 'n', files: 'n', members: 'n' } };
const auditActor: Shape = { type: 's', apiKeyId: 's?', label: 's?', role: 's?', memberId: 's?' };
const auditTarget: Shape = { type: 's', id: 's?', name: 's?' };
const auditEntry: Shape = { id: 's', action: 's', actor: auditActor, target: auditTarget, details: { '*': 'a' }, requestId: 's?', clientRequestId: 's?', clientAddress: 's?', createdAt: 's' };
const member: Shape = { id: 's', apiKeyId: 's', keyLabel: 's?', role: 's', invitedBy: 's?', joinedAt: 's' };
const snapshotSummary: Shape = { id: 's', machineName: 's', os: 's?', arch: 's?', runtimeVersions: { '*': 's' }, metadata: { '*': 'a' }, createdAt: 's' };
const snapshot: Shape = { id: 's', machineName: 's', os: 's?', arch: 's?', runtimeVersions: { '*': 's' }, dependencies: { '*': { '*': 's' } }, envVars: { '*': 's' }, metadata: { '*': 'a' }, createdAt: 's' };
const attributeDifference: Shape = { a: 's?', b: 's?', match: 'b' };
const runtimeDifference: Shape = { a: 's?', b: 's?', match: 'b', key: 's' };
const dependencyDifference: Shape = { key: 's', a: 's?', b: 's?', status: 's' };
const variableDifference: Shape = { key: 's', status: 's', 'a?': 's?', 'b?': 's?', 'comparable?': 'b' };
const comparisonDiff: Shape = { os: attributeDifference, arch: attributeDifference, runtimes: [runtimeDifference], dependencies: [dependencyDifference], envVars: [variableDifference] };
const comparisonSummary: Shape = { os: { same: 'n', changed: 'n', added: 'n', removed: 'n' }, arch: { same: 'n', changed: 'n', added: 'n', removed: 'n' }, runtimes: { same: 'n', changed: 'n', added: 'n', removed: 'n' }, dependencies: { same: 'n', changed: 'n', added: 'n', removed: 'n' }, envVars: { same: 'n', changed: 'n', added: 'n', removed: 'n' } };
const finding: Shape = { keys: ['s'], keyCount: 'n', what: 's', together: 's?', pValue: 'n', qValue: 'n', inFailed: 'n', inPassed: 'n', ofFailed: 'n', ofPassed: 'n', since: 's?', explainedBy: 'n?' };
const diagnosisAnswer: Shape = { runs: { passed: 'n', failed: 'n' }, findings: [finding], tests: 'n', suggestion: 's?', notes: [{ code: 's', message: 's' }] };
const machine: Shape = { machineName: 's', snapshots: 'n', latest: snapshotSummary, values: [{ key: 's', value: 's?' }] };
const valueChange: Shape = { snapshotId: 's', createdAt: 's', value: 's?', outcome: 's?' };
const valueSeries: Shape = { machineName: 's', snapshots: 'n', changes: [valueChange] };
const share: Shape = { id: 's', kind: 's', snapshots: ['s'], createdBy: 's?', createdAt: 's', expiresAt: 's' };
const webhook: Shape = { id: 's', url: 's', events: ['s'], active: 'b', createdAt: 's' };
const deliveryAttempt: Shape = { id: 's', event: 's', responseStatus: 'n?', success: 'b', attemptedAt: 's', attempt: 'n', durationMs: 'n', error: 's?' };
const webhookWithDeliveries: Shape = { id: 's', url: 's', events: ['s'], active: 'b', createdAt: 's', recentDeliveries: [deliveryAttempt] };
const storedFile: Shape = { id: 's', filename: 's', contentType: 's', sizeBytes: 'n', checksum: 's', createdAt: 's' };
const usage: Shape = { resources: { snapshots: 'n', runs: 'n', files: 'n', apiKeys: 'n' }, storage: { usedBytes: 'n', usedMB: 'n' }, quotas: { maxSnapshots: 'n', maxRuns: 'n', maxFiles: 'n', maxStorageBytes: 'n', maxStorageMB: 'n', maxRequestsPerMinute: 'n', maxRequestsPerDay: 'n' } };
const endpointUsage: Shape = { path: 's', statusCode: 'n', count: 'n', avgResponseMs: 'n' };
const usageHistory: Shape = { period: 's', from: 's', to: 's', data: { '*': { total: 'n', endpoints: [endpointUsage] } } };
const loggedRequest: Shape = { method: 's', path: 's', statusCode: 'n', responseTimeMs: 'n', createdAt: 's' };

/** The shape of the JSON answer of each operation. */
export const answerShapes: { readonly [N in keyof Answers]: Shape } = {
  bootstrap: { projectId: 's', apiKeyId: 's', apiKey: 's', message: 's' },
  createKey: { apiKey: 's', label: 's?', role: 's', expiresAt: 's?', apiKeyId: 's', message: 's' },
  listKeys: { total: 'n', limit: 'n?', offset: 'n', keys: [apiKey] },
  getCurrentKey: { id: 's', label: 's?', role: 's', prefix: 's', createdAt: 's', lastUsedAt: 's?', expiresAt: 's?', projectId: 's', projectName: 's' },
  revokeKey: success,
  getFingerprintKey: fingerprintKey,
  rotateFingerprintKey: fingerprintKey,
  createProject: { projectId: 's', apiKeyId: 's', apiKey: 's', name: 's', message: 's' },
  listProjects: { projects: [project] },
  getProject: projectWithCounts,
  updateProject: success,
  deleteProject: { success: 'b', message: 's' },
  listAuditEntries: { total: 'n', limit: 'n', offset: 'n', next: 's?', entries: [auditEntry] },
  listMembers: { total: 'n', limit: 'n?', offset: 'n', members: [member] },
  inviteMember: { apiKey: 's', label: 's?', role: 's', expiresAt: 's?', memberId: 's', apiKeyId: 's', message: 's' },
  updateMember: { success: 'b', memberId: 's', newRole: 's' },
  removeMember: success,
  createSnapshot: { id: 's', machineName: 's', createdAt: 's' },
  listSnapshots: { total: 'n', limit: 'n', offset: 'n', next: 's?', snapshots: [snapshotSummary] },
  getSnapshot: snapshot,
  deleteSnapshot: success,
  compareSnapshots: { snapshotA: 's', snapshotB: 's', diff: comparisonDiff, 'summary?': comparisonSummary },
  diagnose: diagnosisAnswer,
  listMachines: { total: 'n', limit: 'n', offset: 'n', machines: [machine] },
  getHistory: { key: 's', series: [valueSeries], scanned: 'n', total: 'n', limitReached: 'b' },
  createShare: { id: 's', url: 's', expiresAt: 's' },
  listShares: { total: 'n', limit: 'n?', offset: 'n', shares: [share] },
  deleteShare: success,
  createConsoleLink: { url: 's', expiresAt: 's' },
  createWebhook: { id: 's', url: 's', events: ['s'], active: 'b', createdAt: 's', secret: 's' },
  listWebhooks: { total: 'n', limit: 'n?', offset: 'n', webhooks: [webhook] },
  getWebhook: webhookWithDeliveries,
  updateWebhook: { success: 'b', id: 's', url: 's', events: ['s'], active: 'b', createdAt: 's' },
  deleteWebhook: success,
  testWebhook: { delivery: deliveryAttempt },
  redeliverWebhook: { delivery: deliveryAttempt },
  uploadFile: { id: 's', filename: 's', size: 'n', checksum: 's', createdAt: 's' },
  listFiles: { total: 'n', limit: 'n', offset: 'n', next: 's?', files: [storedFile] },
  deleteFile: success,
  getUsage: usage,
  getUsageHistory: usageHistory,
  getLiveRequests: { requests: [loggedRequest] },
  getHealth: { status: 's', version: 's', 'commit?': 's' },
  getReadiness: { status: 's' },
};
