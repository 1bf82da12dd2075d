// Small parts that many pages show: moments, commands, tables, badges.

import { ago } from '@envsnap/shared/text/ago';
import { grouped } from '@envsnap/shared/text/size';
import { shellWord } from '@envsnap/shared/text/visible';
import { html, joined, type Markup, type MarkupContent } from '../markup.ts';
import type { PageContext } from '../page.ts';

/** `2026-11-22 17:45 UTC`; other text stays unchanged. */
export function utc(timestamp: string): string {
  return Number.isNaN(Date.parse(timestamp))
    ? timestamp
    : `${new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A time: how long ago. The exact time shows on hover and in print. */
export function moment(timestamp: string | null, { now }: Pick<PageContext, 'now'>): MarkupContent {
  if (timestamp === null) return html`<span class="dim">never</span>`;
  if (Number.isNaN(Date.parse(timestamp))) return timestamp;
  return html`<time datetime="${timestamp}" title="${utc(timestamp)}">${ago(timestamp, now)}</time>`;
}

/** A time to the minute. The script shows it in the reader's time zone. */
export function clock(timestamp: string): MarkupContent {
  if (Number.isNaN(Date.parse(timestamp))) return timestamp;
  return html`<time class="at" datetime="${timestamp}">${utc(timestamp)}</time>`;
}

/** A time to the minute, with how long ago it was. */
export function exactMoment(timestamp: string, context: Pick<PageContext, 'now'>): MarkupContent {
  return html`${moment(timestamp, context)} <span class="dim">${clock(timestamp)}</span>`;
}

/** `main@1a2b3c4d`: a long branch wraps, the commit does not. */
export function revisionText(revision: string | null | undefined): MarkupContent {
  const at = revision?.lastIndexOf('@') ?? -1;
  if (revision == null || at < 0) return revision;
  if (revision.length <= 24) return html`<span class="numbers">${revision}</span>`;
  return html`${revision.slice(0, at)}<wbr><span class="numbers">${revision.slice(at)}</span>`;
}

/** An address, a path or a dotted name: it wraps after a slash or a dot. */
export function wrapping(text: string): MarkupContent {
  return joined(text.split(/(?<=[/.])/), html`<wbr>`);
}

/** `1 min 4 s`, for a time in milliseconds. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 1000) return `${ms} ms`;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A command to copy, with quotes where a shell needs them. */
export function shellCommand(...words: readonly string[]): MarkupContent {
  return commandBox(words.map((word) => (word === '--' ? word : shellWord(word))).join(' '));
}

/** A command to copy, as it is typed. */
export function commandBox(text: string): MarkupContent {
  return copyBox(text, html` class="shell"`);
}

export function copyBox(text: string, style: MarkupContent = null): MarkupContent {
  const escaped = html`${text}`;
  return html`<div class="command"><code${style}>${escaped}</code><button type="button" data-copy="${escaped}" hidden>Copy</button></div>`;
}

/** The next step, in a box: the introduction, and what can be copied. */
export function nextStep(introduction: string | null, copied: MarkupContent): MarkupContent {
  return html`<section class="next" data-next aria-label="Next step"><p><b>Next:</b> ${introduction}</p>${copied}</section>`;
}

/** The same on the command line, at the end of a page: commands of `envsnap`, word by word. */
export function commandLine(...commands: readonly (readonly string[])[]): MarkupContent {
  return html`<section class="terminal" aria-label="On the command line"><h2>On the command line</h2>${commands.map((words) => shellCommand('envsnap', ...words))}</section>`;
}

/** The way to what a list leaves out, and how many entries it has in all; nothing at its end. */
export function older(text: string, link: string | false | null, total?: number): MarkupContent {
  if (link === false || link === null) return null;
  return html`<p><a href="${link}">${text}</a>${total !== undefined && html` <span class="dim">${grouped(total)} in total</span>`}</p>`;
}

export interface TableParts {
  /** A description of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly MarkupContent[])[];
  /** Shown if there are no rows. */
  readonly empty: MarkupContent;
  /** Offers a live filter. Default false. */
  readonly filter?: boolean;
  /** Attributes of each row, by its place. Default: none. */
  readonly attributes?: (place: number) => Markup;
  /** Columns of numbers, which are right-aligned. Default: none. */
  readonly numbers?: readonly string[];
}

/** A plain table, without columns that are empty. On a narrow screen each row becomes a block with its columns' names. */
export function table({
  label,
  columns,
  rows,
  empty,
  filter = false,
  attributes,
  numbers,
}: TableParts): MarkupContent {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const shown = columns.flatMap((name, place) =>
    rows.some((cells) => cells[place] != null && cells[place] !== false)
      ? [{ name, place, style: numbers?.includes(name) ? html` class="number"` : null }]
      : [],
  );
  const head = shown.map(({ name, style }) => html`<th role="columnheader" scope="col"${style}>${name}</th>`);
  const body = rows.map(
    (cells, row) =>
      html`<tr role="row"${attributes?.(row)}>${shown.map(
        ({ name, place, style }) =>
          html`<td role="cell" data-column="${name}"${style}><div>${cells[place]}</div></td>`,
      )}</tr>\n`,
  );
  const search = filter ? liveFilter(label) : null;
  return html`${search}<table class="list" role="table" aria-label="${label}" data-rows="${grouped(rows.length)}"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${body}</tbody></table>`;
}

/** The result of a run, or another word with a colour. */
export function badge(kind: 'passed' | 'failed' | 'neutral' | 'warning', text: string): MarkupContent {
  return html`<span class="badge ${kind}">${text}</span>`;
}

export function definitions(pairs: readonly (readonly [string, MarkupContent])[]): MarkupContent {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function options(
  values: readonly (readonly [value: string, text: string])[],
  chosen?: string,
): MarkupContent {
  return values.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
}

/** A filter of a list: the name of its parameter, its label, and what it is called where nothing is chosen. */
export function oneOf(
  [name, label, none]: readonly [name: string, label: string, none: string],
  values: readonly (readonly [value: string, text: string])[],
  chosen: string | null,
): MarkupContent {
  return html`<label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${none}</option>${options(values, chosen ?? undefined)}</select>`;
}

/** The suggestions of a field with `list="values"`. */
export function suggestions(values: readonly string[]): MarkupContent {
  return html`<datalist id="values">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;
}

