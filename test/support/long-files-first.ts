// Orders the test files of a run: long ones start first, so that no worker still runs one when the others are done. Until Vitest
// knows the durations it uses file sizes, but the longest are not the largest.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testFolder = path.resolve(import.meta.dirname, '..');

/** Files that take more than eight seconds on two processors, the longest first. */
const longFiles = readFileSync(path.join(import.meta.dirname, 'long-files.txt'), 'utf8').split('\n');

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
