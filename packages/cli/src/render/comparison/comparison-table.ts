// A comparison for a person at a terminal or reading a log: the cause first, differences grouped and aligned, then
// counts and what to do next.

import {
  type ComparisonReport,
  type ComparisonView,
  comparisonView,
  type Entry,
  explanationsOf,
  nameList,
  placesOf,
  reasonsText,
  uncheckedExpectations,
  type ViewRow,
  type ViewSection,
} from '@envsnap/compare/workspace';
import { sideText } from '@envsnap/compare/workspace/formats/entry-text';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { Screen, Style } from '../../terminal/terminal.ts';
import { type ChangeRow, layOutRows } from '../layout/change-rows.ts';
import { largest, shortIds } from '../layout/table.ts';
import { wrapLines } from '../layout/wrap-words.ts';

interface TableOptions {
  /** Shows context and equal entries too, and cuts no list. */
  readonly all?: boolean;
  /** The root of the project that was captured now, relative to the working folder, if it is above it. */
  readonly found?: string | undefined;
}

/** Renders a comparison. Lists are cut only on a terminal and without `all`; the line then says how to see the rest. */
export function renderComparison(
  report: ComparisonReport,
  screen: Screen,
  options: TableOptions = {},
): string {
  const all = options.all ?? false;
  const view = comparisonView(report, { machinePackages: true, equal: all });
  const { rows, hidden } = rowsOf(report, view, { cut: screen.interactive && !all, all });
  const body = rows.length > 0 ? layOutRows(rows, screen) : [];
  const { rows: linesOfTerminal = Number.POSITIVE_INFINITY, columns } = screen;
  const project =
    options.found === undefined
      ? []
      : [screen.paint('dim', `Project: ${visible(options.found)}; --dir . takes this folder alone.`)];
  const headline = headlineOf(view, screen);
  const above = [headline, ...sideLines(view, screen), ...project, '', ...body];
  const { lines, next } = foot(report, view, hidden, screen);
  const text = wrapLines([...above, ...lines, ...next].join('\n'), columns);
  // By then the cause has scrolled off the screen. The prompt takes a line too.
  if (text.split('\n').length < linesOfTerminal) return `${text}\n`;
  return `${wrapLines([...above, ...lines, '', headline, ...next].join('\n'), columns)}\n`;
}

function headlineOf({ verdict, notes, headline }: ComparisonView, screen: Screen): string {
  const unsure = verdict === 'equal' && notes.length > 0;
  const style: Style = verdict === 'failed' ? 'red' : verdict === 'tolerated' || unsure ? 'yellow' : 'green';
  return screen.paint(['bold', style], visible(headline));
}

function sideLines({ a, b }: ComparisonView, screen: Screen): string[] {
  const short = screen.interactive ? shortIds([a.label, b.label]) : (label: string) => label;
  const labels = [a, b].map(({ label }) => visible(short(label)));
  const width = largest(labels.map((label) => stringWidth(label)));
  return [a, b].map((side, index) => {
    const label = labels[index] ?? '';
    const moment = side.createdAt ? `, ${side.createdAt.slice(0, 16).replace('T', ' ')}` : '';
    const padding = ' '.repeat(width - stringWidth(label));
    return `${screen.paint('bold', index === 0 ? 'A' : 'B')}  ${label}${padding}  ${visible(sideText(side) + moment)}`;
  });
}

function foot(
  report: ComparisonReport,
  view: ComparisonView,
  hidden: string | undefined,
  screen: Screen,
): { readonly lines: string[]; readonly next: string[] } {
  const dim = (text: string) => screen.paint('dim', visible(text));
  const lines = [
    ...(hidden === undefined ? [] : [dim(`${hidden}.`)]),
    // Without a note, two redacted values would look equal.
    ...view.notes.flatMap(({ code, message }) => (shownAbove.has(code) ? [] : [dim(`Note: ${message}`)])),
  ];
  if (view.verdict === 'equal') return { lines: [...lines, dim(`${view.equal}.`)], next: [] };
  const summary = screen.paint('bold', visible(view.counts)) + dim(`; ${view.equal}.`);
  const next = [`${screen.paint('bold', 'Next:')} ${visible(nextStep(report, view))}.`];
  return { lines: [...lines, summary], next };
}

/** Notes that the headline or the rows repeat. */
const shownAbove: ReadonlySet<string> = new Set(['machine_packages', 'not_installed', 'failure_explained']);

function nextStep(report: ComparisonReport, view: ComparisonView): string {
  const advice = view.next?.advice;
  const unchecked = uncheckedExpectations(report.policy?.checks ?? []);
  if (advice === undefined && report.verdict === 'tolerated' && unchecked > 0)
    return `capture B where the policy can be checked (${counted(unchecked, 'expectation')} could not be), then compare again`;
  if (advice === undefined && explanationsOf(report.comparison).length > 0)
    return 'repair what explains the failure, then run it again';
  if (advice === undefined && report.verdict === 'tolerated')
    return 'nothing to do; --fail-on decides what counts';
  return `${advice ?? 'look at the differences above'}, then compare again`;
}

/** Maximum number of rows of a section (of a file, for dependencies) on a terminal. */
const rowsShown = 8;
/** Number of likeliest causes that are shown even if they are too small to count. */
const causesShown = 3;

