// The summary of a job on GitHub.

import { appendFile } from 'node:fs/promises';
import { refusalReason } from '../errors/cli-error.ts';

/** Adds Markdown to the job's summary, if there is one. A failure is only reported and does not change the result. */
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
