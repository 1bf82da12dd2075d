// Orders the test files of a run: those that take long begin, so that no worker is left with one while the others are done.
// Vitest goes by the size of a file until it knows how long each took, and the longest are not the largest.

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testFolder = path.resolve(import.meta.dirname, '..');

/** Files that take more than ten seconds on two processors, the longest first. */
const longFiles: readonly string[] = [
  'executables/executables.test.ts',
  'security/service/stored-data.test.ts',
  'security/service/cost.test.ts',
  'server/operator/backup-faults.test.ts',
  'security/every-command.test.ts',
  'cli/bisect-command.test.ts',
  'sdk/runtimes/runtimes.test.ts',
  'cli/compare-commands.test.ts',
  'windows/wine.test.ts',
  'security/growth.test.ts',
  'e2e/server-process.test.ts',
  'cli/service-commands.test.ts',
  'packages/packing.test.ts',
  'e2e/kill-server.test.ts',
  'server/api/authorization.test.ts',
  'server/operator/commands.test.ts',
  'e2e/key-rotation.test.ts',
  'e2e/server-faults.test.ts',
  'executables/server.test.ts',
  'console/pages-in-a-browser.test.ts',
  'security/service/revoked-callers.test.ts',
  'cli/documents.test.ts',
  'server/api-description/reference-page.test.ts',
  'server/api/fuzz.test.ts',
  'cli/capture-command.test.ts',
  'cli/compare-command.test.ts',
  'server/operator/projects.test.ts',
  'action/action.test.ts',
  'sdk/live.test.ts',
  'compare/formats/html.test.ts',
  'scripts/reliability.test.ts',
  'docs/example-programs.test.ts',
  'clients/generated-clients.test.ts',
  'security/hostile-servers.test.ts',
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
