// Compares the baseline with this job's environment, prints annotations, fills the step summary, and writes what the comment
// needs. Does not fail for differences.

import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  fail,
  input,
  machineName,
  notice,
  runEnvsnap,
  runName,
  say,
  workFolder,
  writeOutputs,
} from './program.mjs';

/** Returns the verdict; undefined if there is none. Fails the step if it cannot compare. */
export function compare(program) {
  const folder = workFolder();
  const comparison = path.join(folder, 'comparison.json');
  const comment = path.join(folder, 'comment.md');
  // Removes what an earlier step left there: an old comparison would be posted, and a link would be followed.
  for (const file of [comparison, comment]) rmSync(file, { recursive: true, force: true });

  // A job that failed is compared with the last run of its name that passed.
  const isExplained = input('baseline') === '' && ['failure', 'failed'].includes(input('outcome'));
  const baseline = isExplained ? `last-passed:${runName()}` : input('baseline');

  const reports = ['html', 'sarif'].filter((format) => input(format) !== '');
  const { exitCode, stdout } = runEnvsnap(
    program,
    ['compare', '--format=github'],
    [
      ['dir', input('dir')],
      ['report', `json=${comparison}`],
      ['report', `markdown=${comment}`],
      ...reports.map((format) => ['report', `${format}=${input(format)}`]),
      ['fail-on', input('fail-on')],
      ...input('ignore')
        .split('\n')
        .map((pattern) => ['ignore', pattern.trim()]),
    ],
    baseline === '' ? [] : [baseline, 'local'],
  );
  process.stdout.write(stdout);
  if (exitCode === 4 && isExplained) {
    say(`No run of ${runName()} has passed yet, so there is nothing to compare this one with.`);
    return undefined;
  }
  // Next time there is a baseline only if this job stores one now.
  const isOwn = baseline === 'latest' || baseline === `latest:${machineName()}`;
  if (exitCode === 4 && input('store') === 'true' && isOwn) {
    notice(`There is no baseline ${baseline} yet, so nothing was compared`);
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
