// The newest snapshots of all machines, value by value, with the odd ones marked.

import { ownOutcomes } from '@envsnap/compare/own-policy';
import { type MatrixRow, matrixRows } from '@envsnap/compare/workspace';
import type { Machine } from '@envsnap/shared';
import { counted } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { clipped, commandLine, liveFilter, moment, suggestions, wrapping } from '../frame/parts.ts';
import { cutMachine, heatMap } from '../frame/pictures.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface MatrixPageData {
  /** The machines, each with the values of `keys`, as `GET /machine/machines` returns them: one page of at most 100. */
  readonly machines: readonly Machine[];
  readonly total: number;
  readonly keys: readonly string[];
  /** Values that machines have, as suggestions for the key. */
  readonly known: readonly string[];
  /** Leaves out values that are the same on every machine. */
  readonly onlyDifferent: boolean;
  /** Also shows runtimes that no project asks for, and facts that are rarely a cause. */
  readonly all: boolean;
  /** What the rows are; null: machines if there are many, otherwise values. */
  readonly by: 'machine' | 'value' | null;
}

/** Age from which a machine counts as not seen for a while. In milliseconds. */
const staleAfterMs = 14 * 86_400_000;
/** Maximum number of runtimes that are compared: those that most machines have. */
const mostRuntimes = 1000;
const mostCells = 30_000;
/** From this number of machines, machines are rows and values columns. */
const manyMachines = 12;
const mostHeatRows = 40;
/** Longest value in a cell. In characters. */
const cellLength = 80;

/**
 * The page at `matrix[?only=different][&all=1][&by=machine|value][&key=KEY…]`; `key` may come several times. The cost grows with
 * the machines and their runtimes: render it off the server's thread.
 */
export function matrixPage(context: PageContext, data: MatrixPageData): ConsolePage {
  const { machines, total, keys, onlyDifferent, all, by } = data;
  const outcomes = ownOutcomes(machines.map(({ latest }) => latest));
  const rows = matrixRows(withCommonRuntimes(machines), keys, outcomes);
  const inView = rows.filter((row) => all || !row.context);
  const visible = inView.filter((row) => !(onlyDifferent && row.equal));
  const shown = visible.slice(0, Math.ceil(mostCells / Math.max(1, machines.length)));
  const stale = machines.map(
    ({ latest }) => context.now.getTime() - Date.parse(latest.createdAt) > staleAfterMs,
  );
  const byMachine = by === null ? machines.length >= manyMachines : by === 'machine';
  const link = (only: boolean, everything: boolean, rowsBy = by) => {
    const query = new URLSearchParams([
      ...(only ? [['only', 'different']] : []),
      ...(everything ? [['all', '1']] : []),
      ...(rowsBy === null ? [] : [['by', rowsBy]]),
      ...keys.map((key) => ['key', key.toWellFormed()]),
    ] as [string, string][]).toString();
    return `${linkTo(context, ['matrix'])}${query === '' ? '' : `?${query}`}`;
  };
  const rare = rows.length - inView.length;
  const body = html`<h1>Matrix</h1>
<p class="lead">${summaryOf(inView, machines)}</p>
<div class="inline"><a href="${link(!onlyDifferent, all)}">${onlyDifferent ? 'Show equal values too' : 'Only what differs'}</a>
${rare === 0 && !all ? null : html`<a href="${link(onlyDifferent, !all)}">${all ? 'Hide what is rarely a cause' : `Show ${counted(rare, 'more value')}, rarely a cause`}</a>`}
<a href="${link(onlyDifferent, all, byMachine ? 'value' : 'machine')}">${byMachine ? 'A column for each machine' : 'A row for each machine'}</a>
<form method="get" action="${linkTo(context, ['matrix'])}" class="inline">${onlyDifferent && html`<input type="hidden" name="only" value="different">`}${all && html`<input type="hidden" name="all" value="1">`}${by !== null && html`<input type="hidden" name="by" value="${by}">`}${keys.map((key) => html`<input type="hidden" name="key" value="${key}">`)}<label for="key">Another value</label><input id="key" name="key" list="values" placeholder="env:TZ, dependencies:FILE/PACKAGE">${suggestions(data.known)}<button>Add</button></form></div>
${machines.length < total ? html`<p class="notice">${counted(machines.length, 'machine')} of ${total}, sorted by name. The command line shows any of them: <code>envsnap matrix MACHINE…</code></p>` : null}
${tableOf(context, machines, shown, stale, byMachine)}
${shown.length === visible.length ? null : html`<p class="dim">${counted(visible.length - shown.length, 'more value')} on the command line.</p>`}
${commandLine(['matrix', ...keys.flatMap((key) => ['--key', key]), ...(onlyDifferent ? ['--only-different'] : []), ...(all ? ['--all'] : [])])}`;
  return consolePage(context, { title: 'Matrix', body, place: 'matrix', wide: true });
}

/** The machines without the rarest runtimes, if there are more than a page can hold. */
function withCommonRuntimes(machines: readonly Machine[]): readonly Machine[] {
  const counts = new Map<string, number>();
  for (const { latest } of machines)
    for (const name of Object.keys(latest.runtimeVersions)) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size <= mostRuntimes) return machines;
  const common = [...counts].sort((x, y) => y[1] - x[1]).slice(0, mostRuntimes);
  const commonNames = new Set(common.map(([name]) => name));
  return machines.map(({ latest, ...rest }) => {
    const runtimes = Object.entries(latest.runtimeVersions).filter(([name]) => commonNames.has(name));
    return { ...rest, latest: { ...latest, runtimeVersions: Object.fromEntries(runtimes) } };
  });
}

