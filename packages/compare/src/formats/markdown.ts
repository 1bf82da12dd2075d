// A comparison as GitHub Markdown. All data is in code spans, so that nothing in it is a mention, a link, markup or HTML.

import { counted, grouped } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Cause } from '../causes/cause.ts';
import type { Side } from '../model/model.ts';
import type { ComparisonReport } from '../report/report.ts';
import {
  type ComparisonView,
  causesListed,
  comparisonView,
  reasonsText,
  repairText,
  sectionsThat,
  uncountedText,
  type ViewRow,
  type ViewSection,
} from '../report/view.ts';
import { sideText } from './entry-text.ts';

/** Maximum characters of a comment: GitHub accepts 65,536, and the sender adds a mark, an origin and a link. */
export const commentLimit = 64_000;

const openRows = 25;

/** Renders a comparison as Markdown of at most `limit` characters (default: a comment's limit). Rows that do not fit
 * are counted and left out, the least important first. */
export function renderMarkdown(report: ComparisonReport, limit: number = commentLimit): string {
  const view = comparisonView(report);
  for (const rowsPerSection of [Number.POSITIVE_INFINITY, 8000, 4000, 2000, 1000, 300, 100, 30, 10, 3, 0]) {
    const text = renderWithin(view, rowsPerSection);
    if (text.length <= limit) return text;
  }
  return `${title(view)}\n`.slice(0, limit);
}

function renderWithin(view: ComparisonView, rowsPerSection: number): string {
  const { a, b, notes, sections, verdict } = view;
  const counting = sectionsThat(true, sections);
  const blocks = [
    title(view),
    verdict === 'equal' ? '' : `**Likely cause:** ${text(view.headline)}`,
    next(view),
    ['| | side | machine | stored |', '|---|---|---|---|', sideRow('A', a), sideRow('B', b)].join('\n'),
    causeList(view.causes),
    policyBlock(view),
    ...counting.map((section) => sectionBlock(section, rowsPerSection)),
    otherBlock(sectionsThat(false, sections), rowsPerSection),
    notes.map((note) => `> ${text(note.message)}`).join('\n>\n'),
    verdict === 'equal'
      ? ''
      : `Fail-on rules: ${view.failOn.length === 0 ? 'none' : code(view.failOn.join(','))}.`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function title({ verdict, counts }: ComparisonView): string {
  const mark = verdict === 'failed' ? '❌' : verdict === 'tolerated' ? '⚠️' : '✅';
  return `### ${mark} envsnap: ${text(counts.charAt(0).toLowerCase() + counts.slice(1))}`;
}

function next({ next: step, names }: ComparisonView): string {
  if (step === null) return '';
  const { where, commands } = repairText(step.repair, names);
  const run = commands.length === 0 ? '' : ` Run ${text(where)}: ${commands.map(code).join(', then ')}`;
  return `**Next:** ${text(step.advice)}.${run}`;
}

function sideRow(letter: string, side: Side): string {
  return `| **${letter}** | ${code(side.label)} | ${code(sideText(side))} | ${side.createdAt ? code(side.createdAt) : 'not stored'} |`;
}

function causeList(causes: readonly Cause[]): string {
  if (causes.length < 2) return '';
  const items = causes
    .slice(0, causesListed)
    .map(
      ({ what, advice, accepted }) =>
        `1. ${text(what)}: ${text(accepted === undefined ? advice : `accepted: ${accepted}`)}`,
    );
  const more = causes.length - items.length;
  return details(
    `Likely causes, likeliest first: ${grouped(causes.length)}`,
    [...items, ...(more > 0 ? ['', `${counted(more, 'more cause')}, each less likely.`] : [])].join('\n'),
  );
}

function policyBlock({ unmet, policyFile }: ComparisonView): string {
  if (unmet.length === 0) return '';
  const rows = unmet.map(
    ({ key, message, line }) => `| ${code(key)} | ${text(message)} | ${code(`${policyFile}:${line}`)} |`,
  );
  return ['#### Policy', '', '| expectation | | |', '|---|---|---|', ...rows].join('\n');
}

function sectionBlock(section: ViewSection, rowsPerSection: number): string {
  const heading = `${section.title}: ${grouped(section.rows.length)}`;
  const body = rowsOf(section, rowsPerSection);
  return section.rows.length <= openRows ? `#### ${heading}\n\n${body}` : details(heading, body);
}

function otherBlock(sections: readonly ViewSection[], rowsPerSection: number): string {
  const rows = sections.flatMap((section) => section.rows);
  if (rows.length === 0) return '';
  const tables = sections.map((section) => `**${section.title}**\n\n${rowsOf(section, rowsPerSection)}`);
  return details(`${uncountedText(rows.length)}: ${text(reasonsText(rows))}`, tables.join('\n\n'));
}

function details(summary: string, body: string): string {
  return `<details><summary><b>${summary}</b></summary>\n\n${body}\n\n</details>`;
}

function rowsOf({ section, rows }: ViewSection, limit: number): string {
  const shown = rows.slice(0, limit);
  const omitted = rows.length - shown.length;
  const more = omitted > 0 ? `\n\n${counted(omitted, 'more difference')}, not shown for lack of space.` : '';
  const hasFiles = section === 'dependencies';
  const header = hasFiles
    ? ['| | package | A | B | | file |', '|---|---|---|---|---|---|']
    : ['| | name | A | B | |', '|---|---|---|---|---|'];
  const table =
    shown.length > 0 ? [...header, ...shown.map((row) => tableRow(row, hasFiles))].join('\n') : '';
  return `${table}${more}`.trim();
}

function tableRow(row: ViewRow, hasFile: boolean): string {
  const name = code(row.name);
  const why = row.notCounted;
  const remark = [row.distance, why?.text ?? ''].filter((part) => part !== '').join(', ');
  const cells = [
    row.sign === '-' ? '−' : row.sign,
    why === null ? `**${name}**` : name,
    ...sides(row),
    text(remark),
    ...(hasFile ? [code(row.origin)] : []),
  ];
  return `| ${cells.join(' | ')} |`;
}

function sides({ entry, a, b, change }: ViewRow): [string, string] {
  const absent = (value: string | undefined, there: boolean) =>
    value === undefined ? (there ? 'set' : '') : code(value);
  if (entry.status === 'changed' && (entry.list || a === undefined || b === undefined))
    return ['', text(change)];
  return [absent(a, entry.status !== 'added'), absent(b, entry.status !== 'removed')];
}

/** Data as a code span within a table: backticks by a longer fence, `|` escaped as GitHub asks for it. */
export function code(data: string): string {
  const harmless = visible(data).replaceAll('|', '\\|');
  if (harmless === '') return '';
  const longest = (harmless.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = harmless.startsWith('`') || harmless.endsWith('`') || longest > 0 ? ' ' : '';
  return `${fence}${space}${harmless}${space}${fence}`;
}

/**
 * Breaks up mentions, links, and references to issues, for which GitHub ignores backslashes. The characters are visible, so
 * that people who read the source see the change.
 */
const joiner = '&#8288;';

/** Prose with data: escapes everything that Markdown, HTML or GitHub would interpret. */
export function text(prose: string): string {
  return visible(prose)
    .replace(/[\\`*_{}[\]()#+!|~<>&$]/g, (character) =>
      character === '<'
        ? '&lt;'
        : character === '>'
          ? '&gt;'
          : character === '&'
            ? '&amp;'
            : `\\${character}`,
    )
    .replace(/@|(?:\\[#!]|(?<!&gt;)&amp;|\bGH-)(?=\d)|\b(?:https?|ftp|www)(?=[:.])/gi, `$&${joiner}`);
}
