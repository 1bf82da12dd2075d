// When a value changed, and how the runs around it ended.

import { addressForms, historyMaxSnapshots, type Operations, type ResponseOf } from '@envsnap/shared';
import { counted, grouped } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { badge, clipped, commandLine, exactMoment, moment, suggestions, table } from '../frame/parts.ts';
import { drawTimeline } from '../history/timeline.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, type DatedSnapshot, linkTo, type PageContext } from '../page.ts';

type History = ResponseOf<Operations['getHistory']>;

export interface HistoryPageData {
  /** The key that is followed; null if none was chosen yet. */
  readonly path: string | null;
  /** Values that machines have, as suggestions for the key. */
  readonly known: readonly string[];
  /** Only this machine; null for all. */
  readonly machineName: string | null;
  /** The response of `GET /machine/history`; null with `path`. */
  readonly history: History | null;
  /** Runs to draw on the same axis: the newest snapshots with an outcome, of the machines that are shown. */
  readonly runs: readonly DatedSnapshot[];
}

const mostMachines = 20;
const mostChanges = 100;

/** The page at `history[?path=KEY][&machine=NAME][&snapshots=]`. */
export function historyPage(context: PageContext, data: HistoryPageData): ConsolePage {
  const { path, machineName, history } = data;
  const body = html`<h1>${path === null ? 'History of a value' : html`History of <code>${clipped(path)}</code>`}</h1>
<form method="get" action="${linkTo(context, ['history'])}" class="inline"><label for="path">Value</label><input id="path" name="path" value="${path}" required list="values" placeholder="runtimes.node" aria-describedby="forms">${suggestions(data.known)}<label for="machine">Machine</label><input id="machine" name="machine" value="${machineName}" placeholder="all"><button>Show</button></form>
<p id="forms" class="dim">${addressForms}.</p>
${history === null ? null : historyOf(context, { ...data, history })}
${commandLine(['history', path ?? 'runtimes.node', ...(machineName === null ? [] : ['--machine', machineName])])}`;
  return consolePage(context, {
    title: path === null ? 'History' : `History of ${path}`,
    body,
    place: 'history',
  });
}

function historyOf(
  context: PageContext,
  { history, runs, machineName }: HistoryPageData & { readonly history: History },
): MarkupContent {
  const { series, scanned, total, limitReached } = history;
  const canReadMore = !limitReached && scanned < Math.min(total, historyMaxSnapshots);
  const shownNow = { path: history.key, machine: machineName ?? undefined };
  const more = linkTo(context, ['history'], { ...shownNow, snapshots: String(historyMaxSnapshots) });
  const failing = new Set(
    runs.flatMap(({ machineName, run }) => (run?.result === 'failed' ? [machineName] : [])),
  );
  const now = Map.groupBy(series, ({ changes }) => changes.at(-1)?.value ?? null);
  const most = Math.max(...[...now.values()].map(({ length }) => length));
  const rank = ({ machineName, changes }: History['series'][number]) =>
    Number(failing.has(machineName)) * 2 +
    Number((now.get(changes.at(-1)?.value ?? null)?.length ?? 0) < most);
  const known = series.filter(({ changes }) => changes.some(({ value }) => value !== null));
  if (known.length === 0)
    return html`<p class="empty">No snapshot has <code>${history.key}</code>. The page of a snapshot lists what it has.</p>`;
  const shown = known
    .toSorted((x, y) => rank(y) - rank(x) || y.changes.length - x.changes.length)
    .slice(0, mostMachines);
  const remark = [
    known.length > 1 ? 'Machines with failing runs first, then those whose value differs from most' : '',
    `${scanned < total ? `The newest ${grouped(scanned)}` : 'All'} of ${counted(total, 'snapshot')} read${limitReached ? ', the maximum for one request' : ''}`,
    known.length < series.length
      ? `${counted(series.length - known.length, 'machine')} without this value not shown`
      : '',
    shown.length < known.length ? `${shown.length} of ${known.length} machines shown` : '',
    history.key.startsWith('env') ? 'values of variables are numbered, never shown' : '',
  ].filter((part) => part !== '');
  return html`<p class="lead">${remark.join('; ')}.${canReadMore && html` <a href="${more}">Read ${grouped(Math.min(total, historyMaxSnapshots))}</a>`}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Timeline">${drawTimeline(shown, runs, context.now)}</div>
<p class="key-line"><span><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5" class="pass"/></svg> a run that passed</span><span><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l10 10M13 3L3 13" class="fail"/></svg> a run that failed</span></p>
${shown.filter(({ changes }) => changes.length > 1).map((each) => changesOf(context, each))}
${unchanged(
  context,
  shown.filter(({ changes }) => changes.length === 1),
)}`;
}

/** The machines whose value never changed, in one table. */
function unchanged(context: PageContext, series: History['series']): MarkupContent {
  if (series.length === 0) return null;
  const rows = series.flatMap(({ machineName, changes, snapshots }) =>
    changes.map(({ snapshotId, value, createdAt }) => [
      html`<a href="${linkTo(context, ['snapshots', snapshotId])}">${machineName}</a>`,
      html`<code>${clipped(value ?? '')}</code>`,
      moment(createdAt, context),
      grouped(snapshots),
    ]),
  );
  return html`<h2>Never changed</h2>
${table({ label: 'Machines whose value never changed', columns: ['Machine', 'Value', 'Since', 'Snapshots'], numbers: ['Snapshots'], rows, empty: null })}`;
}

function changesOf(
  context: PageContext,
  { machineName, changes, snapshots }: History['series'][number],
): MarkupContent {
  const rows = changes
    .map((change, place) => {
      const before = changes[place - 1];
      return [
        exactMoment(change.createdAt, context),
        change.value === null
          ? html`<span class="only">none</span>`
          : html`<code>${clipped(change.value)}</code>`,
        change.outcome === null ? null : badge(change.outcome, change.outcome),
        html`<a href="${linkTo(context, ['snapshots', change.snapshotId])}">snapshot</a>${before === undefined ? null : html`, <a href="${linkTo(context, ['compare'], { a: before.snapshotId, b: change.snapshotId })}">compare with the value before</a>`}`,
      ];
    })
    .reverse();
  return html`<h2>${machineName} <span class="dim">changed ${counted(changes.length - 1, 'time')} in ${counted(snapshots, 'snapshot')}</span></h2>
${table({ label: `Changes on ${machineName}`, columns: ['From', 'Value', 'Run', 'See'], rows: rows.slice(0, mostChanges), empty: 'No change.' })}`;
}
