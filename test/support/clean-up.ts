// Owns the clean-up after tests. Files share their modules in a worker, so hooks at the top of a support file would be registered
// for the first test file alone; `each-file.ts` registers these for every one.

type CleanUp = () => unknown;

const testsOwn: CleanUp[] = [];
const filesOwn: CleanUp[] = [];

/** Runs after the current test, in parallel with the test's other clean-ups. */
export function cleanUpAfterTest(work: CleanUp): void {
  testsOwn.push(work);
}

/** Runs after the last test of the file, the latest first. */
export function cleanUpAfterFile(work: CleanUp): void {
  filesOwn.push(work);
}

export async function cleanUpTest(): Promise<void> {
  await Promise.all(testsOwn.splice(0).map((work) => work()));
}

/** Cleans up after a file. If a clean-up fails, the others still run; the first failure is thrown at the end. */
export async function cleanUpFile(): Promise<void> {
  const failures: unknown[] = [];
  for (const work of filesOwn.splice(0).reverse()) {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
