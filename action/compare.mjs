// Step "Compare": compares the baseline with this job's environment, prints annotations, fills the step summary, and
// writes what the steps after it need. Does not fail for differences: the last step does, after the comment is made.

import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fail, runEnvsnap, setting, workFolder, writeOutputs } from './program.mjs';

const folder = workFolder();
mkdirSync(folder, { recursive: true });
const comparison = path.join(folder, 'comparison.json');

// A job that failed is compared with the last run of its name that passed.
const isExplained =
  setting('INPUT_BASELINE') === '' && ['failure', 'failed'].includes(setting('INPUT_OUTCOME'));
const run = setting('INPUT_OUTCOME_OF') || setting('GITHUB_JOB');
const baseline = isExplained ? `last-passed:${run}` : setting('INPUT_BASELINE');

const args = ['compare'];
if (baseline !== '') args.push(baseline, 'local');
args.push('--dir', setting('INPUT_DIR') || '.', '--format', 'github');
args.push('--report', `json=${comparison}`, '--report', `markdown=${path.join(folder, 'comment.md')}`);
for (const format of ['html', 'sarif']) {
  const file = setting(`INPUT_${format.toUpperCase()}`);
  if (file !== '') args.push('--report', `${format}=${file}`);
}
if (setting('INPUT_FAIL_ON') !== '') args.push('--fail-on', setting('INPUT_FAIL_ON'));
for (const pattern of setting('INPUT_IGNORE').split('\n')) {
  if (pattern.trim() !== '') args.push('--ignore', pattern.trim());
}

const { exitCode, stdout } = runEnvsnap(args);
process.stdout.write(stdout);
if (exitCode === 4 && isExplained) {
  process.stdout.write(`No run of ${run} has passed yet, so there is nothing to compare this one with.\n`);
} else if (exitCode > 1) {
  fail(`envsnap compare could not compare (exit code ${exitCode}); the log above says why`);
} else {
  const document = JSON.parse(readFileSync(comparison, 'utf8'));
  const counting = Object.values(document.summary).reduce((sum, section) => sum + section.counting, 0);
  writeOutputs({ verdict: document.verdict, counting, cause: document.causes[0]?.what ?? '', comparison });
}
