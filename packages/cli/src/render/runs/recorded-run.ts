// What there is to say after a run that failed: the likeliest causes against the last one that passed, and the next command.

import { comparisonToDocument } from '@envsnap/compare/formats/json';
import { topCauses, withoutTerminalHints } from '@envsnap/compare/workspace';
import { defaultRunName, type RunOutcome } from '@envsnap/shared/run-outcome';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { RunDocument } from '../../documents/run-documents.ts';
import type { ErrorReport } from '../../errors/error-report.ts';
import type { RecordedRun } from '../../runs/record-run.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { renderError } from '../error.ts';
import { envsnapCommand } from '../layout/envsnap-command.ts';
import { duration, when } from '../layout/time.ts';
import { wrapWords } from '../layout/wrap-words.ts';

/** Causes that are shown; the comparison has all. */
const causesShown = 3;
/** Failed tests that are named. */
const testsShown = 3;

/** A recorded run as `--json` shows it. */
export function runToDocument(run: RecordedRun): RunDocument {
  const { id, refusal, end, outcome, against, report, problems } = run;
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
    problems: refusal ? [...problems, notRecorded(refusal)] : problems,
  };
}

/** Why a run was not recorded, with advice. */
export function renderRefusal(refusal: ErrorReport, screen: Screen): string {
  return renderError({ ...refusal, message: notRecorded(refusal) }, screen);
}

function notRecorded({ message }: ErrorReport): string {
  return `the run was not recorded: ${message}`;
}

/** Renders a run that failed, in a few lines. There is nothing to say about one that passed, unless it was not recorded. */
export function renderRun(run: RecordedRun, screen: Screen): string {
  const refused = run.refusal ? renderRefusal(run.refusal, screen) : '';
  return run.outcome.result === 'passed' ? refused : refused + renderFailed(run, screen);
}

function renderFailed(run: RecordedRun, screen: Screen): string {
  const { outcome, end, problems } = run;
  const lines: string[] = [];
  const say = (text: string, indent = '', mark = '') => {
    const [first = '', ...rest] = wrapWords(visible(text), screen.columns - indent.length - mark.length);
    lines.push(
      `${indent}${mark}${first}`,
      ...rest.map((line) => `${indent}${' '.repeat(mark.length)}${line}`),
    );
  };
  const name = outcome.of === defaultRunName ? 'The run' : `The run of ${outcome.of}`;
  const ended = end.signal === null ? `exit code ${end.exitCode}` : end.signal;
  const tests = failedTests(outcome);
  say(`envsnap: ${name} failed (${ended}, ${duration(end.durationMs)})${tests}.${comparedWith(run, screen)}`);
  const causes = run.report ? topCausesOf(run.report) : [];
  for (const [place, { what, advice, evidence }] of causes.entries()) {
    const named = evidence === undefined ? '' : ` The output says: ${evidence}`;
    say(`${what}: ${withoutTerminalHints(advice)}.${named}`, '  ', `${place + 1}. `);
  }
  for (const problem of problems) say(`Note: ${problem.replace(/\.$/, '')}.`, '  ');
  if (end.stdout === undefined && end.stderr === undefined && run.against)
    say('What the command wrote went to the terminal and was not read.', '  ');
  const next = nextCommand(run);
  if (next !== undefined) lines.push(`  ${screen.paint('bold', 'Next:')} ${next}`);
  return `${lines.join('\n')}\n`;
}

function topCausesOf(report: NonNullable<RecordedRun['report']>) {
  const [named] = report.causes.filter(({ evidence }) => evidence !== undefined);
  const first = named ?? topCauses(report, 1)[0];
  if (!first) return [];
  return [first, ...report.causes.filter((cause) => cause !== first && cause.score > 0)].slice(
    0,
    causesShown,
  );
}

function comparedWith({ against, report }: RecordedRun, screen: Screen): string {
  if (!against || !report)
    return ' No run of this name has passed yet. Once one has, failing runs are compared with it.';
  const moment = against.createdAt === undefined ? '' : `, ${when(against.createdAt, screen)}`;
  const it = `the last run that passed (${against.machineName}${moment})`;
  if (topCausesOf(report).length === 0)
    return ` Nothing that could be the cause differs from ${it}: look at the code, the data and the time of day.`;
  const sides =
    report.comparison.a.machineName === report.comparison.b.machineName ? 'A is' : 'Compared with';
  return ` Likeliest causes; ${sides} ${it}${sides === 'A is' ? ', B this one' : ''}:`;
}

function failedTests({ tests }: RunOutcome): string {
  if (!tests || tests.failed.length === 0) return '';
  const named = tests.failed.slice(0, testsShown).join(', ');
  const more = tests.failed.length + (tests.failedMore ?? 0) - testsShown;
  return `, ${counted(tests.failed.length + (tests.failedMore ?? 0), 'failed test')}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * The command that tries the causes out, else the one that looks at many runs; undefined where there is nothing to compare with.
 */
function nextCommand({ against, report, outcome, start }: RecordedRun): string | undefined {
  if (!against || !report) return undefined;
  const reference = outcome.of === defaultRunName ? 'last-passed' : `last-passed:${outcome.of}`;
  const words =
    topCausesOf(report).length === 0
      ? ['why', ...(outcome.of === defaultRunName ? [] : ['--outcome-of', outcome.of]), ...start.connection]
      : ['bisect', reference, ...start.connection, '--', ...start.command];
  return envsnapCommand(...words);
}
