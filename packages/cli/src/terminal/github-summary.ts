// The summary of a job on GitHub.

import { appendFile } from 'node:fs/promises';
import { refusalReason } from '../errors/cli-error.ts';

/** Adds Markdown to the job's summary, where there is one. What came out does not depend on it: a failure is only reported. */
export async function addToGithubSummary(markdown: string): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  try {
    await appendFile(file, markdown);
  } catch (error) {
    const reason = refusalReason((error as NodeJS.ErrnoException).code);
    process.stderr.write(
      `Warning: the job has no summary: GITHUB_STEP_SUMMARY cannot be written: ${reason}\n`,
    );
  }
}
