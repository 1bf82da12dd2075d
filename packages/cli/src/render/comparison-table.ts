// A comparison for a person at a terminal or reading a log: the cause first, differences grouped and aligned, then
// counts and what to do next.

import {
  adviceOf,
  type ComparisonReport,
  type Entry,
  entryWeight,
  headlineOf,
  type SectionName,
  sectionNames,
  sectionsByWeight,
  sectionTitles,
  violations,
} from '@envsnap/compare';
import { countsLine, equalText } from '@envsnap/compare/formats/counts-text';
import {
  changeText,
  distanceText,
  nameOf,
  originOf,
  sideText,
  sideValue,
  signOf,
  splitChanged,
} from '@envsnap/compare/formats/entry-text';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { Screen, Style } from '../terminal/terminal.ts';
import { cutText } from './table.ts';

export interface TableOptions {
  /** Shows equal entries too, and cuts no list. */
  readonly all?: boolean;
}

/** Most rows of a section (of a file, for dependencies) on a terminal. */
const rowsShown = 8;
/** Differences lighter than this are told in one line on a terminal: context, and what is personal. */
const lightWeight = 5;

/** Renders a comparison. Lists are cut only on a terminal and without `all`; the line then says how to see the rest. */
export function renderComparison(
  report: ComparisonReport,
  screen: Screen,
  options: TableOptions = {},
): string {
  const lines = [...head(report, screen)];
  const rows = rowsOf(report, screen, options.all ?? false);
  if (rows.length > 0) lines.push('', ...alignRows(rows, screen));
  lines.push(...(rows.length > 0 ? [] : ['']), ...foot(report, screen));
  return `${lines.join('\n')}\n`;
}

function head(report: ComparisonReport, screen: Screen): string[] {
  const { a, b } = report.comparison;
  const style: Style =
    report.verdict === 'failed' ? 'red' : report.verdict === 'tolerated' ? 'yellow' : 'green';
  const width = Math.max(stringWidth(visible(a.label)), stringWidth(visible(b.label)));
  const side = (letter: string, label: string, text: string, createdAt: string | null) => {
    const padded = label + ' '.repeat(Math.max(0, width - stringWidth(label)));
    const moment = createdAt ? `, ${createdAt.slice(0, 16).replace('T', ' ')}` : '';
    const line = `${letter}  ${padded}  ${text}${moment}`;
    const cut = screen.interactive ? cutText(line, screen.columns) : line;
    return `${screen.paint('bold', letter)}${cut.slice(1)}`;
  };
  return [
    screen.paint(['bold', style], visible(headlineOf(report))),
    side('A', visible(a.label), visible(sideText(a)), a.createdAt),
    side('B', visible(b.label), visible(sideText(b)), b.createdAt),
  ];
}

interface Row {
  readonly gutter: string;
  readonly sign: string;
  readonly name: string;
  /** Change as two aligned columns around an arrow, or as one phrase. */
  readonly change: { readonly a: string; readonly b: string } | { readonly phrase: string };
  readonly distance: string;
  readonly tail: string;
  readonly dim: boolean;
}

function rowsOf(report: ComparisonReport, screen: Screen, all: boolean): Row[] {
  const cut = screen.interactive && !all;
  const mixed = report.counting.size > 0 && report.counting.size < report.differences.length;
  const rows: Row[] = policyRows(report);
  const light: Entry[] = [];
  for (const { section, entries } of sectionsByWeight(report, all)) {
    const shown = cut
      ? entries.filter((entry) => entryWeight(entry, report.comparison.needs) >= lightWeight)
      : entries;
    if (cut)
      light.push(...entries.filter((entry) => entryWeight(entry, report.comparison.needs) < lightWeight));
    rows.push(...sectionRows(section, shown, report, cut, mixed));
  }
  if (light.length > 0) rows.push(lightRow(light));
  if (all) rows.push(...equalRows(report));
  return rows;
}

function policyRows(report: ComparisonReport): Row[] {
  const checks = violations(report.policy?.checks ?? []);
  return checks.map((check, index) => ({
    gutter: index === 0 ? 'Policy' : '',
    sign: '!',
    name: check.key,
    change: {
      phrase: check.message.startsWith(`${check.key} `)
        ? check.message.slice(check.key.length + 1)
        : check.message,
    },
    distance: '',
    tail: `${report.policy?.file ?? ''}:${check.line}`,
    dim: false,
  }));
}

