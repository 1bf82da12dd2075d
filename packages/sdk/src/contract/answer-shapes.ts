// The shapes of the answers, for the check that what came is an answer of envsnap.
// Made by scripts/write-sdk-contract.ts from the table of operations; not to be edited.

import type { Shape } from '../answer-shape.ts';
import type { Answers } from './types.ts';

const apiKey: Shape = { id: 'string', label: 'string?', role: 'string', prefix: 'string', createdAt: 'string', lastUsedAt: 'string?' };
const success: Shape = { success: 'boolean' };
const fingerprintKey: Shape = { id: 'string', key: 'string', createdAt: 'string' };
const project: Shape = { id: 'string', name: 'string', description: 'string?', role: 'string', createdAt: 'string', updatedAt: 'string' };
const projectWithCounts: Shape = { id: 'string', name: 'string', description: 'string?', role: 'string', createdAt: 'string', updatedAt: 'string', counts: { snapshots: 'number', files: 'number', members: 'number' } };
const member: Shape = { id: 'string', apiKeyId: 'string', keyLabel: 'string?', role: 'string', invitedBy: 'string?', joinedAt: 'string' };
const snapshotSummary: Shape = { id: 'string', machineName: 'string', os: 'string?', arch: 'string?', runtimeVersions: { '*': 'string' }, metadata: { '*': 'any' }, createdAt: 'string' };
const snapshot: Shape = { id: 'string', machineName: 'string', os: 'string?', arch: 'string?', runtimeVersions: { '*': 'string' }, dependencies: { '*': { '*': 'string' } }, envVars: { '*': 'string' }, metadata: { '*': 'any' }, createdAt: 'string' };
const attributeDifference: Shape = { a: 'string?', b: 'string?', match: 'boolean' };
const runtimeDifference: Shape = { a: 'string?', b: 'string?', match: 'boolean', key: 'string' };
const dependencyDifference: Shape = { key: 'string', a: 'string?', b: 'string?', status: 'string' };
const variableDifference: Shape = { key: 'string', status: 'string', 'a?': 'string?', 'b?': 'string?', 'comparable?': 'boolean' };
const comparisonDiff: Shape = { os: attributeDifference, arch: attributeDifference, runtimes: [runtimeDifference], dependencies: [dependencyDifference], envVars: [variableDifference] };
const comparisonSummary: Shape = { os: { same: 'number', changed: 'number', added: 'number', removed: 'number' }, arch: { same: 'number', changed: 'number', added: 'number', removed: 'number' }, runtimes: { same: 'number', changed: 'number', added: 'number', removed: 'number' }, dependencies: { same: 'number', changed: 'number', added: 'number', removed: 'number' }, envVars: { same: 'number', changed: 'number', added: 'number', removed: 'number' } };
const finding: Shape = { keys: ['string'], what: 'string', together: 'string?', pValue: 'number', qValue: 'number', inFailed: 'number', inPassed: 'number', ofFailed: 'number', ofPassed: 'number', since: 'string?', explainedBy: 'number?' };
const diagnosisAnswer: Shape = { runs: { passed: 'number', failed: 'number' }, findings: [finding], tests: 'number', suggestion: 'string?', notes: [{ code: 'string', message: 'string' }] };
const machine: Shape = { machineName: 'string', snapshots: 'number', latest: snapshotSummary, values: [{ key: 'string', value: 'string?' }] };
const valueChange: Shape = { snapshotId: 'string', createdAt: 'string', value: 'string?' };
const valueSeries: Shape = { machineName: 'string', snapshots: 'number', changes: [valueChange] };
const webhook: Shape = { id: 'string', url: 'string', events: ['string'], active: 'boolean', createdAt: 'string' };
const deliveryAttempt: Shape = { id: 'string', event: 'string', responseStatus: 'number?', success: 'boolean', attemptedAt: 'string', attempt: 'number', durationMs: 'number', error: 'string?' };
const webhookWithDeliveries: Shape = { id: 'string', url: 'string', events: ['string'], active: 'boolean', createdAt: 'string', recentDeliveries: [deliveryAttempt] };
const storedFile: Shape = { id: 'string', filename: 'string', contentType: 'string', sizeBytes: 'number', checksum: 'string', createdAt: 'string' };
const usage: Shape = { resources: { snapshots: 'number', files: 'number', apiKeys: 'number' }, storage: { usedBytes: 'number', usedMB: 'number' }, quotas: { maxSnapshots: 'number', maxFiles: 'number', maxStorageBytes: 'number', maxStorageMB: 'number', maxRequestsPerMinute: 'number', maxRequestsPerDay: 'number' } };
const endpointUsage: Shape = { path: 'string', statusCode: 'number', count: 'number', avgResponseMs: 'number' };
const usageHistory: Shape = { period: 'string', from: 'string', to: 'string', data: { '*': { total: 'number', endpoints: [endpointUsage] } } };
const loggedRequest: Shape = { method: 'string', path: 'string', statusCode: 'number', responseTimeMs: 'number', createdAt: 'string' };

