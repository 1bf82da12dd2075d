// Stores this job's environment as a snapshot, for later comparisons.

import { fail, input, machineName, notice, runEnvsnap, say, writeOutputs } from './program.mjs';

/**
 * Stores it with the outcome, if there is one, and returns its id. Fails the step where it cannot, unless the quota is used up:
 * that says nothing about this job.
 */
export function store(program) {
  // `success` and `failure` are what GitHub calls it; a job that was cancelled ended neither way.
  const outcome = { success: 'passed', failure: 'failed' }[input('outcome')] ?? input('outcome');
  const hasEnded = outcome === 'passed' || outcome === 'failed';
  if (['cancelled', 'skipped'].includes(outcome)) {
    say(`The job was ${outcome}, so this run is not stored.`);
    return undefined;
  }
  if (outcome !== '' && !hasEnded) {
    fail(`The input outcome is "${outcome}": write passed, failed or \${{ job.status }}`);
    return undefined;
  }
  const { exitCode, stdout } = runEnvsnap(
    program,
    ['capture', '--json'],
    [
      ['dir', input('dir')],
      ['machine-name', machineName()],
      ['outcome', outcome],
      ['outcome-of', input('outcome-of')],
    ],
  );
  if (exitCode === 0) {
    const { id } = JSON.parse(stdout);
    writeOutputs({ 'snapshot-id': id });
    say(`Stored snapshot ${id}`);
    return id;
  } else {
    let code;
    let reason = `exit code ${exitCode}`;
    try {
      ({ code, message: reason } = JSON.parse(stdout).error);
    } catch {
      // No document: the log has what standard error said.
    }
    if (code === 'snapshot_quota_exceeded')
      notice(`The snapshot was not stored: ${reason}. Old ones go with: envsnap snapshot delete --keep 5`);
    else fail(`The snapshot was not stored: ${reason}`);
  }
  return undefined;
}
