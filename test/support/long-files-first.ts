// Orders the test files of a run: those that take long begin, so that no worker is left with one while the others are done.
// Vitest goes by the size of a file until it knows how long each took, and the longest are not the largest.

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testFolder = path.resolve(import.meta.dirname, '..');

/** Files that take more than eight seconds on two processors, the longest first. */
const longFiles: readonly string[] = [
  'executables/executables.test.ts',
  'security/service/cost.test.ts',
  'e2e/key-rotation.test.ts',
  'console/pages-in-a-browser.test.ts',
  'security/service/revoked-callers.test.ts',
  'security/growth.test.ts',
  'cli/compare-command.test.ts',
  'cli/run-command.test.ts',
  'e2e/server-process.test.ts',
  'capture/vendored-by-real-tools.test.ts',
  'cli/bisect-command.test.ts',
  'cli/capture-command.test.ts',
  'server/api/authorization.test.ts',
  'server/files/files.test.ts',
  'security/hostile-servers.test.ts',
  'e2e/small-heap.test.ts',
  'cli/mcp-command.test.ts',
  'server/console/console.test.ts',
  'security/service/stored-data.test.ts',
  'capture/dependencies/hostile-input.test.ts',
  'cli/compare-commands.test.ts',
  'server/api/fuzz.test.ts',
  'cli/profiles.test.ts',
  'e2e/server-faults.test.ts',
  'cli/service-commands.test.ts',
  'compare/formats/html.test.ts',
  'server/api/diagnosis.test.ts',
  'server/api/audit.test.ts',
  'security/service/stalled-readers.test.ts',
  'compare/failure/evidence.test.ts',
  'security/service/ended-keys.test.ts',
  'server/api/byte-budget.test.ts',
  'server/operator/commands.test.ts',
  'security/every-command.test.ts',
  'security/hostile-folders.test.ts',
  'executables/server.test.ts',
  'server/api/projects-and-team.test.ts',
  'server/operator/backup-faults.test.ts',
  'e2e/kill-server.test.ts',
  'action/action.test.ts',
  'cli/program.test.ts',
  'server/api/validation.test.ts',
  'cli/interrupts.test.ts',
  'sdk/call/retry.test.ts',
  'server/health/notices.test.ts',
  'cli/completion.test.ts',
  'server/projects/deletion.test.ts',
  'server/files/ended-downloads.test.ts',
  'server/shares/shares.test.ts',
  'server/operator/projects.test.ts',
  'security/hostile-policies.test.ts',
  'server/snapshots/snapshot-lists.test.ts',
  'server/operator/backup.test.ts',
  'security/outgoing-text.test.ts',
  'server/api/rate-limit.test.ts',
  'cli/whose-environment.test.ts',
  'capture/project/checkout.test.ts',
  'capture/installed-by-real-tools.test.ts',
  'scripts/reliability.test.ts',
  'server/webhooks/dispatcher.test.ts',
  'cli/accept-command.test.ts',
  'cli/why-command.test.ts',
  'cli/agent-tasks.test.ts',
  'cli/addresses.test.ts',
  'server/api/idempotency.test.ts',
  'security/expressions.test.ts',
  'security/largest-snapshots.test.ts',
  'sdk/runtimes/runtimes.test.ts',
  'sdk/live.test.ts',
  'capture/project/git.test.ts',
  'server/health/health.test.ts',
  'server/api/history.test.ts',
  'server/infra/db/durability.test.ts',
];

/** Long files first; the others as Vitest orders them. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longFiles.indexOf(path.relative(testFolder, moduleId).replaceAll(path.sep, '/'));
      return index === -1 ? longFiles.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