/** Text of at most `length` characters; says how much is left out. */
export function clipped(text: string, length = 300): MarkupContent {
  if (text.length <= length) return text;
  return html`${text.slice(0, length)}… <span class="dim">${grouped(text.length - length)} more characters</span>`;
}

/** A foldable part, with its title and size. */
export function fold(parts: {
  readonly title: string;
  readonly remark: string;
  readonly open: boolean;
  readonly body: MarkupContent;
}): Markup {
  return html`<details class="fold"${parts.open ? html` open` : null}><summary><h2>${parts.title}</h2> <span class="dim">${parts.remark}</span></summary>${parts.body}</details>`;
}

/** A live filter for the next element. Visible only if scripts run. */
export function liveFilter(label: string): Markup {
  return html`<p class="filter" hidden><input type="search" placeholder="Filter (press /)" aria-label="Filter ${label}"><output class="dim" aria-live="polite"></output></p>`;
}

/** A secret, ready to be copied, with the reminder that it is not shown again. */
export function secretShown(what: string, secret: string): MarkupContent {
  return html`<div class="notice done" role="status"><p><strong>${what}</strong> is shown only once. Copy it now.</p>${copyBox(secret)}</div>`;
}

/** Number of characters that are left for rows. */
export interface Room {
  left: number;
}

/** As many rows as there is room for. */
export function rowsWithin<Item>(room: Room, items: readonly Item[], draw: (item: Item) => Markup): Markup[] {
  const rows: Markup[] = [];
  for (const item of items) {
    if (room.left <= 0) break;
    const row = draw(item);
    room.left -= row.text.length;
    rows.push(row);
  }
  return rows;
}
