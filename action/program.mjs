// What the steps of the action share: where envsnap is, how it is run, and how outputs are written.

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';

/** A setting of the job; the empty text where it is not set. */
export function setting(name) {
  return process.env[name] ?? '';
}

/** Folder of the action's own files in this job. */
export function workFolder() {
  const temporary = setting('RUNNER_TEMP');
  if (temporary === '')
    throw new Error('RUNNER_TEMP is not set: this runs as a step of a GitHub Actions job only');
  return path.join(temporary, 'envsnap');
}

/**
 * Runs envsnap and returns its exit code and standard output; its standard error goes to the log. The inputs of the
 * action are taken out of its environment, so that they are not captured.
 */
export function runEnvsnap(args) {
  const modules = path.join(workFolder(), 'node_modules');
  const ownNode = path.join(modules, 'node/bin/node');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('INPUT_')));
  if (setting('INPUT_BASE_URL') !== '') env.ENVSNAP_BASE_URL = setting('INPUT_BASE_URL');
  if (setting('INPUT_API_KEY') !== '') env.ENVSNAP_API_KEY = setting('INPUT_API_KEY');
  const result = spawnSync(
    existsSync(ownNode) ? ownNode : process.execPath,
    [path.join(modules, 'envsnap/bin/run.js'), ...args],
    { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 256 * 1024 * 1024 },
  );
  if (result.error) throw result.error;
  return { exitCode: result.status ?? 7, stdout: result.stdout };
}

/** Writes outputs of the step. Values may hold anything, line breaks too. */
export function writeOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) {
    const end = `end-${randomUUID()}`;
    appendFileSync(setting('GITHUB_OUTPUT'), `${name}<<${end}\n${value}\n${end}\n`);
  }
}

/** Fails the step with one annotation. */
export function fail(message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::error title=envsnap::${escaped}\n`);
  process.exitCode = 1;
}
