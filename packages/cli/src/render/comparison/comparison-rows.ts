// Which rows of a comparison a terminal shows, in which order, and what is only counted.

import {
  type ComparisonReport,
  type ComparisonView,
  type Entry,
  nameList,
  placesOf,
  reasonsText,
  type ViewRow,
  type ViewSection,
} from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import type { ChangeRow } from '../layout/change-rows.ts';

/** Most rows of a section (of a file, for dependencies) on a terminal. */
const rowsShown = 8;
/** How many of the likeliest causes are shown even where they are too small to count. */
const causesShown = 3;

export interface ComparisonRows {
  readonly rows: readonly ChangeRow[];
  /** `71 differences not shown: of the desktop (30), …`; undefined where everything is shown. */
  readonly hidden: string | undefined;
}

/** The rows of a view. `cut` shortens long lists, `all` shows context too. */
export function rowsOf(
  report: ComparisonReport,
  view: ComparisonView,
  { cut, all }: { readonly cut: boolean; readonly all: boolean },
): ComparisonRows {
  const placeOf = ({ section, key }: Pick<Entry, 'section' | 'key'>) => `${section}\n${key}`;
  const counting = new Set([...report.counting].map(placeOf));
  const likely = new Set(
    view.causes
      .slice(0, causesShown)
      .map((cause) => placesOf(cause).map(placeOf))
      // Of a cause that counts, what counts is shown.
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
    rows: [...policyRows(view), ...rows],
    hidden:
      hidden.length === 0
        ? undefined
        : `${counted(hidden.length, 'difference')} not shown: ${reasonsText(hidden)}; --all shows them`,
  };
}

function policyRows({ unmet, policyFile }: ComparisonView): ChangeRow[] {
  return unmet.map(({ key, message, line }, index) => ({
    title: index === 0 ? 'Policy' : '',
    sign: '!',
    name: key,
    change: { phrase: message.startsWith(`${key} `) ? message.slice(key.length + 1) : message },
    distance: '',
    tail: `${policyFile ?? ''}:${line}`,
    dim: false,
  }));
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

/**
 * The entry that counts for this one and differs in the same way, `program.sed` for `program.date`, or for a further package of the
 * operating system: both share a row.
 */
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
