// Orders the test files of a run: those that take long begin, so that no worker is left with one while the others are done.
// Vitest goes by the size of a file until it knows how long each took, and the longest are not the largest.

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testFolder = path.resolve(import.meta.dirname, '..');

/** Files that took more than 15 s where few others did, the longest first. */
const longFiles: readonly string[] = [
  'e2e/kill-server.test.ts',
  'sdk/runtimes/runtimes.test.ts',
  'server/api/fuzz.test.ts',
  'server/files/files.test.ts',
  'e2e/server-faults.test.ts',
  'e2e/server-process.test.ts',
  'scripts/reliability.test.ts',
  'cli/documents.test.ts',
  'compare/formats/html.test.ts',
  'server/api-description/reference-page.test.ts',
  'server/infra/db/durability.test.ts',
  'security/hostile-servers.test.ts',
  'capture/dependencies/hostile-input.test.ts',
  'server/operator/projects.test.ts',
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
