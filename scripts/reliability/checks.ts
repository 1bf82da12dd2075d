// The table of reliability checks, in the order in which they run.

import type { Check } from './check.ts';
import { backup } from './checks/backup.ts';
import { backupLoad } from './checks/backup-load.ts';
import { failover } from './checks/failover.ts';
import { faults } from './checks/faults.ts';
import { idempotency } from './checks/idempotency.ts';
import { kill } from './checks/kill.ts';
import { quotas, rate } from './checks/limits.ts';
import { memory } from './checks/memory.ts';
import { pooler } from './checks/pooler.ts';
import { rolling } from './checks/rolling.ts';
import { rotation } from './checks/rotation.ts';
import { selfComparison } from './checks/self-comparison.ts';
import { soak } from './checks/soak.ts';
import { starts } from './checks/starts.ts';
import { webhooks } from './checks/webhooks.ts';

export const checks: readonly Check[] = [
  kill,
  idempotency,
  rate,
  quotas,
  webhooks,
  rotation,
  backup,
  backupLoad,
  rolling,
  pooler,
  failover,
  starts,
  faults,
  memory,
  selfComparison,
  soak,
];
