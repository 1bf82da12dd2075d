// Compares the baseline with this job's environment, prints annotations, fills the step summary, and writes what the comment
// needs. Does not fail for differences.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fail, input, runEnvsnap, setting, workFolder, writeOutputs } from './program.mjs';

/** Returns the verdict; undefined where there is none. Fails the step where it cannot compare. */
export function compare(program) {
  const folder = workFolder();
  const comparison = path.join(folder, 'comparison.json');

  // A job that failed is compared with the last run of its name that passed.
  const isExplained = input('baseline') === '' && ['failure', 'failed'].includes(input('outcome'));
  const run = input('outcome-of') || setting('GITHUB_JOB');
  const baseline = isExplained ? `last-passed:${run}` : input('baseline');

  const args = ['compare'];
  if (baseline !== '') args.push(baseline, 'local');
  args.push('--dir', input('dir') || '.', '--format', 'github');
  args.push('--report', `json=${comparison}`, '--report', `markdown=${path.join(folder, 'comment.md')}`);
  for (const format of ['html', 'sarif']) {
    const file = input(format);
    if (file !== '') args.push('--report', `${format}=${file}`);
  }
  if (input('fail-on') !== '') args.push('--fail-on', input('fail-on'));
  for (const pattern of input('ignore').split('\n')) {
    if (pattern.trim() !== '') args.push('--ignore', pattern.trim());
  }

  const { exitCode, stdout } = runEnvsnap(program, args);
  process.stdout.write(stdout);
  if (exitCode === 4 && isExplained) {
    process.stdout.write(`No run of ${run} has passed yet, so there is nothing to compare this one with.\n`);
    return undefined;
  }
  if (exitCode > 1) {
    fail(`envsnap compare could not compare (exit code ${exitCode}); the log above says why`);
    return undefined;
  }
  const document = JSON.parse(readFileSync(comparison, 'utf8'));
  const counting = Object.values(document.summary).reduce((sum, section) => sum + section.counting, 0);
  const { verdict } = document;
  writeOutputs({ verdict, counting, cause: document.causes[0]?.what ?? '', comparison });
  return verdict;
}
