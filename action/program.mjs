// Shared by the parts of the action: its inputs, its outputs, and how it runs envsnap.

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A variable of the job; empty if it is not set. */
export function setting(name) {
  return process.env[name] ?? '';
}

/** An input of the action; empty if it is not given. */
export function input(name) {
  return setting(`INPUT_${name.toUpperCase()}`).trim();
}

/** The runs that this job belongs to. */
export function runName() {
  return input('outcome-of') || setting('GITHUB_JOB');
}

/** The pull request that this job runs for, as GitHub describes it, if there is one. */
export function pullRequest() {
  if (!['pull_request', 'pull_request_target'].includes(setting('GITHUB_EVENT_NAME'))) return undefined;
  return JSON.parse(readFileSync(setting('GITHUB_EVENT_PATH'), 'utf8')).pull_request;
}

/** The machine name under which this environment is stored. A failed run must not become the next job's baseline. */
export function machineName() {
  const byDefault = input('outcome') === '' ? 'github-actions' : 'github-actions-runs';
  return input('machine-name') || byDefault;
}

/** Creates the folder for the action's files in this job. Throws if something else has its name. */
export function workFolder() {
  const temporary = setting('RUNNER_TEMP');
  if (temporary === '')
    throw new Error('RUNNER_TEMP is not set: this program runs only as a step of a GitHub Actions job');
  const folder = path.join(temporary, 'envsnap');
  mkdirSync(folder, { recursive: true });
  if (lstatSync(folder).isSymbolicLink())
    throw new Error(`${folder} is a link: the files of this action would land elsewhere`);
  return folder;
}

/**
 * Runs a command of envsnap and returns its exit code and standard output; its standard error goes to the log. Flags without a
 * value are left out. `words` come after `--`, so that none is read as a flag, because a repository may choose the baseline. The
 * action's inputs are removed from the environment, so that they are not captured.
 */
export function runEnvsnap(program, command, flags, words = []) {
  const given = flags.filter(([, value]) => value !== '').map(([name, value]) => `--${name}=${value}`);
  const args = [...command, ...given, ...(words.length > 0 ? ['--', ...words] : [])];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('INPUT_')));
  if (input('base-url') !== '') env.ENVSNAP_BASE_URL = input('base-url');
  if (input('api-key') !== '') env.ENVSNAP_API_KEY = input('api-key');
  const result = spawnSync(program, args, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
  });
  if (result.error) throw new Error(`envsnap cannot be started: ${result.error.message}`);
  return { exitCode: result.status ?? 7, stdout: result.stdout };
}

/** Writes outputs of the step. Values may hold anything, line breaks too. */
export function writeOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) {
    const end = `end-${randomUUID()}`;
    appendFileSync(setting('GITHUB_OUTPUT'), `${name}<<${end}\n${value}\n${end}\n`);
  }
}

/** Writes one line to the log, without anything that a terminal or the runner would obey: others may have chosen the names. */
export function say(text, annotation = '') {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replaceAll('##[', '# #[');
  process.stdout.write(`${annotation}${annotation === '' ? plain : plain.replaceAll('%', '%25')}\n`);
}

/** Writes an annotation; the step continues. */
export function notice(message) {
  say(message, '::notice title=envsnap::');
}

/** Fails the step with an annotation. */
export function fail(message) {
  say(message, '::error title=envsnap::');
  process.exitCode = 1;
}
