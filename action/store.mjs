// Step "Store": stores this job's environment as a snapshot, for later comparisons.

import { fail, runEnvsnap, setting, writeOutputs } from './program.mjs';

const args = ['capture', '--json', '--dir', setting('INPUT_DIR') || '.'];
if (setting('INPUT_MACHINE_NAME') !== '') args.push('--machine-name', setting('INPUT_MACHINE_NAME'));
// `success` and `failure` are what GitHub calls it; a job that was cancelled ended neither way.
const outcome =
  { success: 'passed', failure: 'failed' }[setting('INPUT_OUTCOME')] ?? setting('INPUT_OUTCOME');
if (outcome === 'passed' || outcome === 'failed') {
  args.push('--outcome', outcome);
  if (setting('INPUT_OUTCOME_OF') !== '') args.push('--outcome-of', setting('INPUT_OUTCOME_OF'));
}
const known = ['', 'passed', 'failed', 'cancelled', 'skipped'].includes(outcome);
const { exitCode, stdout } = known ? runEnvsnap(args) : { exitCode: 2, stdout: '' };
if (!known) {
  fail(`The input outcome is "${outcome}": write passed, failed or \${{ job.status }}`);
} else if (exitCode === 0) {
  const { id } = JSON.parse(stdout);
  writeOutputs({ 'snapshot-id': id });
  process.stdout.write(`Stored snapshot ${id}\n`);
} else {
  let reason = `exit code ${exitCode}`;
  try {
    reason = JSON.parse(stdout).error.message;
  } catch {
    // No document: the log has what standard error said.
  }
  fail(`The snapshot was not stored: ${reason}`);
}
