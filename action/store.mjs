// Stores this job's environment as a snapshot, for later comparisons.

import { fail, input, runEnvsnap, say, writeOutputs } from './program.mjs';

/** Stores it with the outcome, if there is one, and returns its id. Fails the step where it cannot. */
export function store(program) {
  // `success` and `failure` are what GitHub calls it; a job that was cancelled ended neither way.
  const outcome = { success: 'passed', failure: 'failed' }[input('outcome')] ?? input('outcome');
  const hasEnded = outcome === 'passed' || outcome === 'failed';
  const flags = [
    ['dir', input('dir')],
    ['machine-name', input('machine-name')],
    ['outcome', hasEnded ? outcome : ''],
    ['outcome-of', hasEnded ? input('outcome-of') : ''],
  ];
  const known = ['', 'passed', 'failed', 'cancelled', 'skipped'].includes(outcome);
  const { exitCode, stdout } = known
    ? runEnvsnap(program, ['capture', '--json'], flags)
    : { exitCode: 2, stdout: '' };
  if (!known) {
    fail(`The input outcome is "${outcome}": write passed, failed or \${{ job.status }}`);
  } else if (exitCode === 0) {
    const { id } = JSON.parse(stdout);
    writeOutputs({ 'snapshot-id': id });
    say(`Stored snapshot ${id}`);
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