function summaryOf(rows: readonly MatrixRow[], machines: readonly Machine[]): string {
  const differing = rows.filter((row) => !row.equal).length;
  if (machines.length === 0) return '';
  if (machines.length === 1) return 'There is only one machine. Capture another one to compare it with.';
  if (differing === 0)
    return `${counted(machines.length, 'machine')}, ${counted(rows.length, 'value')}, all equal.`;
  const [odd, next] = machines
    .map(({ machineName }, place) => ({
      machineName,
      count: rows.filter((row) => row.odd.includes(place)).length,
    }))
    .sort((x, y) => y.count - x.count);
  const most =
    odd !== undefined && next !== undefined && odd.count > next.count && machines.length > 2
      ? ` ${odd.machineName} is the odd one out in ${odd.count} of them.`
      : '';
  return `${counted(machines.length, 'machine')}: ${counted(differing, 'value')} ${differing === 1 ? 'differs' : 'differ'}, ${rows.length - differing} equal.${most}`;
}

function tableOf(
  context: PageContext,
  machines: readonly Machine[],
  rows: readonly MatrixRow[],
  stale: readonly boolean[],
  byMachine: boolean,
): MarkupContent {
  if (machines.length === 0)
    return html`<p class="empty">No machine has been captured yet. <code>envsnap capture</code> captures the machine it runs on.</p>`;
  if (rows.length === 0) return html`<p class="empty">Nothing differs.</p>`;
  const heads = machines.map(({ machineName, latest }, place) => {
    return html`<a href="${linkTo(context, ['snapshots', latest.id])}" title="${machineName}">${cutMachine(machineName, 27)}</a>${byMachine ? ' ' : html`<br>`}<span class="dim">${stale[place] && 'last seen '}${moment(latest.createdAt, context)}</span>`;
  });
  const names = rows.map((row) => {
    const differs = !row.equal && row.majority === undefined;
    return html`<a href="${linkTo(context, ['history'], { path: row.key })}"><code>${wrapping(row.key)}</code></a>${differs && html` <span class="badge warning">differs</span>`}`;
  });
  const staleAt = (place: number) => (stale[place] ? html` class="stale"` : null);
  const head = (columns: readonly MarkupContent[], style: (place: number) => MarkupContent) =>
    columns.map((column, place) => html`<th scope="col"${style(place)}>${column}</th>`);
  const cell = (row: MatrixRow, place: number) => cellOf(row, place, stale[place] ?? false);
  const [corner, columns, body] = byMachine
    ? ([
        'Machine',
        head(names, () => null),
        machines.map(
          (_, place) =>
            html`<tr><th scope="row"${staleAt(place)}>${heads[place]}</th>${rows.map((row) => cell(row, place))}</tr>\n`,
        ),
      ] as const)
    : ([
        'Value',
        head(heads, staleAt),
        rows.map(
          (row, at) =>
            html`<tr><th scope="row">${names[at]}</th>${machines.map((_, place) => cell(row, place))}</tr>\n`,
        ),
      ] as const);
  return html`${heatOf(machines, rows)}
${liveFilter('values')}
<div class="frame" tabindex="0" role="region" aria-label="Values by machine"><table class="matrix" aria-label="Values by machine" data-rows="${body.length}"><thead><tr><th scope="col">${corner}</th>${columns}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** A heat map of the values that differ, if there are enough machines for one to stand out. */
function heatOf(machines: readonly Machine[], rows: readonly MatrixRow[]): MarkupContent {
  const all = rows.filter((row) => !row.equal);
  const differing = all.slice(0, mostHeatRows);
  if (machines.length < 3 || differing.length === 0) return null;
  const heatRows = differing.map((row) => {
    const counts = new Map<string | null, number>();
    for (const value of row.values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const ranked = [...counts].sort(([, x], [, y]) => y - x).map(([value]) => value);
    // If the table marks cells, only those have a colour.
    const odd = ranked.filter((value) => row.odd.some((place) => row.values[place] === value));
    const rankOf = (value: string | null, place: number) => {
      if (odd.length === 0) return ranked.indexOf(value);
      return row.odd.includes(place) ? 1 + odd.indexOf(value) : 0;
    };
    const cells = row.values.map((value, place) => {
      const isKnown = !row.unknown.includes(place);
      const text = isKnown ? (value ?? 'none') : 'unknown';
      return { rank: isKnown ? rankOf(value, place) : null, text: text.slice(0, cellLength) };
    });
    return { name: row.key, cells };
  });
  const label = `${counted(differing.length, 'value')} of ${counted(machines.length, 'machine')}: equal values have the same colour; the table below shows the values`;
  const names = machines.map(({ machineName }) => machineName);
  const omitted = all.length - differing.length;
  return html`${heatMap(label, names, heatRows)}${omitted > 0 && html`<p class="key-line">${counted(omitted, 'more value')} in the table.</p>`}`;
}

function cellOf(row: MatrixRow, place: number, stale: boolean): MarkupContent {
  const value = row.values[place] ?? null;
  const odd = row.odd.includes(place);
  const kinds = [
    stale ? 'stale' : '',
    row.equal ? 'same' : '',
    odd ? 'odd' : !row.equal && row.majority === undefined && !row.unknown.includes(place) ? 'split' : '',
  ].filter((kind) => kind !== '');
  const text = row.unknown.includes(place)
    ? html`<span class="only">unknown</span>`
    : value === null
      ? html`<span class="only">none</span>`
      : clipped(value, cellLength);
  return html`<td${kinds.length === 0 ? null : html` class="${kinds.join(' ')}"`}>${text}${odd ? html` <span class="badge">odd</span>` : null}</td>`;
}
