// Suggests the next run: one that separates keys that always changed together, or more runs where there are too few.

import { counted } from '@envsnap/shared/text/size';
import { codeText, listed, nameOf } from './finding-text.ts';
import { fisherExact, smallestPValue } from './fisher.ts';
import type { Group } from './grouping.ts';
import { type Diagnosis, findingLimit } from './model.ts';
import { absentCode } from './run-table.ts';
import type { Split } from './splits.ts';

const mostAsked = 40;

/** The run to make next; null if no run would help. */
export function suggestRun(runs: Diagnosis['runs'], groups: readonly Group[], tests: number): string | null {
  if (runs.passed + runs.failed === 0) return 'Record runs that pass and that fail: envsnap run -- COMMAND.';
  if (runs.passed === 0 || runs.failed === 0) {
    const missing = runs.failed === 0 ? 'failing' : 'passing';
    const had = runs.passed + runs.failed;
    let least = 1;
    while (smallestPValue(least, least, had) > findingLimit) least += 1;
    return `Record at least ${counted(least, `${missing} run`)}: envsnap run -- COMMAND.`;
  }
  const [first] = groups;
  if (first && first.qValue <= findingLimit) return separatingRun(first);
  const lead = first?.members[0] && first.split.pValue < 1 ? first : undefined;
  const { failed, passed } = runs;
  const whole = { inFailed: failed, ofFailed: failed, inPassed: 0, ofPassed: passed };
  if (!lead && smallestPValue(failed, failed, passed) * Math.max(1, tests) <= findingLimit)
    return 'Nothing in the captures separates these runs. Look at the code, the data and the time of day, or run the same commit twice: the job may be flaky.';
  const more = furtherRuns(lead?.split ?? whole, Math.max(1, tests));
  const own = (lead?.members ?? []).filter((member) => !member.echo).map(({ feature }) => feature);
  if (more === undefined)
    return `More than ${mostAsked} further runs of each kind would be needed. Look at the code, the data and the time of day first.`;
  const request = `${counted(more, 'more failing run')} and ${counted(more, 'more passing run')}`;
  if (own[0] === undefined)
    return `Record ${request}, to tell a real difference from chance: envsnap run -- COMMAND records one. Or try what differs now: envsnap bisect last-passed -- COMMAND.`;
  const names = own.slice(0, mostChanged).map(nameOf);
  const either =
    own.length > names.length ? `${names[0]} or one of ${own.length - 1} others` : names.join(' or ');
  const now = own[0].key.startsWith('env:') ? ' Or try it now: envsnap bisect last-passed -- COMMAND.' : '';
  return `${request} like these would settle whether it is ${either}. envsnap run -- COMMAND records one.${now}`;
}

function furtherRuns(
  { inFailed, ofFailed, inPassed, ofPassed }: Pick<Split, 'inFailed' | 'ofFailed' | 'inPassed' | 'ofPassed'>,
  tests: number,
): number | undefined {
  for (let more = 1; more <= mostAsked; more += 1) {
    const [failed, passed] = [ofFailed + more, ofPassed + more];
    const hits = Math.round((inFailed / ofFailed) * failed);
    const others = Math.round((inPassed / ofPassed) * passed);
    if (fisherExact(hits, failed, others, passed) * tests <= findingLimit) return more;
  }
  return undefined;
}

function separatingRun({ members, split }: Group): string {
  const own = members.filter((member) => !member.echo);
  const changed = own.slice(0, leastShare(own.map(({ weight }) => weight)));
  const back = listed(
    changed.map(({ feature, passingCode }) => codeText(feature, passingCode ?? absentCode)),
  );
  const times = runsToTrust(split);
  const lead = `Run it ${times === 1 ? 'once' : `${times} times`} with ${back} and everything else as in the failing runs`;
  // If runs with the trait also passed, another run may pass by chance.
  const chance =
    times === 1
      ? ''
      : ` ${split.inPassed} of ${split.inFailed + split.inPassed} runs passed with the other value.`;
  const passes = times === 1 ? 'If it passes' : 'If all pass';
  if (own.length === 1) return `${lead}. ${passes}, that is the cause.${chance}`;
  const others = own.slice(changed.length).map(({ feature }) => nameOf(feature));
  const rest = others.length === 1 ? `is ${others[0]}` : `is among the other ${others.length}`;
  const found = changed.length === 1 ? 'that is the cause' : 'the cause is among these';
  return `${lead}. ${passes}, ${found}; if it fails, the cause ${rest}.${chance}`;
}

/** How many runs in a row must pass to rule out chance; one if every run with the trait failed. */
function runsToTrust({ inFailed, inPassed }: Split): number {
  return inPassed === 0 ? 1 : Math.ceil(Math.log(findingLimit) / Math.log(inPassed / (inFailed + inPassed)));
}

const mostChanged = 3;

/** How many of the likeliest members have half of the total weight, so that one run halves what is left to check. */
function leastShare(weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const likeliest = weights[0] ?? 0;
  if (weights.length === 1 || likeliest >= 1.3 * (weights[1] ?? 0)) return 1;
  let sum = 0;
  for (const [place, weight] of weights.entries()) {
    sum += weight;
    if (sum >= total / 2 || place + 1 === mostChanged) return Math.min(place + 1, weights.length - 1);
  }
  return 1;
}
