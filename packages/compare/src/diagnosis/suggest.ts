// Suggests the next run: one that separates keys that always changed together, or more runs where there are too few.

import { counted } from '@envsnap/shared/text/size';
import { shellWord } from '@envsnap/shared/text/visible';
import { codeText, listed, nameOf } from './finding-text.ts';
import { fisherExact, smallestPValue } from './fisher.ts';
import type { Group } from './grouping.ts';
import { type Diagnosis, findingLimit } from './model.ts';
import { absentCode, type Feature, firstValue, opaqueCode } from './run-table.ts';
import type { Split } from './splits.ts';

const mostAsked = 40;
/** With fewer runs of one kind, far more of the other would be needed. */
const fewestToAsk = 4;
/** Larger groups are not taken apart run by run. */
const mostTried = 12;

/** Runs that this account recorded here, so that a command may repeat what they hold. */
export interface OwnRuns {
  readonly of: string | undefined;
  /** The words of the command; undefined if it is not known. */
  readonly command: readonly string[] | undefined;
}

/** The run to make next; null if no run would help. */
export function suggestRun(
  runs: Diagnosis['runs'],
  groups: readonly Group[],
  tests: number,
  own?: OwnRuns,
): string | null {
  const { failed, passed } = runs;
  const record = recordingOf(own);
  if (passed + failed === 0) return `Record runs that pass and that fail: ${record}`;
  if (passed === 0 || failed === 0)
    return `Record at least ${missingRuns(runs)}. One of each may be enough: envsnap run compares a failure with the last run that passed. To record one: ${record}`;
  const [first] = groups;
  if (first && first.qValue <= findingLimit) return separatingRun(first, own);
  const isWhole = first?.split.inFailed === failed && first.split.inPassed === 0;
  const lead = first && (isWhole || first.split.pValue < 1) ? first : undefined;
  if (!lead && (tests === 0 || smallestPValue(failed, failed, passed) * tests <= findingLimit))
    return 'Nothing in the captures separates these runs. Look at the code, the data and the time of day, or run the same commit twice: the job may be flaky.';
  const whole = { inFailed: failed, ofFailed: failed, inPassed: 0, ofPassed: passed };
  const more = furtherRuns(lead?.split ?? whole, Math.max(1, tests));
  if (more === undefined)
    return `More than ${mostAsked} further runs of each kind would be needed. Look at the code, the data and the time of day first.`;
  const request = `${counted(more, 'more failing run')} and ${counted(more, 'more passing run')}`;
  const members = (lead?.members ?? []).filter((member) => !member.echo);
  if (lead && isWhole && members.length <= mostTried)
    return `${request} like these would rule out chance. ${separatingRun(lead, own)}`;
  const compared = own ? ' To rank what differs now: envsnap compare last-passed last-failed' : '';
  if (members[0] === undefined || members.length > mostTried)
    return `Record ${request}, to tell a real difference from chance: ${record}.${compared}`;
  const names = members.slice(0, mostChanged).map(({ feature }) => nameOf(feature));
  const either =
    members.length > names.length ? `${names[0]} or one of ${members.length - 1} others` : names.join(' or ');
  return `${request} like these would settle whether it is ${either}. To record one: ${record}`;
}

function recordingOf({ of, command }: OwnRuns = { of: undefined, command: undefined }): string {
  const named = command || !of ? [] : ['--of', of];
  const text = ['envsnap', 'run', ...named, '--', ...(command ?? ['COMMAND'])].map(shellWord).join(' ');
  return named.length === 0 ? text : `${text}, where COMMAND is the command of ${of}`;
}

/** The fewest further runs that can show more than chance: `3 passing runs and 3 more failing runs`. */
function missingRuns({ failed, passed }: Diagnosis['runs']): string {
  const had = failed + passed;
  const more = Math.max(0, fewestToAsk - had);
  let least = 1;
  while (smallestPValue(least, least, had + more) > findingLimit) least += 1;
  const [one, other] = failed > 0 ? ['passing', 'failing'] : ['failing', 'passing'];
  const wanted = counted(least, `${one} run`);
  return more === 0 ? wanted : `${wanted} and ${counted(more, `more ${other} run`)}`;
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

function separatingRun({ members, split }: Group, runs: OwnRuns | undefined): string {
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
  const command = runs ? ` To record it: ${experiment(own, changed.length, runs)}` : '';
  if (own.length === 1) return `${lead}. ${passes}, that is the cause.${chance}${command}`;
  const others = own.slice(changed.length).map(({ feature }) => nameOf(feature));
  const rest = others.length === 1 ? `is ${others[0]}` : `is among the other ${others.length}`;
  const found = changed.length === 1 ? 'that is the cause' : 'the cause is among these';
  return `${lead}. ${passes}, ${found}; if it fails, the cause ${rest}.${chance}${command}`;
}

/** The command that makes such a run. It sets the variables itself if all members are variables with known values. */
function experiment(members: Group['members'], changed: number, runs: OwnRuns): string {
  const settings = members.map(({ feature, split: { trait }, passingCode }, place) => {
    if (place < changed) return settingOf(feature, passingCode ?? absentCode);
    return settingOf(
      feature,
      trait.kind === 'lacks' ? absentCode : 'code' in trait ? trait.code : opaqueCode,
    );
  });
  if (settings.some((words) => words === undefined)) return recordingOf(runs);
  // The program env reads its options before its assignments.
  const words = (settings as string[][]).sort((x, y) => y.length - x.length).flat();
  return `env ${words.map(shellWord).join(' ')} ${recordingOf(runs)}`;
}

function settingOf({ key, entry, shown, values }: Feature, code: number): string[] | undefined {
  const name = /^env:([A-Za-z_]\w*)$/.exec(key)?.[1];
  if (name === undefined || entry !== undefined) return undefined;
  if (code === absentCode) return ['-u', name];
  const value = values[code - firstValue];
  const isKnown = shown && value?.fingerprintKey === undefined && (value?.text.length ?? 100) < 100;
  return isKnown ? [`${name}=${value?.text}`] : undefined;
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