function sectionRows(
  section: SectionName,
  entries: readonly Entry[],
  report: ComparisonReport,
  cut: boolean,
  mixed: boolean,
): Row[] {
  const rows: Row[] = [];
  for (const group of groupByFile(entries)) {
    const gutter = rows.length === 0 ? sectionTitles[section] : '';
    if (cut && isWholeFile(group, report)) {
      rows.push(fileRow(group, gutter));
      continue;
    }
    const shown = cut && group.length > rowsShown + 1 ? group.slice(0, rowsShown) : group;
    for (const [index, entry] of shown.entries()) {
      rows.push(entryRow(entry, index === 0 ? gutter : '', index === 0, report, mixed));
    }
    if (shown.length < group.length) rows.push(moreRow(group.length - shown.length, group[0] as Entry));
  }
  return rows;
}

function entryRow(
  entry: Entry,
  gutter: string,
  firstOfFile: boolean,
  report: ComparisonReport,
  mixed: boolean,
): Row {
  const a = sideValue(entry, 'a');
  const b = sideValue(entry, 'b');
  const counts = report.counting.has(entry);
  const origin = firstOfFile && entry.section === 'dependencies' ? originOf(entry) : '';
  const uncounted = mixed && !counts && entry.status !== 'same' ? 'not counted' : '';
  const sides = entry.status === 'changed' && a !== undefined && b !== undefined && !entry.list;
  return {
    gutter,
    sign: signOf(entry),
    name: nameOf(entry),
    change: sides ? { a, b } : { phrase: changeText(entry) },
    distance: distanceText(entry),
    tail: [uncounted, origin].filter((part) => part !== '').join('  '),
    dim: !counts,
  };
}

/** True when a dependency file with several packages is on one side only. */
function isWholeFile(group: readonly Entry[], report: ComparisonReport): boolean {
  const [first] = group;
  if (!first?.file || group.length < 2 || first.status === 'changed') return false;
  if (group.some((entry) => entry.status !== first.status)) return false;
  return !report.comparison.sections.dependencies.some(
    (entry) => entry.file === first.file && entry.status !== first.status,
  );
}

function fileRow(group: readonly Entry[], gutter: string): Row {
  const first = group[0] as Entry;
  const phrase = `${counted(group.length, 'package')}, only in ${first.status === 'removed' ? 'A' : 'B'}`;
  return {
    gutter,
    sign: signOf(first),
    name: first.file ?? '',
    change: { phrase },
    distance: '',
    tail: '',
    dim: false,
  };
}

function moreRow(count: number, entry: Entry): Row {
  const noun =
    entry.section === 'dependencies' ? counted(count, 'more package', 'more packages') : `${count} more`;
  return {
    gutter: '',
    sign: ' ',
    name: `… ${noun}`,
    change: { phrase: '--all shows them' },
    distance: '',
    tail: '',
    dim: true,
  };
}

function lightRow(entries: readonly Entry[]): Row {
  const names = entries.slice(0, 5).map(nameOf).join(', ');
  const more = entries.length > 5 ? ` and ${entries.length - 5} more` : '';
  const phrase = `${names}${more} (--all shows them)`;
  return {
    gutter: 'Rarely matters',
    sign: '~',
    name: counted(entries.length, 'other'),
    change: { phrase },
    distance: '',
    tail: '',
    dim: true,
  };
}

function equalRows(report: ComparisonReport): Row[] {
  const rows: Row[] = [];
  for (const section of sectionNames) {
    const equal = report.comparison.sections[section].filter((entry) => entry.status === 'same');
    let first = true;
    for (const group of groupByFile(equal)) {
      for (const [index, entry] of group.entries()) {
        rows.push(entryRow(entry, first ? sectionTitles[section] : '', index === 0, report, false));
        first = false;
      }
    }
  }
  return rows;
}

/** Entries of one dependency file together, in the order in which the files first come. */
function groupByFile(entries: readonly Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.file ?? '');
    if (group) group.push(entry);
    else groups.set(entry.file ?? '', [entry]);
  }
  return [...groups.values()];
}

const signStyles: Record<string, Style> = { '-': 'red', '+': 'green', '~': 'yellow', '!': 'red' };
const distanceStyles: Record<string, Style> = { major: 'red', minor: 'yellow' };

