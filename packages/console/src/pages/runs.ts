// The runs that were stored, each with how it ended.

import { environmentOf } from '@envsnap/compare/workspace';
import { type Operations, type ResponseOf, runOutcome, type SnapshotSummary } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { badge, clipped, commandLine, moment, older, oneOf, revisionText, wrapping } from '../frame/parts.ts';
import { pickTwo } from '../frame/pick-two.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface RunsPageData {
  /** A page of snapshots that have an outcome, newest first. */
  readonly list: ResponseOf<Operations['listSnapshots']>;
  /** Only runs of this name; null for all. */
  readonly of: string | null;
  /** Only runs with this result; null for all. */
  readonly outcome: 'passed' | 'failed' | null;
}

/** The page at `runs[?of=&outcome=&after=]`. */
export function runsPage(context: PageContext, { list, of, outcome }: RunsPageData): ConsolePage {
  const results = ['passed', 'failed'].map((each) => [each, each] as const);
  const query = { of: of ?? undefined, outcome: outcome ?? undefined };
  const filters = html`<form method="get" action="${linkTo(context, ['runs'])}" class="inline"><label for="of">Name</label><input id="of" name="of" value="${of}">${oneOf(['outcome', 'Result', 'any'], results, outcome)}<button>Show</button></form>`;
  const words = [
    ...(of === null ? [] : ['--outcome-of', of]),
    ...(outcome === null ? [] : ['--outcome', outcome]),
  ];
  const body = html`<h1>Runs</h1>
${filters}
${runTable(context, list.snapshots)}
${older('Older runs', list.next && linkTo(context, ['runs'], { ...query, after: list.next }), list.total)}
${commandLine(['run', '--', 'npm', 'test'], ['snapshot', 'list', ...words])}`;
  return consolePage(context, { title: 'Runs', body, place: 'runs' });
}

/** A table of runs. A failed run links to its comparison with the last run before it that passed, if that is listed. */
function runTable(context: PageContext, snapshots: readonly SnapshotSummary[]): MarkupContent {
  const runs = snapshots.map((snapshot) => ({ snapshot, outcome: runOutcome(snapshot.metadata) }));
  const rows = runs.map(({ snapshot, outcome }, place) => {
    const before = runs
      .slice(place + 1)
      .find((run) => run.outcome?.result === 'passed' && run.outcome.of === outcome?.of);
    const failed = outcome?.tests?.failed ?? [];
    return [
      outcome === undefined ? badge('neutral', 'unknown') : badge(outcome.result, outcome.result),
      html`<a href="${linkTo(context, ['runs', snapshot.id])}">${wrapping(outcome?.of ?? snapshot.id)}</a>${outcome?.attempt === undefined || outcome.attempt === 1 ? null : html` <span class="dim">attempt ${outcome.attempt}</span>`}`,
      html`<a href="${linkTo(context, ['machines', snapshot.machineName])}">${wrapping(snapshot.machineName)}</a>`,
      revisionText(environmentOf(snapshot).revision),
      moment(snapshot.createdAt, context),
      failed.length === 0
        ? null
        : html`<code>${clipped(failed[0] ?? '', 120)}</code>${failed.length > 1 ? html` <span class="dim">and ${failed.length - 1} more</span>` : null}`,
      outcome?.result === 'failed'
        ? html`${before && html`<a class="detail" href="${linkTo(context, ['compare'], { a: before.snapshot.id, b: snapshot.id })}">what changed</a> `}<a href="${linkTo(context, ['why'], { of: outcome.of })}">why it fails</a>`
        : null,
    ];
  });
  return pickTwo(context, {
    label: 'Runs',
    ids: snapshots.map(({ id }) => id),
    columns: ['Result', 'Run', 'Machine', 'Commit', 'When', 'Failed tests', 'Explain'],
    rows,
    empty: html`No runs yet. <code>envsnap run -- npm test</code> runs a command and records its environment with the result.`,
    filter: true,
  });
}
