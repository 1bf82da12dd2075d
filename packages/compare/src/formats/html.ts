// A comparison as one HTML file that needs nothing else: readable without JavaScript, light and dark, no outside host.

import { createHash } from 'node:crypto';
import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { counted, grouped } from '@envsnap/shared/text/size';
import { escapeMarkup } from '@envsnap/shared/text/visible';
import { type Entry, type Side, sectionTitles } from '../model/model.ts';
import {
  adviceOf,
  type ComparisonReport,
  headlineOf,
  reasonNotCounted,
  sectionsByWeight,
  topCauses,
  violations,
} from '../report/report.ts';
import { countsLine, equalText } from './counts-text.ts';
import {
  changeText,
  distanceText,
  nameOf,
  originOf,
  sideText,
  sideValue,
  splitChanged,
} from './entry-text.ts';
import { htmlScript, htmlStyle } from './html-assets.ts';

export interface HtmlOptions {
  /** Lists equal entries too. Default false: they are only counted. */
  readonly all?: boolean;
  /** When the report was made, for its last line. */
  readonly madeAt: Date;
}

/** Renders the report as a complete HTML document. */
export function renderHtml(report: ComparisonReport, options: HtmlOptions): string {
  const { a, b, notes } = report.comparison;
  const all = options.all ?? false;
  const title = `envsnap: ${a.label} and ${b.label}`;
  const policy = [
    "default-src 'none'",
    `style-src '${integrity(htmlStyle)}'`,
    `script-src '${integrity(htmlScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${htmlStyle}</style>`,
    '</head>',
    '<body>',
    '<header>',
    `<span class="badge ${report.verdict}">${badge(report)}</span>`,
    `<h1>${escapeMarkup(headlineOf(report))}</h1>`,
    `<p class="dim">${escapeMarkup(countsLine(report))}; ${escapeMarkup(equalText(report))}.</p>`,
    `<div class="sides">${sideBox('A', a)}${sideBox('B', b)}</div>`,
    causes(report),
    next(report),
    ...notes.map((note) => `<p class="dim">${escapeMarkup(note.message)}</p>`),
    '</header>',
    '<main>',
    toolBar(report, all),
    policyTable(report),
    ...sectionsByWeight(report, all).map(({ section, entries }) => sectionTable(section, entries, report)),
    ...(all ? sectionNames.map((section) => equalTable(section, report)) : []),
    '</main>',
    `<footer>Made by envsnap at ${escapeMarkup(options.madeAt.toISOString())}. Counted by: ${escapeMarkup(report.failOn.join(', ') || 'nothing')}.${report.comparison.showsValues ? ' Holds values of variables.' : ' Holds no value of any variable.'}</footer>`,
    `<script>${htmlScript}</script>`,
    '</body>',
    '</html>',
    '',
  ];
  return lines.filter((line, index) => line !== '' || index === lines.length - 1).join('\n');
}

