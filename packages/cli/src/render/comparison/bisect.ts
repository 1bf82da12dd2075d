// A bisection for a terminal: the plan, its progress, and the sentence at the end.

import { type Repair, repairStep } from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { BisectOutcome, BisectProgress, FailureRate } from '../../actions/bisect/bisect.ts';
import type { Change, Plan, Side } from '../../actions/bisect/bisect-change.ts';
import { envsnapCommand } from '../../connection/settings.ts';
import type { BisectDocument, ChangeText } from '../../documents/run-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';

export type RunProgress = Extract<BisectProgress, { readonly kind: 'run' }>;

/** Names of the two sides. */
export type SideTitles = Readonly<Record<Side, string>>;

const named = 3;

/** Renders the differences to try, and those that cannot be tried. `expected`: about how many runs it would take. */
export function renderPlan(
  { changes, notTried }: Plan,
  names: SideTitles,
  { screen, expected }: { readonly screen: Screen; readonly expected: number },
): string {
  const lines = [
    screen.paint(
      'bold',
      `${counted(changes.length, 'difference')} between ${visible(names.a)} and ${visible(names.b)} can be tried:`,
    ),
    ...changes.map(
      (change) => `  ${visible(change.texts.a)}  ${screen.paint('dim', `(else ${visible(change.texts.b)})`)}`,
    ),
    ...(notTried.length > 0 ? [notTriedLine(notTried)] : []),
    `Without --dry-run: about ${expected} runs of the command.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Shows the differences that need consent, with the effect of each; a question follows. */
export function renderRisks(risky: readonly Change[], names: SideTitles): string {
  const lines = risky.map(
    ({ texts, risk }) => `  ${visible(texts.a)}${risk === undefined ? '' : `  (can ${risk})`}`,
  );
  return `${visible(names.a)} holds ${counted(risky.length, 'value')} that may run code on this machine. Someone else recorded them, or they are always dangerous:\n${lines.join('\n')}\n`;
}

export function bisectProgressText(event: BisectProgress, names: SideTitles): string {
  if (event.kind === 'side-measured') {
    const what =
      event.side === 'b'
        ? `As on ${names.b}`
        : `With ${counted(event.differences, 'difference')} of ${names.a}`;
    return `${what}: ${rateText(event.rate)}`;
  }
  const { number, expected, eachMs, suspected } = event;
  const each = eachMs === undefined ? '' : `, ${seconds(eachMs)} each`;
  return `Run ${number} of about ${expected}${each}; ${counted(suspected.length, 'suspect')}: ${listOf(suspected)}`;
}

/** The state of a stopped bisection, and how to continue it. */
export function bisectStoppedText({ number, suspected }: RunProgress, resume: string | undefined): string {
  const known = `Stopped in run ${number}; ${counted(suspected.length, 'suspect')} left: ${listOf(suspected)}.`;
  return resume === undefined ? known : `${known}\nNext: ${resume}`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 9_950
    ? `${(milliseconds / 1000).toFixed(1)} s`
    : `${Math.round(milliseconds / 1000)} s`;
}

/** `output`: lines in which the command says why it fails. */
export function renderBisect(
  outcome: BisectOutcome,
  names: SideTitles,
  screen: Screen,
  { output, repair }: { readonly output: readonly string[]; readonly repair: Repair | null },
): string {
  const lines = [
    screen.paint('bold', visible(sentenceOf(outcome, names))),
    ...output.map((line) => `The output says: ${visible(line)}`),
    ...remarks(outcome, names, repair).map(visible),
  ];
  if (outcome.notTried.length > 0) lines.push(notTriedLine(outcome.notTried));
  if (outcome.outputFolder !== null)
    lines.push(screen.paint('dim', `Output of each run: ${visible(outcome.outputFolder)}`));
  return `${lines.join('\n')}\n`;
}

/** The one sentence: `FAILS exactly when TZ=Asia/Kolkata: proven in 9 runs.` */
function sentenceOf(outcome: BisectOutcome, names: SideTitles): string {
  const { verdict, causes, failingSide, runs, sides } = outcome;
  const texts = causes.map((cause) => cause.map((change) => change.texts[failingSide ?? 'a']).join(' and '));
  switch (verdict) {
    case 'proven':
      return `FAILS exactly when ${texts.join(', or when ')}: proven in ${counted(runs, 'run')}.`;
    case 'unproven':
      if (texts.length === 0)
        return `NOT PROVEN in ${counted(runs, 'run')}: the runs contradict each other, so something other than the environment plays a part.`;
      return `FAILS with ${texts.join(', or with ')}, but also without it, or in a different way: not proven in ${counted(runs, 'run')}.`;
    case 'alike': {
      const ends = (sides.b?.failed ?? 0) > 0 ? 'FAILS' : 'PASSES';
      const how = sides.b?.how ? ` (${sides.b.how})` : '';
      return `${ends} either way${how}: the values of ${names.a} that can be tried make no difference here.`;
    }
    case 'flaky': {
      const flaky = (['b', 'a'] as const).filter((side) => isMixed(sides[side]));
      const rates = flaky.map((side) => `${shareText(sides[side])} as on ${names[side]}`);
      return `FLAKY: the command fails ${rates.join(' and ')}, with nothing changed in between.`;
    }
    case 'nothing-to-try':
      return `Nothing to try: no difference between ${names.a} and ${names.b} can be applied to a command here.`;
  }
}

function remarks(outcome: BisectOutcome, names: SideTitles, repair: Repair | null): string[] {
  const { skipped, causes } = outcome;
  const mayBeLess = causes.some(({ length }) => length > 1) ? ' Fewer of these may be enough.' : '';
  const skips = `The command skipped ${counted(skipped, 'run')} (exit code 125), which counted neither as failing nor as passing.${mayBeLess}`;
  return [...verdictRemarks(outcome, names, repair), ...(skipped > 0 ? [skips] : [])];
}

function verdictRemarks(
  { verdict, causes, failingSide }: BisectOutcome,
  names: SideTitles,
  repair: Repair | null,
): string[] {
  if (verdict === 'flaky')
    return [
      'A bisection needs a command that always ends the same way: check whether it depends on time, order, randomness or the network first.',
    ];
  const look = repair
    ? `Next: ${repairStep(repair)}${repairPlace(repair, names)}`
    : `Next: ${envsnapCommand('compare', names.a, ...(names.b === 'this machine' ? [] : [names.b]))} shows all that differs, with repairs.`;
  if (verdict === 'nothing-to-try') return [look];
  if (verdict === 'alike')
    return ['The cause is a difference that could not be tried, or it is not in the environment.', look];
  if (verdict !== 'proven') return [];
  const passing = failingSide === 'a' ? 'b' : 'a';
  return [
    `It passes with ${causes
      .flat()
      .map((change) => change.texts[passing])
      .join(' and ')}, as on ${names[passing]}.`,
    ...(repair ? [look] : []),
  ];
}

/** Where to repair it, unless that is here. */
function repairPlace({ side }: Repair, names: SideTitles): string {
  if (side === 'both') return ' (on both sides)';
  return names[side] === 'this machine' ? '' : ` (on ${names[side]})`;
}

function notTriedLine(notTried: readonly { key: string; reason: string }[]): string {
  const byReason = Map.groupBy(notTried, ({ reason }) => reason);
  const parts = [...byReason].map(([reason, items]) => {
    const keys = items.slice(0, named).map(({ key }) => visible(key));
    const rest = items.length > named ? ` and ${items.length - named} more` : '';
    return `${keys.join(', ')}${rest} (${reason})`;
  });
  const shown = parts.slice(0, named).join('; ');
  return `Not tried: ${shown}${parts.length > named ? `; and ${counted(parts.length - named, 'other reason')}` : ''}.`;
}

function listOf(changes: readonly Change[]): string {
  const names = changes.slice(0, named).map(({ name }) => visible(name));
  return changes.length > named ? `${names.join(', ')}, …` : names.join(', ');
}

function rateText({ failed, runs, how }: FailureRate): string {
  if (failed === 0) return `passes (${counted(runs, 'run')})`;
  return failed === runs
    ? `fails (${counted(runs, 'run')}, ${how})`
    : `fails ${failed} of ${runs} times (${how})`;
}

function shareText(rate: FailureRate | undefined): string {
  return `${rate?.failed ?? 0} of ${counted(rate?.runs ?? 0, 'time')}`;
}

function isMixed(rate: FailureRate | undefined): boolean {
  return rate !== undefined && rate.failed > 0 && rate.failed < rate.runs;
}

export function bisectToDocument(
  outcome: BisectOutcome,
  names: SideTitles,
  repair: Repair | null,
): BisectDocument {
  const { verdict, causes, runs, skipped, notTried, sides, outputFolder } = outcome;
  return {
    verdict,
    what: sentenceOf(outcome, names),
    cause: causes.flatMap((cause, set) => cause.map((change) => ({ ...changeTextOf(change), set }))),
    proven: verdict === 'proven',
    repair: repair && { side: repair.side, commands: [...repair.commands] },
    runs,
    skipped,
    notTried,
    sides,
    outputFolder,
  };
}

export function planToDocument({ changes, notTried }: Plan): BisectDocument {
  return {
    verdict: 'planned',
    what: null,
    cause: [],
    proven: false,
    repair: null,
    runs: 0,
    skipped: 0,
    notTried,
    sides: {},
    outputFolder: null,
    planned: changes.map(changeTextOf),
  };
}

function changeTextOf({ id, texts }: Change): ChangeText {
  return { key: id, a: texts.a, b: texts.b };
}
