// Small pictures: inline SVG and links that look like one. Beside each is a table or text with the same content.

import { grouped, size } from '@envsnap/shared/text/size';
import { html, type MarkupContent } from '../markup.ts';
import { table } from './parts.ts';

interface StripRun {
  readonly result: 'passed' | 'failed';
  readonly link: string;
  /** Its time, and further remarks. */
  readonly title: string;
}

/** The last runs of a name as marks to click, oldest first. */
export function runStrip(name: string, runs: readonly StripRun[]): MarkupContent {
  const marks = runs.map(
    ({ result, link, title }) =>
      html`<li><a class="mark ${result}" data-result="${result}" href="${link}" title="${title}"><span aria-hidden="true">${result === 'passed' ? '✓' : '✕'}</span><span class="unseen">${result}, ${title}</span></a></li>`,
  );
  return html`<ol class="strip" data-run="${name}" aria-label="Last runs of ${name}, oldest first">${marks}</ol>`;
}

export interface DayCount {
  /** `2026-11-28`. */
  readonly day: string;
  readonly total: number;
  /** How many are drawn in another colour, at the foot of the bar. */
  readonly failed: number;
}

interface DayChartParts {
  /** The counted thing, and the meaning of the other colour. */
  readonly title: string;
  readonly names: readonly [total: string, failed: string];
  readonly days: readonly DayCount[];
}

/** Bars by day, with the figures in a table behind a fold. Text is outside the drawing, which takes any width. */
export function dayChart({ title, names, days }: DayChartParts): MarkupContent {
  const most = Math.max(1, ...days.map(({ total }) => total));
  const bars = days.map(({ day, total, failed }, place) => {
    const bar = (kind: string, count: number) => {
      const height = rounded((count / most) * 100);
      return (
        count > 0 &&
        html`<rect class="${kind}" x="${rounded(place + 0.1)}" y="${rounded(100 - height)}" width="0.8" height="${height}"/>`
      );
    };
    return html`<g><title>${day}: ${grouped(total)}${failed > 0 && `, ${grouped(failed)} ${names[1]}`}</title>${bar('bar-total', total)}${bar('bar-failed', failed)}</g>`;
  });
  const label = `${title}, at most ${grouped(most)}; the table below has the figures`;
  const ends = [days[0], days[Math.floor((days.length - 1) / 2)], days.at(-1)];
  const key = (['bar-total', 'bar-failed'] as const).map(
    (kind, place) =>
      html`<span><svg viewBox="0 0 16 16" aria-hidden="true"><rect class="${kind}" width="16" height="16"/></svg> ${names[place]}</span>`,
  );
  return html`<div class="bars"><span class="most">${grouped(most)}</span><svg viewBox="0 0 ${days.length} 100" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg><p class="axis" aria-hidden="true">${ends.map((end) => html`<span>${end?.day}</span>`)}</p></div>
<p class="key-line">${key}</p>
<details class="fold"><summary><h3>Figures by day</h3></summary>${table({
    label: title,
    columns: ['Day', 'All', `Of these, ${names[1]}`],
    numbers: ['All', `Of these, ${names[1]}`],
    rows: days
      .filter(({ total }) => total > 0)
      .toReversed()
      .map(({ day, total, failed }) => [day, grouped(total), grouped(failed)]),
    empty: 'Nothing yet.',
  })}</details>`;
}

interface HeatRow {
  readonly name: string;
  /**
   * For each column: 0 for the most common value, another number for each other value, null for an unknown one; with its text.
   */
  readonly cells: readonly { readonly rank: number | null; readonly text: string }[];
}

/** Measures of the heat map in pixels: it is drawn at its natural size, and scrolled where that is too wide. */
const heat = { cell: 18, letter: 6.6, top: 130, letters: { row: 34, column: 20 } } as const;

/** Differing values as coloured cells, a row for each value and a column for each machine. The most common value is pale. */
export function heatMap(label: string, columns: readonly string[], rows: readonly HeatRow[]): MarkupContent {
  const { cell, letter, top, letters } = heat;
  const longest = Math.max(...rows.map(({ name }) => Math.min(name.length, letters.row)));
  const labelWidth = Math.ceil(longest * letter) + 12;
  const [width, height] = [labelWidth + columns.length * cell + top, top + rows.length * cell];
  const heads = columns.map((name, place) => {
    const x = labelWidth + place * cell + cell / 2 + 4;
    return html`<text transform="translate(${x} ${top - 6}) rotate(-60)">${cutMachine(name, letters.column)}</text>`;
  });
  const lines = rows.map(({ name, cells }, row) => {
    const y = top + row * cell;
    const marks = cells.map(({ rank, text }, place) => {
      const kind = rank === null ? 'none' : rank === 0 ? 'most' : `v${1 + ((rank - 1) % 5)}`;
      return html`<rect class="${kind}" x="${labelWidth + place * cell}" y="${y}" width="${cell - 2}" height="${cell - 2}"><title>${columns[place]}: ${text}</title></rect>`;
    });
    return html`<text y="${y + 12}">${cut(name, letters.row)}</text>${marks}`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Heat map"><svg class="heat" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${heads}${lines}</svg></div>
<p class="key-line">Pale cells have the value of most machines, or one that the policy allows. Each other value in a row has its own colour.</p>`;
}

/** A name cut to `length` characters in its middle, because similar names differ at their ends. */
export function cut(name: string, length: number): string {
  if (name.length <= length) return name;
  const end = Math.floor((length - 1) * 0.45);
  return `${name.slice(0, length - 1 - end)}…${name.slice(-end)}`.toWellFormed();
}

/** The name of a machine cut to `length` characters. Names in one domain differ at the beginning. */
export function cutMachine(name: string, length: number): string {
  if (name.length <= length || !name.includes('.')) return cut(name, length);
  return `${name.slice(0, length - 1)}…`.toWellFormed();
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}

/** Quotas: how much of each is used, as a bar with its figures. */
export function quotaBars(
  quotas: Readonly<Record<keyof typeof quotaNames, { readonly used: number; readonly max: number }>>,
): MarkupContent {
  const bars = (Object.keys(quotaNames) as (keyof typeof quotaNames)[]).map((kind) => {
    const { used, max } = quotas[kind];
    const share = max === 0 ? 1 : used / max;
    const shade = share >= 1 ? 'full' : share >= 0.8 ? 'tight' : 'roomy';
    const shown = kind.endsWith('Bytes') ? size : grouped;
    return html`<div class="used"><span>${quotaNames[kind]}</span><meter class="${shade}" min="0" max="${Math.max(1, max)}" value="${used}" aria-label="${quotaNames[kind]}"></meter><span class="numbers">${shown(used)} of ${shown(max)}</span></div>`;
  });
  return html`<div class="quotas">${bars}</div>`;
}

export const quotaNames = {
  snapshots: 'Snapshots',
  runs: 'Runs',
  files: 'Files',
  storageBytes: 'File storage',
  snapshotBytes: 'Snapshot storage',
} as const;
