// Renders the page of a share, in the job thread.

import { judgeStored } from '@envsnap/compare/workspace/machines/verdict';
import { sharePage } from '@envsnap/console/stored';
import type { Snapshot } from '@envsnap/shared';
import { limits, seeLimits } from '@envsnap/shared/catalogue/limits';
import { AppError } from '../infra/app-error.ts';
import { type CompressedPage, compressPage } from '../infra/http/compressed-page.ts';
import type { StoredJob } from '../snapshots/snapshot-rows.ts';
import { readEnvironment } from '../snapshots/stored-environment.ts';
import { createLeaveOut } from './leave-out.ts';
import { publicReport, publicSnapshot } from './public-content.ts';

export interface ShareInput {
  readonly snapshots: readonly string[];
  readonly serverUrl: string;
  readonly installHint: string | undefined;
  readonly sharedAt: string;
  readonly expiresAt: string;
}

/** Makes the page. Errors: `snapshot_not_found`, `validation_failed` for an invalid policy, `body_too_large`. */
export const makeSharePage: StoredJob<ShareInput, CompressedPage> = async (
  { snapshots: [idA = '', idB], serverUrl, installHint, sharedAt, expiresAt },
  ask,
) => {
  const a = await readEnvironment(ask, idA);
  const content =
    idB === undefined
      ? { kind: 'snapshot' as const, snapshot: publicSnapshot(a, createLeaveOut([a])), sharedAt, expiresAt }
      : {
          kind: 'comparison' as const,
          report: shownReport(a, await readEnvironment(ask, idB)),
          sharedAt,
          expiresAt,
        };
  const page = sharePage({ serverUrl, installHint }, content);
  if (Buffer.byteLength(page.html) > limits.sharePageBytes)
    throw new AppError('body_too_large', `The page would be larger than 4 MiB${seeLimits}`);
  return compressPage(page);
};

function shownReport(a: Snapshot, b: Snapshot) {
  // The sentences of a comparison name the machines.
  const { report, policyProblem } = judgeStored(
    { ...a, machineName: 'A' },
    { ...b, machineName: 'B' },
    { labels: { a: 'A', b: 'B' } },
  );
  if (policyProblem !== null) {
    const details = [{ path: 'b', message: 'carries a policy that cannot be used' }];
    throw new AppError('validation_failed', 'The policy in B cannot be used', details);
  }
  return publicReport(report, createLeaveOut([a, b]));
}
