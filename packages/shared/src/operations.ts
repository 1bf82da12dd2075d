// The table of operations: the API's table of contents, in the order of the documents.

import { apiKeyOperations } from './api-key.ts';
import { auditOperations } from './audit.ts';
import { comparisonOperations } from './comparison.ts';
import { diagnosisOperations } from './diagnosis.ts';
import { fileOperations } from './file.ts';
import { fingerprintKeyOperations } from './fingerprint-key.ts';
import { healthOperations } from './health.ts';
import type { Operation } from './operation.ts';
import { projectOperations } from './project.ts';
import { serviceOperations } from './service.ts';
import { shareOperations } from './share.ts';
import { snapshotOperations } from './snapshot.ts';
import { snapshotHistoryOperations } from './snapshot-history.ts';
import { teamOperations } from './team.ts';
import { usageOperations } from './usage.ts';
import { webhookOperations } from './webhook.ts';

export const operations = {
  ...apiKeyOperations,
  ...fingerprintKeyOperations,
  ...projectOperations,
  ...auditOperations,
  ...teamOperations,
  ...snapshotOperations,
  ...comparisonOperations,
  ...diagnosisOperations,
  ...snapshotHistoryOperations,
  ...shareOperations,
  ...webhookOperations,
  ...fileOperations,
  ...usageOperations,
  ...healthOperations,
  ...serviceOperations,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
