// envsnap record-run: the process beside envsnap run. Its standard input has the command, and at the end its result.

import { createInterface } from 'node:readline';
import { comparisonToDocument } from '@envsnap/compare/formats/json';
import {
  type Cause,
  isInOutput,
  kindOf,
  repairStep,
  topCauses,
  withoutTerminalHints,
} from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { jsonText, visible } from '@envsnap/shared/text/visible';
import { boolean } from '@oclif/core/flags';
import { recordingDone } from '../../plain/pending-recordings.js';
import { BaseCommand } from '../base-command.ts';
import { connectionWords, envsnapCommand } from '../connection/settings.ts';
import type { RunDocument } from '../documents/run-documents.ts';
import { describeError, type ErrorReport } from '../errors/error-report.ts';
import { renderError } from '../render/error.ts';
import { duration, when } from '../render/layout/table.ts';
import { wrapLines } from '../render/layout/wrap-words.ts';
import { type RecordedRun, type RunEnd, recordRun } from '../runs/record-run.ts';
import { type Screen, screenOf } from '../terminal/terminal.ts';

/** The first message of bin/run-command.js; a {@link RunEnd} follows. */
interface Request {
  readonly flags: {
    readonly of?: string;
    readonly junit?: readonly string[];
    readonly ctrf?: readonly string[];
    readonly 'machine-name'?: string;
    readonly 'base-url'?: string;
    readonly profile?: string;
    readonly json?: boolean;
  };
  readonly command: readonly string[];
  readonly startedAt: number;
}

export default class RecordRun extends BaseCommand {
  static override summary = 'Record a run, for envsnap run.';
  static override hidden = true;
  static override flags = { 'at-once': boolean({ summary: 'Do not wait for other recordings.' }) };

  override async run(): Promise<void> {
    await this.parse(RecordRun);
    // The run that waits for the message may have given up. The recording continues.
    process.stdout.removeAllListeners('error').on('error', () => undefined);
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const next = async () => {
      const { value } = await lines.next();
      return value === undefined ? undefined : (JSON.parse(value) as unknown);
    };
    const request = (await next()) as Request | undefined;
    if (!request) return;
    const end = next() as Promise<RunEnd | undefined>;
    const text = await this.record(request, end).finally(recordingDone);
    if ((await end)?.answers) this.printAsIs(text);
  }

  /** Records the run, and returns the message about it. */
  private async record({ flags, command, startedAt }: Request, end: Promise<RunEnd | undefined>) {
    const { of, junit = [], ctrf = [], 'machine-name': machineName, json } = flags;
    try {
      const connection = connectionWords(flags);
      const start = { of, machineName, junit, ctrf, command, startedAt, connection };
      const store = await this.snapshotStore(flags);
      const recorded = await recordRun(start, end, store, ({ answers }) => {
        // Nobody else listens for this error.
        if (answers || junit.length + ctrf.length > 0) process.stdout.write('\n');
      });
      if (!recorded) return '';
      if (json) return jsonText(runToDocument(recorded));
      return renderRun(recorded, screenOf(recorded.end.screen ?? {}));
    } catch (error) {
      const report = describeError(error);
      return json ? jsonText({ error: report }) : renderRefusal(report, screenOf((await end)?.screen ?? {}));
    }
  }
}

const causesShown = 3;
const testsShown = 3;

function runToDocument(run: RecordedRun): RunDocument {
  const { id, refusal, end, outcome, against, report, first, missing, problems } = run;
  const { exitCode, signal } = end;
  return {
    id,
    exitCode,
    signal,
    outcome,
    against: against && {
      id: against.id ?? null,
      machineName: against.machineName,
      createdAt: against.createdAt ?? null,
    },
    comparison: report && comparisonToDocument(report),
    explanations: [...run.explanations],
    findings: first?.findings ?? [],
    output: first?.output ?? [],
    notFound: missing,
    problems: refusal ? [...problems, notRecorded(refusal)] : problems,
  };
}

