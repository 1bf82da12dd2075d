// One run: how it ended, what most likely broke it, its failed tests, and the runs around it.

import type { ComparisonReport } from '@envsnap/compare';
import { environmentOf } from '@envsnap/compare/workspace';
import { runOutcome, type Snapshot } from '@envsnap/shared';
import { field } from '@envsnap/shared/plain-object';
import { counted, grouped } from '@envsnap/shared/text/size';
import { causeItem, nextBox } from '../comparison/comparison-view.ts';
import { consolePage } from '../frame/document.ts';
import {
  badge,
  clipped,
  clock,
  commandLine,
  definitions,
  durationText,
  exactMoment,
  revisionText,
  table,
  wrapping,
} from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface RunAround {
  readonly of: string;
  readonly result: 'passed' | 'failed';
  /** The runs of the same name right before and after it; null if there is none. */
  readonly beforeId: string | null;
  readonly afterId: string | null;
  /** The newest run of the same name before it that passed; null if none did. */
  readonly lastPassedId: string | null;
  /** How many have failed in a row up to this one, and since when; null if it passed. */
  readonly failing: { readonly runs: number; readonly since: string } | null;
}

export interface RunPageData {
  readonly snapshot: Snapshot;
  readonly around: RunAround;
  /** The last run that passed before this one; null if this one passed, or none did before. */
  readonly report: ComparisonReport | null;
}

const causesShown = 3;
const testsShown = 100;

/** The page at `runs/ID`. */
export function runPage(context: PageContext, { snapshot, around, report }: RunPageData): ConsolePage {
  const { id, machineName, createdAt } = snapshot;
  const outcome = runOutcome(snapshot.metadata);
  const { of, result, beforeId, afterId, lastPassedId } = around;
  const environment = environmentOf(snapshot);
  const neighbour = (run: string | null, name: string) =>
    run !== null && html`<a href="${linkTo(context, ['runs', run])}">${name}</a> `;
  const body = html`<p class="crumb"><a href="${linkTo(context, ['runs'], { of })}">Runs of ${of}</a></p>
<h1>${report?.causes[0]?.what ?? `${of} ${result}`}</h1>
<p>${badge(result, result)} <strong>${of}</strong> <span class="dim">on</span> <a href="${linkTo(context, ['machines', machineName])}">${machineName}</a>, ${exactMoment(createdAt, context)}</p>
${around.failing !== null && html`<p>Failing since ${clock(around.failing.since)}, ${counted(around.failing.runs, 'run')}.</p>`}
${definitions([
  ['Commit', revisionText(environment.revision)],
  ['Duration', outcome?.durationMs === undefined ? null : durationText(outcome.durationMs)],
  ['Attempt', outcome?.attempt],
  ['Tests', outcome?.tests && testCounts(outcome.tests)],
  ['CI job', jobLink(snapshot)],
])}
<div class="actions">${lastPassedId !== null && html`<a class="primary" href="${linkTo(context, ['compare'], { a: lastPassedId, b: id })}">Compare with the last run that passed</a>`}<a href="${linkTo(context, ['snapshots', id])}">Its environment</a>${neighbour(beforeId, 'Run before')}${neighbour(afterId, 'Run after')}</div>
${result === 'failed' && causesOf(report)}
${failedTests(context, of, outcome?.tests?.failed ?? [], outcome?.tests?.failedMore ?? 0)}
${commandLine(...(lastPassedId === null ? [] : [['compare', lastPassedId, id]]), ['why', '--outcome-of', of], ['snapshot', 'show', id])}`;
  return consolePage(context, { title: `${of} ${result}`, body, place: 'runs', verdict: report?.verdict });
}

function testCounts(tests: NonNullable<NonNullable<ReturnType<typeof runOutcome>>['tests']>): string {
  const failed = tests.failed.length + (tests.failedMore ?? 0);
  const flaky = tests.flaky.length + (tests.flakyMore ?? 0);
  return [
    `${grouped(tests.passed)} passed`,
    failed > 0 && `${grouped(failed)} failed`,
    flaky > 0 && `${grouped(flaky)} flaky`,
    tests.skipped > 0 && `${grouped(tests.skipped)} skipped`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** Only a web address becomes a link. */
function jobLink({ metadata }: Snapshot): MarkupContent {
  const url = field(metadata.ci, 'url');
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null;
  return html`<a rel="noreferrer" href="${new URL(url).href}">${wrapping(url.slice(0, 200))}</a>`;
}

function causesOf(report: ComparisonReport | null): MarkupContent {
  if (report === null)
    return html`<p class="empty">No run of this name has passed before, so this one cannot be compared. Record a run that passes: <code>envsnap run -- COMMAND</code></p>`;
  if (report.causes.length === 0)
    return html`<p class="empty">No difference from the last run that passed explains the failure.</p>`;
  return html`${nextBox(report)}<h2>Likely causes, compared with the last run that passed</h2>
<ol class="causes">${report.causes.slice(0, causesShown).map((cause) => causeItem(cause, null))}</ol>`;
}

function failedTests(
  context: PageContext,
  of: string,
  failed: readonly string[],
  more: number,
): MarkupContent {
  if (failed.length === 0) return null;
  const omitted = failed.length - testsShown + more;
  return html`<h2>Failed tests</h2>${table({
    label: 'Failed tests',
    columns: ['Test', 'Explain'],
    rows: failed
      .slice(0, testsShown)
      .map((name) => [
        html`<code>${clipped(name)}</code>`,
        html`<a class="numbers" href="${linkTo(context, ['why'], { of, test: name })}">why does it fail?</a>`,
      ]),
    empty: null,
    filter: true,
  })}${omitted > 0 && html`<p class="dim">${counted(omitted, 'more test')} failed.</p>`}`;
}
