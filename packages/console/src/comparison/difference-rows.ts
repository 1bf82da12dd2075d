// The rows of a comparison: what counts by section, and everything else with its reasons behind one fold, up to a limit.

import {
  type ComparisonView,
  type Place,
  reasonsText,
  sectionsThat,
  splitChanged,
  uncountedText,
  type ViewRow,
  type ViewSection,
} from '@envsnap/compare/workspace';
import { counted, grouped } from '@envsnap/shared/text/size';
import { clipped, fold, type Room, rowsWithin } from '../frame/parts.ts';
import { html, type Markup, type MarkupContent } from '../markup.ts';

/** How many bytes of rows a page may hold; more on a page that shows everything. */
export function roomFor(everything: boolean): Room {
  return { left: everything ? 8_000_000 : 600_000 };
}

/** The id of an entry's row, which is also the fragment of its address. */
export function anchorOf({ section, key }: Place): string {
  return `${section}:${encodeURIComponent(key.toWellFormed())}`;
}

const kinds = [
  ['changed', 'changed'],
  ['removed', 'only in A'],
  ['added', 'only in B'],
] as const;

/** Switches that hide rows by how they differ. The style sheet carries them out, so they need no script. */
export function kindSwitches({ sections }: ComparisonView): MarkupContent {
  const counts = new Map<string, number>();
  for (const { entry } of sections.flatMap(({ rows }) => rows))
    counts.set(entry.status, (counts.get(entry.status) ?? 0) + 1);
  if (counts.size < 2) return null;
  const boxes = kinds.map(([kind, label]) =>
    counts.has(kind)
      ? html`<label><input type="checkbox" class="show-${kind}" checked> ${label} <span class="dim">${grouped(counts.get(kind) ?? 0)}</span></label>`
      : null,
  );
  return html`<fieldset class="kinds"><legend>Show</legend>${boxes}</fieldset>`;
}

/** Differences that count, the section with the likeliest cause first. */
export function countingRows(
  { sections }: ComparisonView,
  room: Room,
  allLink: string | null,
): MarkupContent {
  const counting = sectionsThat(true, sections);
  if (counting.length === 0) return html`<p class="empty">No difference counts.</p>`;
  return counting.map((section) =>
    fold({
      title: section.title,
      remark: `${grouped(section.rows.length)} ${section.rows.length === 1 ? 'counts' : 'count'}`,
      open: true,
      body: tableOf(section, room, allLink),
    }),
  );
}

/**
 * Differences that do not count, with their reasons, and equal entries if the view has them. `before` comes above the rows;
 * `allLink` is the address that shows more.
 */
export function otherRows(
  view: ComparisonView,
  room: Room,
  allLink: string | null,
  before: MarkupContent,
): MarkupContent {
  const others = sectionsThat(false, view.sections);
  const rows = others.flatMap((section) => section.rows);
  if (rows.length + view.equalSections.length === 0) return null;
  const tables = [
    ...others,
    ...view.equalSections.map((each) => ({ ...each, title: `${each.title}, equal` })),
  ];
  const title = rows.length === 0 ? 'Equal entries' : uncountedText(rows.length);
  return html`<details class="fold" data-not-counting><summary><h2>${title}</h2> <span class="dim">${reasonsText(rows)}</span></summary>${before}${tables.map(
    (section) => html`<h3>${section.title}</h3>${tableOf(section, room, allLink)}`,
  )}${allLink === null ? null : html`<p><a href="${allLink}">Show everything</a>, including equal entries.</p>`}</details>`;
}

/** As many rows as there is room for, by the file that they come from. */
function tableOf({ title, section, rows }: ViewSection, room: Room, allLink: string | null): MarkupContent {
  const lines = rowsWithin(room, rows, rowOf).map((line, place) => ({
    line,
    origin: rows[place]?.origin ?? '',
  }));
  const groups = Map.groupBy(lines, ({ origin }) => (section === 'dependencies' ? origin : ''));
  const omitted = rows.length - lines.length;
  const more =
    omitted === 0
      ? null
      : html`<p>${counted(omitted, 'more entry', 'more entries')}: ${allLink === null ? html`<span class="dim">too many for one page; <code>envsnap compare --all</code> lists them</span>` : html`<a href="${allLink}">show everything</a>`}.</p>`;
  if (lines.length === 0) return more;
  const bodies = [...groups].map(([file, group]) => {
    const heading =
      file === ''
        ? null
        : html`<tr class="file"><th colspan="4" scope="rowgroup"><code>${file}</code></th></tr>`;
    return html`<tbody>${heading}${group.map(({ line }) => line)}</tbody>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Entries: ${title}"><table class="diff" aria-label="${title}" data-rows="${grouped(rows.length)}"><thead><tr><th scope="col">Name</th><th scope="col">A</th><th scope="col">B</th><th scope="col">Difference</th></tr></thead>${bodies}</table></div>${more}`;
}

function rowOf(row: ViewRow): Markup {
  const { entry, distance, notCounted } = row;
  const counts = entry.status !== 'same' && notCounted === null;
  const how = notCounted?.text ?? (entry.unverified === undefined ? null : row.change);
  const [a, b] = sideCells(row);
  const anchor = anchorOf(entry);
  return html`<tr id="${anchor}" data-kind="${entry.status}"${counts ? null : html` class="uncounted"`}><th scope="row"><a href="#${anchor}"><code>${clipped(row.name)}</code></a></th><td><code>${a}</code></td><td><code>${b}</code></td><td>${distance === '' ? null : html`<span class="${distance}">${distance}</span> `}${how === null ? null : html`<span class="dim">${how}</span>`}</td></tr>\n`;
}

function sideCells({ entry, a, b, change }: ViewRow): readonly [MarkupContent, MarkupContent] {
  const absent = html`<span class="only">absent</span>`;
  const set = html`<span class="only">set</span>`;
  const shown = (value: string | undefined) => (value === undefined ? set : clipped(value));
  if (entry.status === 'removed') return [html`<del>${shown(a)}</del>`, absent];
  if (entry.status === 'added') return [absent, html`<ins>${shown(b)}</ins>`];
  if (entry.status === 'same') return [shown(a), shown(b)];
  if (entry.list !== undefined) return [set, clipped(change)];
  if (a === undefined || b === undefined) return [set, html`<span class="only">another value</span>`];
  const { common, a: onlyA, b: onlyB } = splitChanged(a, b);
  return [
    html`${clipped(common)}<del>${clipped(onlyA)}</del>`,
    html`${clipped(common)}<ins>${clipped(onlyB)}</ins>`,
  ];
}