function alignRows(rows: readonly Row[], screen: Screen): string[] {
  const gutterWidth = Math.max(...rows.map((row) => row.gutter.length));
  const nameWidth = Math.min(40, Math.max(...rows.map((row) => stringWidth(visible(row.name)))));
  const leftWidth = Math.min(
    40,
    Math.max(0, ...rows.map((row) => ('a' in row.change ? stringWidth(visible(row.change.a)) : 0))),
  );
  const changeWidth = Math.min(
    60,
    Math.max(...rows.map((row) => (row.distance || row.tail ? widthOf(row.change, leftWidth) : 0))),
  );
  const distanceWidth = Math.max(...rows.map((row) => (row.tail ? row.distance.length : 0)), 0);
  return rows.map((row) => {
    const name = visible(row.name);
    // Only on a terminal is anything cut: what is left for the change is what the columns before it leave.
    const before = 2 + gutterWidth + 2 + 2 + Math.max(nameWidth, stringWidth(name)) + 2;
    const room = screen.interactive ? Math.max(20, screen.columns - before) : Number.POSITIVE_INFINITY;
    const change = paintChange(row, leftWidth, room, screen);
    const sign = row.dim
      ? screen.paint('dim', row.sign)
      : screen.paint(signStyles[row.sign] ?? 'dim', row.sign);
    const paddedName = pad(name, nameWidth);
    const start = [
      screen.paint('bold', pad(row.gutter, gutterWidth)),
      `${sign} ${row.dim ? screen.paint('dim', paddedName) : paddedName}`,
      change.text + ' '.repeat(row.distance || row.tail ? Math.max(0, changeWidth - change.width) : 0),
    ].join('  ');
    const style = distanceStyles[row.distance] ?? 'dim';
    const distance = pad(row.distance, row.tail ? distanceWidth : 0);
    if (!distance && !row.tail) return `  ${start}`.trimEnd();
    const used = before + change.width + Math.max(0, changeWidth - change.width) + 2 + distance.length + 2;
    const tail = cutStart(
      visible(row.tail),
      screen.interactive ? screen.columns - used : Number.POSITIVE_INFINITY,
    );
    const end = [screen.paint(row.dim ? 'dim' : style, distance), screen.paint('dim', tail)];
    return `  ${start}  ${end.filter((part, index) => part !== '' || index === 0).join('  ')}`.trimEnd();
  });
}

function paintChange(
  row: Row,
  leftWidth: number,
  room: number,
  screen: Screen,
): { text: string; width: number } {
  const { change } = row;
  if (!('a' in change)) {
    const phrase = cutText(visible(change.phrase), room);
    return { text: row.dim ? screen.paint('dim', phrase) : phrase, width: stringWidth(phrase) };
  }
  const half = Math.max(8, Math.floor((room - 3) / 2));
  const a = cutText(visible(change.a), half);
  const b = cutText(visible(change.b), half);
  const parts = splitChanged(a, b);
  const padding = ' '.repeat(Math.max(0, leftWidth - stringWidth(a)));
  const text = row.dim
    ? screen.paint('dim', `${a}${padding} → ${b}`)
    : `${parts.common}${screen.paint(['bold', 'red'], parts.a)}${padding} → ${parts.common}${screen.paint(['bold', 'green'], parts.b)}`;
  return { text, width: stringWidth(a) + padding.length + 3 + stringWidth(b) };
}

function widthOf(change: Row['change'], leftWidth: number): number {
  if (!('a' in change)) return stringWidth(visible(change.phrase));
  return Math.max(leftWidth, stringWidth(visible(change.a))) + 3 + stringWidth(visible(change.b));
}

/** Cuts text from the front: of a path the end tells more. Less than a few columns are left empty. */
function cutStart(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 8 ? '' : `…${text.slice(-(Math.floor(width) - 1))}`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

function foot(report: ComparisonReport, screen: Screen): string[] {
  // Without a note, two redacted values would pass for equal ones.
  const notes = report.comparison.notes.map((note) => screen.paint('dim', visible(`Note: ${note.message}`)));
  if (report.verdict === 'equal') return [...notes, screen.paint('dim', `${equalText(report)}.`)];
  return [
    ...notes,
    screen.paint('bold', countsLine(report)) + screen.paint('dim', `; ${equalText(report)}.`),
    `${screen.paint('bold', 'Next:')} ${visible(nextStep(report))}.`,
  ];
}

function nextStep(report: ComparisonReport): string {
  if (report.verdict === 'tolerated') return 'nothing to do; --fail-on decides what counts';
  return `${adviceOf(report) ?? 'look at the differences above'}, then compare again`;
}
