// Orders the test files of a run: those that take long begin, so that no worker is left with one while the others are done.
// Vitest goes by the size of a file until it knows how long each took, and the longest are not the largest.

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testFolder = path.resolve(import.meta.dirname, '..');

/** Files that take more than eight seconds on two processors, the longest first. */
const longFiles: readonly string[] = [
  'security/every-command.test.ts',
  'security/service/stored-data.test.ts',
  'cli/bisect-command.test.ts',
  'executables/executables.test.ts',
  'cli/compare-commands.test.ts',
  'e2e/server-process.test.ts',
  'action/action.test.ts',
  'server/operator/backup-faults.test.ts',
  'security/growth.test.ts',
  'cli/documents.test.ts',
  'security/service/cost.test.ts',
  'cli/run-command.test.ts',
  'cli/service-commands.test.ts',
  'security/service/revoked-callers.test.ts',
  'console/pages-in-a-browser.test.ts',
  'e2e/key-rotation.test.ts',
  'server/operator/commands.test.ts',
  'server/api/authorization.test.ts',
  'e2e/server-faults.test.ts',
  'security/hostile-folders.test.ts',
  'cli/compare-command.test.ts',
  'cli/capture-command.test.ts',
  'capture/vendored-by-real-tools.test.ts',
  'security/service/ended-keys.test.ts',
  'cli/profiles.test.ts',
  'server/files/ended-downloads.test.ts',
  'cli/completion.test.ts',
  'server/files/process.test.ts',
  'server/operator/projects.test.ts',
  'security/hostile-servers.test.ts',
  'e2e/small-heap.test.ts',
  'server/api/fingerprint-key.test.ts',
  'server/files/files.test.ts',
  'server/api/fuzz.test.ts',
  'server/api/diagnosis.test.ts',
  'server/console/console.test.ts',
  'server/api/validation.test.ts',
  'capture/dependencies/hostile-input.test.ts',
  'server/api/audit.test.ts',
  'server/snapshots/snapshot-lists.test.ts',
  'cli/mcp-command.test.ts',
  'executables/server.test.ts',
  'capture/installed-by-real-tools.test.ts',
  'server/metrics/metrics.test.ts',
  'compare/failure/evidence.test.ts',
  'server/api/projects-and-team.test.ts',
  'server/webhooks/dispatcher.test.ts',
  'server/api/history.test.ts',
  'server/api-description/reference-page.test.ts',
  'e2e/kill-server.test.ts',
  'scripts/reliability.test.ts',
  'cli/program.test.ts',
  'server/operator/backup.test.ts',
  'security/service/refusals.test.ts',
  'cli/addresses.test.ts',
  'security/service/stalled-readers.test.ts',
  'cli/why-command.test.ts',
  'e2e/service-account.test.ts',
  'compare/formats/html.test.ts',
  'server/projects/deletion.test.ts',
  'cli/whose-environment.test.ts',
  'server/api/idempotency.test.ts',
  'cli/interrupts.test.ts',
  'server/api/rate-limit.test.ts',
  'security/largest-snapshots.test.ts',
  'security/hostile-policies.test.ts',
  'sdk/runtimes/runtimes.test.ts',
  'server/api/byte-budget.test.ts',
  'server/operator/compact.test.ts',
  'cli/accept-command.test.ts',
  'server/infra/db/durability.test.ts',
  'capture/runtimes/real-probes.test.ts',
  'compare/formats/agent.test.ts',
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