/** The shape of the JSON answer of each operation. */
export const answerShapes: { readonly [N in keyof Answers]: Shape } = {
  bootstrap: { projectId: 'string', apiKeyId: 'string', apiKey: 'string', message: 'string' },
  createKey: { apiKeyId: 'string', apiKey: 'string', label: 'string?', role: 'string', message: 'string' },
  listKeys: { keys: [apiKey] },
  getCurrentKey: { id: 'string', label: 'string?', role: 'string', prefix: 'string', createdAt: 'string', lastUsedAt: 'string?', projectId: 'string', projectName: 'string' },
  revokeKey: success,
  getFingerprintKey: fingerprintKey,
  rotateFingerprintKey: fingerprintKey,
  createProject: { projectId: 'string', apiKeyId: 'string', apiKey: 'string', name: 'string', message: 'string' },
  listProjects: { projects: [project] },
  getProject: projectWithCounts,
  updateProject: success,
  deleteProject: { success: 'boolean', message: 'string' },
  listMembers: { members: [member] },
  inviteMember: { memberId: 'string', apiKeyId: 'string', apiKey: 'string', label: 'string?', role: 'string', message: 'string' },
  updateMember: { success: 'boolean', memberId: 'string', newRole: 'string' },
  removeMember: success,
  createSnapshot: { id: 'string', machineName: 'string', createdAt: 'string' },
  listSnapshots: { total: 'number', limit: 'number', offset: 'number', next: 'string?', snapshots: [snapshotSummary] },
  getSnapshot: snapshot,
  deleteSnapshot: success,
  compareSnapshots: { snapshotA: 'string', snapshotB: 'string', diff: comparisonDiff, 'summary?': comparisonSummary },
  diagnose: diagnosisAnswer,
  listMachines: { total: 'number', limit: 'number', offset: 'number', machines: [machine] },
  getHistory: { key: 'string', series: [valueSeries], scanned: 'number', total: 'number' },
  createWebhook: { id: 'string', url: 'string', events: ['string'], active: 'boolean', createdAt: 'string', secret: 'string' },
  listWebhooks: { webhooks: [webhook] },
  getWebhook: webhookWithDeliveries,
  updateWebhook: { success: 'boolean', id: 'string', url: 'string', events: ['string'], active: 'boolean', createdAt: 'string' },
  deleteWebhook: success,
  testWebhook: { delivery: deliveryAttempt },
  redeliverWebhook: { delivery: deliveryAttempt },
  uploadFile: { id: 'string', filename: 'string', size: 'number', checksum: 'string', createdAt: 'string' },
  listFiles: { total: 'number', limit: 'number', offset: 'number', next: 'string?', files: [storedFile] },
  deleteFile: success,
  getUsage: usage,
  getUsageHistory: usageHistory,
  getLiveRequests: { requests: [loggedRequest] },
  getHealth: { status: 'string', version: 'string' },
  getReadiness: { status: 'string' },
};
