// A comparison as GitHub Markdown: for a comment on a pull request and for a job's summary. All data stands in code
// spans, so that nothing in it is a mention, a link, markup or HTML.

import type { SectionName } from '@envsnap/shared/address';
import { counted, grouped } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { type Entry, sectionTitles } from '../model/model.ts';
import {
  adviceOf,
  type ComparisonReport,
  headlineOf,
  reasonNotCounted,
  sectionsByWeight,
  violations,
} from '../report/report.ts';
import { countsLine } from './counts-text.ts';
import { changeText, distanceText, nameOf, originOf, sideText, sideValue, signOf } from './entry-text.ts';

/** Most characters of a comment: GitHub takes 65,536, and whoever sends it adds a mark, an origin and a link. */
export const commentLimit = 64_000;

/** Most rows of a section before the rest is folded away. */
const openRows = 25;

/**
 * Renders a comparison as Markdown of at most `limit` characters (default: a comment's limit). Rows that do not fit
 * are left out with their number; the least important ones first.
 */
export function renderMarkdown(report: ComparisonReport, limit: number = commentLimit): string {
  for (const rowsPerSection of [Number.POSITIVE_INFINITY, 8000, 4000, 2000, 1000, 300, 100, 30, 10, 3, 0]) {
    const text = renderWithin(report, rowsPerSection);
    if (text.length <= limit) return text;
  }
  return `${title(report)}\n`.slice(0, limit);
}

function renderWithin(report: ComparisonReport, rowsPerSection: number): string {
  const { a, b, notes } = report.comparison;
  const blocks = [
    title(report),
    report.verdict === 'equal' ? '' : `**Likely cause:** ${headline(report)}`,
    ['| | side | machine | stored |', '|---|---|---|---|', sideRow('A', a), sideRow('B', b)].join('\n'),
    policyBlock(report),
    ...sectionsByWeight(report).map(({ section, entries }) =>
      sectionBlock(section, entries, report, rowsPerSection),
    ),
    notes.map((note) => `> ${text(note.message)}`).join('\n>\n'),
    footer(report),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function title(report: ComparisonReport): string {
  const mark = report.verdict === 'failed' ? '❌' : report.verdict === 'tolerated' ? '⚠️' : '✅';
  return `### ${mark} envsnap: ${text(lowerFirst(countsLine(report)))}`;
}

function headline(report: ComparisonReport): string {
  return text(headlineOf(report));
}

function sideRow(letter: string, side: ComparisonReport['comparison']['a']): string {
  return `| **${letter}** | ${code(side.label)} | ${code(sideText(side))} | ${side.createdAt ? code(side.createdAt) : 'not stored'} |`;
}

function policyBlock(report: ComparisonReport): string {
  const checks = violations(report.policy?.checks ?? []);
  if (checks.length === 0) return '';
  const rows = checks.map(
    (check) =>
      `| ${code(check.key)} | ${text(check.message)} | ${code(`${report.policy?.file}:${check.line}`)} |`,
  );
  return ['#### Policy', '| expectation | | |', '|---|---|---|', ...rows]
    .join('\n')
    .replace('#### Policy\n', '#### Policy\n\n');
}

function sectionBlock(
  section: SectionName,
  entries: readonly Entry[],
  report: ComparisonReport,
  rowsPerSection: number,
): string {
  const heading = `${sectionTitles[section]}: ${grouped(entries.length)}`;
  const shown = entries.slice(0, rowsPerSection);
  const left = entries.length - shown.length;
  const more = left > 0 ? `\n\n${counted(left, 'more difference')}, not shown: too long for this place.` : '';
  const table =
    shown.length > 0
      ? [...header(section), ...shown.map((entry) => row(section, entry, report))].join('\n')
      : '';
  const body = `${table}${more}`.trim();
  if (entries.length <= openRows) return `#### ${heading}\n\n${body}`;
  return `<details><summary><b>${heading}</b></summary>\n\n${body}\n\n</details>`;
}

function header(section: SectionName): string[] {
  if (section === 'dependencies') return ['| | package | A | B | | file |', '|---|---|---|---|---|---|'];
  return ['| | name | A | B | |', '|---|---|---|---|---|'];
}

function row(section: SectionName, entry: Entry, report: ComparisonReport): string {
  const name = code(nameOf(entry));
  const counts = report.counting.has(entry);
  const isKnown = report.countedWith.has(entry) || report.acceptedFor.has(entry);
  const joined = isKnown ? reasonNotCounted(report, entry) : null;
  const remark = [distanceText(entry), counts ? '' : (joined ?? 'not counted')]
    .filter((part) => part !== '')
    .join(', ');
  const cells = [
    signOf(entry) === '-' ? '−' : signOf(entry),
    counts ? `**${name}**` : name,
    ...sides(entry),
    text(remark),
  ];
  if (section === 'dependencies') cells.push(code(originOf(entry)));
  return `| ${cells.join(' | ')} |`;
}

function sides(entry: Entry): [string, string] {
  const a = sideValue(entry, 'a');
  const b = sideValue(entry, 'b');
  const absent = (value: string | undefined, there: boolean) =>
    value === undefined ? (there ? 'set' : '') : code(value);
  if (entry.status === 'changed' && (entry.list || a === undefined || b === undefined))
    return ['', text(changeText(entry))];
  return [absent(a, entry.status !== 'added'), absent(b, entry.status !== 'removed')];
}

function footer(report: ComparisonReport): string {
  if (report.verdict === 'equal') return '';
  const advice = adviceOf(report);
  const rules = `Counted by ${report.failOn.length === 0 ? 'no rule' : code(report.failOn.join(','))}.`;
  return advice ? `**Next:** ${text(advice)}. ${rules}` : rules;
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

/** Parts a mention and a link from what makes them one. Written so that whoever reads the source sees it. */
const joiner = '&#8288;';

/** Prose with data in it: everything that Markdown, HTML or GitHub could read as more than text is escaped. */
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
    .replaceAll('@', `@${joiner}`)
    .replace(/\b(https?|ftp|www)(?=[:.])/gi, `$1${joiner}`);
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