/** Why a run was not recorded, with advice. */
function renderRefusal(refusal: ErrorReport, screen: Screen): string {
  return renderError({ ...refusal, message: notRecorded(refusal) }, screen);
}

function notRecorded({ message }: ErrorReport): string {
  return `the run was not recorded: ${message}`;
}

/** Renders a failed run in a few lines. Empty for one that passed, unless it was not recorded. */
function renderRun(run: RecordedRun, screen: Screen): string {
  const refused = run.refusal ? renderRefusal(run.refusal, screen) : '';
  return run.outcome.result === 'passed' ? refused : refused + renderFailed(run, screen);
}

function renderFailed(run: RecordedRun, screen: Screen): string {
  const { outcome, end, problems } = run;
  const lines: string[] = [];
  const say = (text: string, indent = '') => lines.push(indent + visible(text));
  const sayNext = (text: string) => lines.push(`  ${screen.paint('bold', 'Next:')} ${visible(text)}`);
  const ended = end.signal === null ? `exit code ${end.exitCode}` : end.signal;
  const failed = `envsnap: ${outcome.of} failed (${ended}, ${duration(end.durationMs)})${failedTests(run)}`;
  if (run.missing) {
    // The first line about a command that did not start is already written.
    if (!end.isMissing) say(`${failed}: ${run.missing.name} was not found.`);
    for (const known of run.missing.known) say(sentence(known), '  ');
    if (end.isMissing && run.missing.known.length === 0)
      say('The project does not mention it, and nothing on PATH has a similar name.', '  ');
    if (run.missing.next !== null) sayNext(run.missing.next);
    return wrapLines(lines.map((line) => `${line}\n`).join(''), screen.columns);
  }
  say(`${failed}.${comparedWith(run, screen)}`);
  for (const explanation of run.explanations) say(explanation, '  ');
  const causes = run.report ? topCausesOf(run.report) : [];
  for (const [place, { what, advice, evidence }] of causes.entries()) {
    const isRepeated = causes.slice(0, place).some((earlier) => earlier.evidence === evidence);
    const named = evidence === undefined || isRepeated ? '' : ` The output says: ${evidence}`;
    const line = `  ${place + 1}. ${visible(`${what}: ${withoutTerminalHints(advice)}.${named}`)}`;
    lines.push(place === 0 ? screen.paint('bold', line) : line);
  }
  const { findings, output } = run.first ?? { findings: [], output: [] };
  for (const [place, { message, advice }] of findings.slice(0, causesShown).entries())
    say(`${place + 1}. ${sentence(advice === null ? message : `${message}: ${advice}`)}`, '  ');
  if (findings.length > causesShown)
    say(`${findings.length - causesShown} more: envsnap check shows all.`, '  ');
  for (const words of output) say(`The output says: ${words}`, '  ');
  for (const problem of problems) say(`Note: ${sentence(problem)}`, '  ');
  if (isUnread(end))
    say(`The output went to the terminal and was not read. To pass it in: ${failureHint(run)}`, '  ');
  const next = run.first ? firstRepair(run) : nextStep(run);
  if (next !== null) sayNext(next);
  if (run.first)
    for (const line of baselineAdvice(next === null && run.explanations.length === 0)) say(line, '  ');
  return wrapLines(`${lines.join('\n')}\n`, screen.columns);
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** What the output names comes first. A setting that the project does not ask for is a guess, unless the output names it. */
function firstRepair({ first, explanations }: RecordedRun): string | null {
  const [found] = first?.findings ?? [];
  const isSure = found?.named || (first?.isLacking && explanations.length === 0);
  return (isSure && found?.advice) || null;
}

function isUnread({ stdout, stderr }: RunEnd): boolean {
  return stdout === undefined && stderr === undefined;
}

function outputThroughPipe({ connection, command }: RecordedRun['start']): string {
  return `${envsnapCommand('run', ...connection, '--', ...command)} 2>&1 | cat`;
}

/** The command that reads output from standard input. */
function failureHint({ against, reference, start }: RecordedRun): string {
  if (!against) return outputThroughPipe(start);
  const failed = reference.replace('last-passed', 'last-failed');
  return envsnapCommand('compare', reference, failed, '--failure', '-');
}

function baselineAdvice(isNext: boolean): string[] {
  const compared =
    'envsnap capture --output works.json where it passes, then envsnap compare works.json local here.';
  return [
    `${isNext ? 'Next' : 'If it still fails'}: ${compared}`,
    'Once it has passed here, the next failure is compared with that run.',
  ];
}

function topCausesOf(report: NonNullable<RecordedRun['report']>) {
  const named = report.causes.find(isInOutput);
  const first = named ?? topCauses(report, 1)[0];
  if (!first) return [];
  return [first, ...report.causes.filter((cause) => cause !== first && cause.score > 0)].slice(
    0,
    causesShown,
  );
}

function comparedWith({ against, report, first, explanations }: RecordedRun, screen: Screen): string {
  if (!against || !report) {
    const { isLacking = false, findings = [] } = first ?? {};
    const isExplained = explanations.length > 0 || (!isLacking && findings[0]?.named);
    const lacking = `This machine ${isLacking ? 'lacks what the project asks for:' : 'has what the project declares and locks.'}`;
    return ` No run of it has passed yet. ${isExplained ? 'The output explains it:' : lacking}`;
  }
  const moment = against.createdAt === undefined ? '' : `, ${when(against.createdAt, screen)}`;
  const it = `the last run that passed (${against.machineName}${moment})`;
  if (topCausesOf(report).length === 0)
    return explanations.length > 0
      ? ` The output explains it; compared with ${it}, nothing that could be the cause differs:`
      : ` Nothing that could be the cause differs from ${it}: look at the code, the data and the time of day.`;
  return report.comparison.a.machineName === report.comparison.b.machineName
    ? ` Likeliest causes; A is ${it}, B is this one:`
    : ` Likeliest causes, compared with ${it}:`;
}

function failedTests({ outcome: { tests }, failedNames }: RecordedRun): string {
  const names = tests?.failed ?? failedNames;
  if (names.length === 0) return '';
  const count = names.length + (tests?.failedMore ?? 0);
  const more = count > testsShown ? ` and ${count - testsShown} more` : '';
  return `, ${counted(count, 'failed test')}: ${names.slice(0, testsShown).join(', ')}${more}`;
}

/** The repair of what the output names, or of what no experiment applies; else the command that tries the causes, or looks
 * at many runs. Null if this machine explains the output, because no experiment would say more. */
function nextStep({ report, outcome, start, end, reference, explanations }: RecordedRun): string | null {
  const [first] = report ? topCausesOf(report) : [];
  if (!first && explanations.length > 0) return null;
  if (!first && isUnread(end)) return outputThroughPipe(start);
  if (!first) return envsnapCommand('why', '--outcome-of', outcome.of, ...start.connection);
  const { repair, evidence, hinted } = first;
  if (repair.side !== 'a' && (!isTried(first) || (evidence !== undefined && !hinted)))
    return repairStep(repair);
  if (explanations.length > 0) return null;
  return envsnapCommand('bisect', reference, ...start.connection, '--', ...start.command);
}

/** Whether a bisection can apply the difference: it changes only what a process starts with, installs nothing, and does not
 * know the values of secrets. */
function isTried({ repair, section, keys: [name = ''] }: Cause): boolean {
  if (repair.kind === 'install' || repair.kind === 'restore') return false;
  // Activation of a virtual environment does more than a bisection of its folders.
  if (repair.kind === 'configure' && section === 'paths') return repair.commands.length === 0;
  if (section === 'env') return repair.kind === 'unset' || repair.value !== undefined;
  return section === 'runtimes' || section === 'paths' || kindOf({ section, name }).apply !== undefined;
}
