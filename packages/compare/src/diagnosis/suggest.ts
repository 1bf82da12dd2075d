// Names the run to make next: the one that separates what always came together, or the runs that are still missing.

import { smallestPValue } from './fisher.ts';
import type { Group } from './group.ts';
import { type Diagnosis, findingLimit } from './model.ts';
import { absentCode } from './run-table.ts';
import { listed, nameOf, tellCode } from './tell.ts';

/** Most runs of each kind that are asked for. */
const mostAsked = 40;

/** The run to make next; null when no run would tell more. */
export function suggestRun(runs: Diagnosis['runs'], groups: readonly Group[], tests: number): string | null {
  if (runs.passed === 0 || runs.failed === 0) {
    const missing = runs.failed === 0 ? 'failed' : 'passed';
    return `Capture runs that ${missing} too: envsnap capture --outcome ${missing}.`;
  }
  const [first] = groups;
  if (first && first.qValue <= findingLimit) return separatingRun(first);
  const needed = runsNeeded(runs, Math.max(1, tests));
  if (needed === undefined)
    return 'Nothing in the captures separates these runs. Look at the code, the data and the time of day, or run the same commit twice: the job may be flaky.';
  const asked = `With ${needed} failing and ${needed} passing runs a difference could be told from chance`;
  const lead =
    first?.members[0] && first.split.pValue < 1 ? `; watch ${nameOf(first.members[0].feature)} first` : '';
  return `${asked}${lead}.`;
}

/** How many runs of each kind allow a finding; undefined when there are enough already. */
function runsNeeded({ passed, failed }: Diagnosis['runs'], tests: number): number | undefined {
  if (smallestPValue(failed, failed, passed) * tests <= findingLimit) return undefined;
  for (let count = Math.max(3, Math.min(passed, failed)); count < mostAsked; count += 1) {
    if (smallestPValue(count, count, count) * tests <= findingLimit) return count;
  }
  return mostAsked;
}

function separatingRun({ members }: Group): string {
  const own = members.filter((member) => !member.echo);
  const changed = own.slice(0, leastShare(own.map(({ weight }) => weight)));
  const back = listed(
    changed.map(({ feature, passingCode }) => tellCode(feature, passingCode ?? absentCode)),
  );
  if (own.length === 1)
    return `Run it once with ${back} and everything else as in the failing runs. If it passes, that is the cause.`;
  const others = own.slice(changed.length).map(({ feature }) => nameOf(feature));
  const rest = others.length === 1 ? `is ${others[0]}` : `is among the other ${others.length}`;
  const found = changed.length === 1 ? 'that is the cause' : 'the cause is among these';
  return `Run it once with ${back} and everything else as in the failing runs. If it passes, ${found}; if it fails, the cause ${rest}.`;
}

/** Most keys that one run is asked to change. */
const mostChanged = 3;

/** How many members, the likeliest first, hold at least half of all weight between them, so that one run halves the doubt. */
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
