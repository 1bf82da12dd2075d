// Stores this job's environment as a snapshot, for later comparisons.

import { fail, input, runEnvsnap, writeOutputs } from './program.mjs';

/** Stores it with the outcome, if there is one, and returns its id. Fails the step where it cannot. */
export function store(program) {
  const args = ['capture', '--json', '--dir', input('dir') || '.'];
  if (input('machine-name') !== '') args.push('--machine-name', input('machine-name'));
  // `success` and `failure` are what GitHub calls it; a job that was cancelled ended neither way.
  const outcome = { success: 'passed', failure: 'failed' }[input('outcome')] ?? input('outcome');
  if (outcome === 'passed' || outcome === 'failed') {
    args.push('--outcome', outcome);
    if (input('outcome-of') !== '') args.push('--outcome-of', input('outcome-of'));
  }
  const known = ['', 'passed', 'failed', 'cancelled', 'skipped'].includes(outcome);
  const { exitCode, stdout } = known ? runEnvsnap(program, args) : { exitCode: 2, stdout: '' };
  if (!known) {
    fail(`The input outcome is "${outcome}": write passed, failed or \${{ job.status }}`);
  } else if (exitCode === 0) {
    const { id } = JSON.parse(stdout);
    writeOutputs({ 'snapshot-id': id });
    process.stdout.write(`Stored snapshot ${id}\n`);
    return id;
  } else {
    let reason = `exit code ${exitCode}`;
    try {
      reason = JSON.parse(stdout).error.message;
    } catch {
      // No document: the log has what standard error said.
    }
    fail(`The snapshot was not stored: ${reason}`);
  }
}
