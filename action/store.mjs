// Step "Store": stores this job's environment as a snapshot, for later comparisons.

import { fail, runEnvsnap, setting, writeOutputs } from './program.mjs';

const args = ['capture', '--json', '--dir', setting('INPUT_DIR') || '.'];
if (setting('INPUT_MACHINE_NAME') !== '') args.push('--machine-name', setting('INPUT_MACHINE_NAME'));
const { exitCode, stdout } = runEnvsnap(args);
if (exitCode === 0) {
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