function integrity(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

function badge(report: ComparisonReport): string {
  if (report.verdict === 'equal') return 'Equal';
  return report.verdict === 'tolerated' ? 'Nothing that counts differs' : 'Differs';
}

function sideBox(letter: string, side: Side): string {
  const stored = side.createdAt ? `<br><span class="dim">stored ${escapeMarkup(side.createdAt)}</span>` : '';
  const id = side.id ? `<br><code class="dim">${escapeMarkup(side.id)}</code>` : '';
  return `<div class="side"><b>${letter}</b>${escapeMarkup(side.label)}<br><span class="dim">${escapeMarkup(sideText(side))}</span>${stored}${id}</div>`;
}

function causes(report: ComparisonReport): string {
  const top = topCauses(report, 5);
  if (top.length < 2) return '';
  return `<p>Most likely causes, the likeliest first:</p><ol class="causes">${top.map((cause) => `<li>${escapeMarkup(cause.what)}</li>`).join('')}</ol>`;
}

function next(report: ComparisonReport): string {
  const advice = adviceOf(report);
  return advice ? `<p class="next"><b>Next:</b> ${escapeMarkup(advice)}.</p>` : '';
}

function toolBar(report: ComparisonReport, all: boolean): string {
  if (report.differences.length === 0 && !all)
    return '<div class="tools" hidden><input type="search" aria-label="Search"><output></output><button type="button">Fold all</button></div>';
  const box = (value: string, label: string, checked = true) =>
    `<label><input type="checkbox" name="kind" value="${value}"${checked ? ' checked' : ''}> ${label}</label>`;
  const boxes = [
    box('changed', 'changed'),
    box('removed', 'only in A'),
    box('added', 'only in B'),
    ...(all ? [box('same', 'equal', report.differences.length === 0)] : []),
    '<input type="checkbox" name="kind" value="counts" checked hidden aria-hidden="true" tabindex="-1">',
    box('uncounted', 'not counted'),
  ];
  return [
    '<div class="tools" role="search" hidden>',
    '<input type="search" placeholder="Search (press /)" aria-label="Search names, versions and files">',
    `<fieldset><legend>Show</legend>${boxes.join('')}</fieldset>`,
    '<output aria-live="polite" class="dim"></output>',
    '<button type="button">Fold all</button>',
    '</div>',
  ].join('');
}

function policyTable(report: ComparisonReport): string {
  const checks = violations(report.policy?.checks ?? []);
  if (checks.length === 0) return '';
  const rows = checks.map(
    (check) =>
      `<tr><td class="n">${escapeMarkup(check.key)}</td><td>${escapeMarkup(check.message)}</td><td><code>${escapeMarkup(`${report.policy?.file}:${check.line}`)}</code></td></tr>`,
  );
  return `<details open><summary><h2>Policy</h2> <span class="dim">${counted(checks.length, 'expectation')} not met</span></summary><div class="scroll" tabindex="0" role="region" aria-label="Policy"><table><tr><th scope="col">Expectation</th><th scope="col">What is wrong</th><th scope="col">Where</th></tr>${rows.join('')}</table></div></details>`;
}

function sectionTable(section: SectionName, entries: readonly Entry[], report: ComparisonReport): string {
  const { counts } = report.comparison;
  const { changed, added, removed, same } = counts[section];
  const parts = [
    changed > 0 ? `${grouped(changed)} changed` : '',
    removed > 0 ? `${grouped(removed)} only in A` : '',
    added > 0 ? `${grouped(added)} only in B` : '',
    same > 0 ? `${grouped(same)} equal` : '',
  ].filter((part) => part !== '');
  return table(sectionTitles[section], parts.join(', '), entries, report, true);
}

function equalTable(section: SectionName, report: ComparisonReport): string {
  const equal = report.comparison.sections[section].filter((entry) => entry.status === 'same');
  if (equal.length === 0) return '';
  const open = report.differences.length === 0;
  return table(
    `${sectionTitles[section]}, equal`,
    counted(equal.length, 'entry', 'entries'),
    equal,
    report,
    open,
  );
}

function table(
  title: string,
  remark: string,
  entries: readonly Entry[],
  report: ComparisonReport,
  open: boolean,
): string {
  const byFile = Map.groupBy(entries, (entry) => originGroup(entry));
  const bodies = [...byFile].map(([file, group]) => {
    const heading =
      file === ''
        ? ''
        : `<tr class="file"><th colspan="4" scope="rowgroup"><code>${escapeMarkup(file)}</code> <span class="dim">${grouped(group.length)}</span></th></tr>`;
    return `<tbody>${heading}${group.map((entry) => row(entry, report)).join('\n')}</tbody>`;
  });
  return [
    `<details class="section"${open ? ' open' : ''}><summary><h2>${escapeMarkup(title)}</h2> <span class="dim">${escapeMarkup(remark)}</span></summary>`,
    `<div class="scroll" tabindex="0" role="region" aria-label="${escapeMarkup(title)}"><table>`,
    '<thead><tr><th scope="col">Name</th><th scope="col">A</th><th scope="col">B</th><th scope="col">How</th></tr></thead>',
    ...bodies,
    '</table></div></details>',
  ].join('\n');
}

function originGroup(entry: Entry): string {
  return entry.section === 'dependencies' ? originOf(entry) : '';
}

function row(entry: Entry, report: ComparisonReport): string {
  const counts = report.counting.has(entry);
  const differs = entry.status !== 'same';
  const kind = differs ? `${entry.status} ${counts ? 'counts' : 'uncounted'}` : 'same';
  const [a, b] = sideCells(entry);
  const distance = distanceText(entry);
  const how = [
    distance ? `<span class="${distance}">${distance}</span>` : '',
    differs && !counts
      ? `<span class="dim">${escapeMarkup(report.countedWith.has(entry) || report.acceptedFor.has(entry) ? (reasonNotCounted(report, entry) ?? '') : 'not counted')}</span>`
      : '',
    !differs && entry.unverified ? `<span class="dim">${escapeMarkup(changeText(entry))}</span>` : '',
  ].filter((part) => part !== '');
  return `<tr data-kind="${kind}" data-key="${escapeMarkup(entry.key)}"${counts ? '' : ' class="uncounted"'}><td class="n">${escapeMarkup(nameOf(entry))}</td>${a}${b}<td class="s">${how.join(' ')}</td></tr>`;
}

function sideCells(entry: Entry): [string, string] {
  const a = sideValue(entry, 'a');
  const b = sideValue(entry, 'b');
  const cell = (html: string) => `<td class="v">${html}</td>`;
  const absent = cell('<span class="only">not there</span>');
  const shown = (value: string | undefined) =>
    value === undefined ? '<span class="only">set</span>' : escapeMarkup(value);
  if (entry.status === 'removed') return [cell(`<del>${shown(a)}</del>`), absent];
  if (entry.status === 'added') return [absent, cell(`<ins>${shown(b)}</ins>`)];
  if (entry.status === 'same') return [cell(shown(a)), cell(shown(b))];
  if (entry.list || a === undefined || b === undefined) {
    return [cell('<span class="only">set</span>'), cell(escapeMarkup(changeText(entry)))];
  }
  const parts = splitChanged(a, b);
  return [
    cell(`${escapeMarkup(parts.common)}<del>${escapeMarkup(parts.a)}</del>`),
    cell(`${escapeMarkup(parts.common)}<ins>${escapeMarkup(parts.b)}</ins>`),
  ];
}
