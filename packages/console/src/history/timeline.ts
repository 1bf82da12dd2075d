// A chart of a value's changes: a lane for each machine, with its passed and failed runs on the same axis.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { counted } from '@envsnap/shared/text/size';
import { utc } from '../frame/parts.ts';
import { cut } from '../frame/pictures.ts';
import { html, type MarkupContent } from '../markup.ts';
import type { DatedSnapshot } from '../page.ts';

type Series = ResponseOf<Operations['getHistory']>['series'][number];

/** Sizes in the chart, in units of its view box: pixels at its natural size. */
const size = { width: 1100, left: 10, right: 10, top: 8, lane: 52, marks: 22, bar: 24, axis: 26 } as const;
/** Width of a character at most, to see whether a value fits into its span. */
const characterWidth = 7.2;
/** Colours that values take in turn; the style sheet has the same number. */
const colours = 6;
const ticks = 6;
const mostRuns = 300;

/** Draws the lanes. The tables below have the same content. */
export function drawTimeline(
  series: readonly Series[],
  runs: readonly DatedSnapshot[],
  now: Date,
): MarkupContent {
  const outcomes = runs.flatMap(({ machineName, createdAt, run }) =>
    run === null ? [] : [{ machineName, at: Date.parse(createdAt), outcome: run }],
  );
  const starts = series.flatMap(({ changes }) => changes.map(({ createdAt }) => Date.parse(createdAt)));
  const from = Math.min(...starts, now.getTime() - 60_000);
  const to = Math.max(...starts, now.getTime());
  const x = (at: number) =>
    Number((size.left + ((at - from) / (to - from)) * (size.width - size.left - size.right)).toFixed(1));
  // A value has one colour on all machines.
  const values = [...new Set(series.flatMap(({ changes }) => changes.flatMap(({ value }) => value ?? [])))];
  let below: number = size.top;
  const lanes = series.map((each) => {
    const ofMachine = outcomes.filter(
      ({ machineName, at }) => machineName === each.machineName && at >= from,
    );
    const top = below;
    below += size.lane + (ofMachine.length > 0 ? size.marks : 0);
    return laneOf(each, ofMachine.slice(0, mostRuns), top, { x, to, values });
  });
  const height = below + size.axis;
  const label = `${counted(series.length, 'machine')} from ${utc(new Date(from).toISOString())} to ${utc(new Date(to).toISOString())}; the tables below list every change.`;
  return html`<svg class="timeline" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${label}">${axisOf(from, to, height, x)}${lanes}</svg>`;
}

interface Scale {
  readonly x: (at: number) => number;
  readonly to: number;
  readonly values: readonly string[];
}

function axisOf(from: number, to: number, height: number, x: Scale['x']): MarkupContent {
  const [first, last] = to - from < 600_000 ? [11, 19] : to - from < 3 * 86_400_000 ? [5, 16] : [0, 10];
  return Array.from({ length: ticks }, (_, place) => {
    const at = from + ((to - from) * place) / (ticks - 1);
    const text = new Date(at).toISOString().replace('T', ' ').slice(first, last);
    const anchor = place === 0 ? 'start' : place === ticks - 1 ? 'end' : 'middle';
    return html`<path class="grid" d="M${x(at)} 0V${height - size.axis}"/><text class="tick" x="${x(at)}" y="${height - 8}" text-anchor="${anchor}">${text}${place === 0 && ' UTC'}</text>`;
  });
}

function laneOf(
  { machineName, changes }: Series,
  runs: readonly {
    readonly at: number;
    readonly outcome: { readonly result: string; readonly of: string };
  }[],
  top: number,
  { x, to, values }: Scale,
): MarkupContent {
  const spans = changes.map(({ value, createdAt }, place) => {
    const start = x(Date.parse(createdAt));
    const next = changes[place + 1];
    const width = Number(
      Math.max(1.5, x(next === undefined ? to : Date.parse(next.createdAt)) - start).toFixed(1),
    );
    const kind = value === null ? 'none' : `v${values.indexOf(value) % colours}`;
    const room = Math.floor((width - 12) / characterWidth);
    const text = value ?? 'none';
    const shown = text.length <= room ? text : room > 4 ? `${text.slice(0, room - 1)}…` : '';
    const repeated =
      next === undefined &&
      text.length * 2 < room &&
      html`<text class="in end" x="${start + width - 6}" y="${top + 36}" text-anchor="end" aria-hidden="true">${text}</text>`;
    return html`<g><title>${text.slice(0, 200)}, from ${utc(createdAt)}</title><rect class="span ${kind}" x="${start}" y="${top + 20}" width="${width}" height="${size.bar}" rx="3"/>${shown === '' ? null : html`<text class="in" x="${start + 6}" y="${top + 36}">${shown}</text>`}${repeated}</g>`;
  });
  const row = top + 20 + size.bar + 13;
  const marks = runs.map(({ at, outcome: { result, of } }) => {
    const title = html`<title>${of} ${result}, ${utc(new Date(at).toISOString())}</title>`;
    const place = x(at);
    return result === 'passed'
      ? html`<circle class="pass" cx="${place}" cy="${row}" r="4.5">${title}</circle>`
      : html`<path class="fail" d="M${place - 4.5} ${row - 4.5}l9 9m0 -9l-9 9">${title}</path>`;
  });
  const name = cut(machineName, 80);
  // On a narrow screen, the chart is scrolled to its end.
  return html`<text class="label" x="${size.left}" y="${top + 13}">${name}</text><text class="label end" x="${size.width - size.right}" y="${top + 13}" text-anchor="end" aria-hidden="true">${name}</text>${spans}${marks}`;
}
