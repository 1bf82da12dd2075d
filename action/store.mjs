// Stores this job's environment as a snapshot, for later comparisons.

import { fail, input, machineName, notice, runEnvsnap, say, writeOutputs } from './program.mjs';

/**
 * Stores it with the outcome, if there is one, and returns its id. If that fails, the step fails, unless the quota is used
 * up, which says nothing about this job.
 */
export function store(program) {
  // GitHub's words are `success` and `failure`; a cancelled job ended neither way.
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
      // There is no document; standard error is in the log.
    }
    if (code === 'snapshot_quota_exceeded')
      notice(`The snapshot was not stored: ${reason}. To delete old ones: envsnap snapshot delete --keep 5`);
    else fail(`The snapshot was not stored: ${reason}`);
  }
  return undefined;
}
