// What differs, section by section, each entry with an address of its own and the whole within a bound.

import type { ComparisonReport, Entry } from '@envsnap/compare';
import {
  changeText,
  distanceText,
  nameOf,
  originOf,
  type Place,
  reasonNotCounted,
  sectionsByWeight,
  sectionTitles,
  sideValue,
  splitChanged,
} from '@envsnap/compare/workspace';
import type { SectionName } from '@envsnap/shared/address';
import { sectionNames } from '@envsnap/shared/address';
import { counted, grouped } from '@envsnap/shared/text/size';
import { clipped, fold, liveFilter } from '../frame/parts.ts';
import { html, type Markup, type MarkupContent } from '../markup.ts';

/** Most characters of rows, by default and where everything is asked for. */
const mostCharacters = { some: 600_000, all: 8_000_000 } as const;

export interface DifferencesOptions {
  readonly all: boolean;
  /** The address that shows everything; null where there is none. */
  readonly allLink: string | null;
}

/** The sections that differ, the one with the likeliest cause first, folded where nothing in them counts. */
export function differences(report: ComparisonReport, { all, allLink }: DifferencesOptions): MarkupContent {
  const room: Room = { left: all ? mostCharacters.all : mostCharacters.some };
  const hidden = (count: number) =>
    count === 0
      ? null
      : html`<p>${counted(count, 'more entry', 'more entries')}: ${all || allLink === null ? html`<span class="dim">too many for one page; <code>envsnap compare --all</code> lists them</span>` : html`<a href="${allLink}">show everything</a>`}.</p>`;
  const counting = new Map<SectionName, number>();
  for (const { section } of report.counting) counting.set(section, (counting.get(section) ?? 0) + 1);
  const differing = sectionsByWeight(report, all).map(({ section, entries }) => {
    const { rows, left } = rowsOf(entries, report, room);
    return fold({
      title: sectionTitles[section],
      remark: remarkOf(section, report, counting.get(section) ?? 0),
      open: counting.has(section),
      body: html`${tableOf(section, rows)}${hidden(left)}`,
    });
  });
  const equal = all ? sectionNames.map((section) => equalSection(section, report, room, hidden)) : null;
  const none = report.differences.length === 0 ? html`<p class="empty">No entry differs.</p>` : null;
  return html`<h2>What differs</h2>${none}
${liveFilter('what differs')}
<div>${differing}${equal}</div>
${all || allLink === null ? null : html`<p><a href="${allLink}">Show everything</a>, equal entries too.</p>`}`;
}

/** The id of an entry's row, and what stands behind `#` in its address. */
export function anchorOf({ section, key }: Place): string {
  return `${section}:${encodeURIComponent(key.toWellFormed())}`;
}

/** Characters that rows may still take. */
interface Room {
  left: number;
}

function remarkOf(section: SectionName, { comparison }: ComparisonReport, counts: number): string {
  const { changed, added, removed } = comparison.counts[section];
  return [
    counts > 0 ? `${grouped(counts)} ${counts === 1 ? 'counts' : 'count'}` : 'none count',
    changed > 0 ? `${grouped(changed)} changed` : '',
    removed > 0 ? `${grouped(removed)} only in A` : '',
    added > 0 ? `${grouped(added)} only in B` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function equalSection(
  section: SectionName,
  report: ComparisonReport,
  room: Room,
  hidden: (count: number) => MarkupContent,
): MarkupContent {
  const entries = report.comparison.sections[section].filter((entry) => entry.status === 'same');
  if (entries.length === 0) return null;
  const { rows, left } = rowsOf(entries, report, room);
  return fold({
    title: `${sectionTitles[section]}, equal`,
    remark: counted(entries.length, 'entry', 'entries'),
    open: false,
    body: html`${tableOf(`${section}, equal`, rows)}${hidden(left)}`,
  });
}

/** Rows as long as there is room for them, by the file that they come from, and how many found none. */
function rowsOf(
  entries: readonly Entry[],
  report: ComparisonReport,
  room: Room,
): { readonly rows: ReadonlyMap<string, readonly Markup[]>; readonly left: number } {
  const rows = new Map<string, Markup[]>();
  for (const [place, entry] of entries.entries()) {
    if (room.left <= 0) return { rows, left: entries.length - place };
    const row = rowOf(entry, report);
    room.left -= row.text.length;
    const file = entry.section === 'dependencies' ? originOf(entry) : '';
    const group = rows.get(file);
    if (group === undefined) rows.set(file, [row]);
    else group.push(row);
  }
  return { rows, left: 0 };
}

function tableOf(label: string, rows: ReadonlyMap<string, readonly Markup[]>): MarkupContent {
  if (rows.size === 0) return null;
  const bodies = [...rows].map(([file, group]) => {
    const heading =
      file === ''
        ? null
        : html`<tr class="file"><th colspan="4" scope="rowgroup"><code>${file}</code></th></tr>`;
    return html`<tbody>${heading}${group}</tbody>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Entries: ${label}"><table class="diff"><thead><tr><th scope="col">Name</th><th scope="col">A</th><th scope="col">B</th><th scope="col">How</th></tr></thead>${bodies}</table></div>`;
}

function rowOf(entry: Entry, report: ComparisonReport): Markup {
  const counts = report.counting.has(entry);
  const differs = entry.status !== 'same';
  const distance = distanceText(entry);
  const remark = differs && !counts ? (reasonNotCounted(report, entry) ?? 'not counted') : null;
  const how = differs ? remark : entry.unverified === undefined ? null : changeText(entry);
  const [a, b] = sideCells(entry);
  const anchor = anchorOf(entry);
  return html`<tr id="${anchor}"${counts ? null : html` class="uncounted"`}><th scope="row"><a href="#${anchor}"><code>${clipped(nameOf(entry))}</code></a></th><td><code>${a}</code></td><td><code>${b}</code></td><td>${distance === '' ? null : html`<span class="${distance}">${distance}</span> `}${how === null ? null : html`<span class="dim">${how}</span>`}</td></tr>\n`;
}

function sideCells(entry: Entry): readonly [MarkupContent, MarkupContent] {
  const a = sideValue(entry, 'a');
  const b = sideValue(entry, 'b');
  const absent = html`<span class="only">not there</span>`;
  const shown = (value: string | undefined) =>
    value === undefined ? html`<span class="only">set</span>` : clipped(value);
  if (entry.status === 'removed') return [html`<del>${shown(a)}</del>`, absent];
  if (entry.status === 'added') return [absent, html`<ins>${shown(b)}</ins>`];
  if (entry.status === 'same') return [shown(a), shown(b)];
  if (entry.list !== undefined) return [html`<span class="only">set</span>`, clipped(changeText(entry))];
  if (a === undefined || b === undefined)
    return [html`<span class="only">set</span>`, html`<span class="only">another value</span>`];
  const { common, a: onlyA, b: onlyB } = splitChanged(a, b);
  return [
    html`${clipped(common)}<del>${clipped(onlyA)}</del>`,
    html`${clipped(common)}<ins>${clipped(onlyB)}</ins>`,
  ];
}