/** The rows of a view, and `71 differences not shown: …`. `cut` shortens long lists, `all` shows context too. */
function rowsOf(
  report: ComparisonReport,
  view: ComparisonView,
  { cut, all }: { readonly cut: boolean; readonly all: boolean },
) {
  const placeOf = ({ section, key }: Pick<Entry, 'section' | 'key'>) => `${section}\n${key}`;
  const counting = new Set([...report.counting].map(placeOf));
  const likely = new Set(
    view.causes
      .slice(0, causesShown)
      .map((cause) => placesOf(cause).map(placeOf))
      // For a counting cause, show its counting entries.
      .filter((places) => !places.some((place) => counting.has(place)))
      .flat(),
  );
  const isHidden = ({ entry, notCounted }: ViewRow) =>
    notCounted !== null &&
    (entry.context === true || (entry.mild !== undefined && !likely.has(placeOf(entry))));
  const hidden: ViewRow[] = [];
  const rows = [...view.sections, ...view.equalSections].flatMap((section) => {
    if (all) return sectionRows(section, report, view, { cut, repeats: new Map() });
    const shown: ViewRow[] = [];
    const repeats = new Map<Entry, ViewRow[]>();
    for (const row of section.rows) {
      const lead = leadThatIsRepeated(row, report);
      if (lead !== undefined) repeats.set(lead, [...(repeats.get(lead) ?? []), row]);
      else (isHidden(row) ? hidden : shown).push(row);
    }
    return sectionRows({ ...section, rows: shown }, report, view, { cut, repeats });
  });
  return {
    rows: [
      ...view.unmet.map(({ key, message, line }, index) => ({
        title: index === 0 ? 'Policy' : '',
        sign: '!',
        name: key,
        change: { phrase: message.startsWith(`${key} `) ? message.slice(key.length + 1) : message },
        distance: '',
        tail: `${view.policyFile ?? ''}:${line}`,
        dim: false,
      })),
      ...rows,
    ],
    hidden:
      hidden.length === 0
        ? undefined
        : `${counted(hidden.length, 'difference')} not shown: ${reasonsText(hidden)}; --all shows them`,
  };
}

function sectionRows(
  { section, title, rows: all }: ViewSection,
  { comparison }: ComparisonReport,
  view: ComparisonView,
  { cut, repeats }: { readonly cut: boolean; readonly repeats: ReadonlyMap<Entry, readonly ViewRow[]> },
): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (const group of Map.groupBy(all, ({ entry }) => entry.file ?? '').values()) {
    const [first] = group;
    if (first === undefined) continue;
    const own = rows.length === 0 ? title : '';
    if (cut && section === 'dependencies' && isWholeFile(group, comparison.sections.dependencies)) {
      rows.push(fileRow(group, first, own, view));
      continue;
    }
    const shown = cut && group.length > rowsShown + 1 ? group.slice(0, rowsShown) : group;
    for (const [index, row] of shown.entries())
      rows.push(entryRow(row, index === 0 ? own : '', index === 0, repeats.get(row.entry) ?? []));
    if (shown.length < group.length) rows.push(moreRow(group.length - shown.length, section));
  }
  return rows;
}

function entryRow(row: ViewRow, title: string, isFirst: boolean, repeats: readonly ViewRow[]): ChangeRow {
  const { entry, a, b, notCounted } = row;
  const isDeclared = entry.section === 'toolchain';
  const hasSides =
    entry.status === 'changed' && a !== undefined && b !== undefined && !entry.list && !isDeclared;
  const origin = isFirst && entry.file !== undefined ? row.origin : '';
  return {
    title,
    sign: row.sign,
    name: row.name,
    change: hasSides ? { a, b } : { phrase: row.change },
    distance: isDeclared ? '' : row.distance,
    tail: [notCounted?.text ?? repeatsText(repeats, entry), origin].filter((part) => part !== '').join('  '),
    dim: notCounted !== null || entry.status === 'same',
    entry,
  };
}

/** The entry that differs in the same way (`program.sed` for `program.date`) and counts for this one: both share a row. */
function leadThatIsRepeated({ entry }: ViewRow, report: ComparisonReport): Entry | undefined {
  const lead = report.countedWith.get(entry);
  if (lead === undefined || lead.section !== entry.section) return undefined;
  if (entry.section === 'dependencies') return lead;
  const isShown = entry.status !== 'changed' || entry.a !== null;
  const isAlike = lead.status === entry.status && lead.a === entry.a && lead.b === entry.b;
  return isShown && isAlike ? lead : undefined;
}

function repeatsText(repeats: readonly ViewRow[], { section }: Entry): string {
  if (repeats.length === 0) return '';
  if (section === 'dependencies') return `and ${counted(repeats.length, 'more package')}`;
  return `and so ${repeats.length === 1 ? 'is' : 'are'} ${nameList(repeats.map(({ name }) => name))}`;
}

/** Whether a dependency file with several packages is on one side only. */
function isWholeFile(group: readonly ViewRow[], packages: readonly Entry[]): boolean {
  const first = group[0]?.entry;
  if (!first?.file || group.length < 2 || first.status === 'changed') return false;
  return packages.every(({ file, status }) => file !== first.file || status === first.status);
}

function fileRow(
  group: readonly ViewRow[],
  first: ViewRow,
  title: string,
  { names }: ComparisonView,
): ChangeRow {
  const { at } = first.entry.status === 'removed' ? names.a : names.b;
  const counts = group.some(({ notCounted }) => notCounted === null);
  return {
    title,
    sign: first.sign,
    name: first.entry.file ?? '',
    change: { phrase: `${counted(group.length, 'package')}, only ${at}` },
    distance: '',
    tail: counts ? '' : 'not counted',
    dim: !counts,
  };
}

function moreRow(count: number, section: ViewSection['section']): ChangeRow {
  const noun = section === 'dependencies' ? counted(count, 'more package') : `${count} more`;
  return {
    title: '',
    sign: ' ',
    name: `… ${noun}`,
    change: { phrase: '--all shows them' },
    distance: '',
    tail: '',
    dim: true,
  };
}
