// Which rows a comparison has on a terminal, in which order, and what is only counted.

import type { ComparisonReport, Entry } from '@envsnap/compare/workspace';
import {
  nameList,
  placesOf,
  reasonNotCounted,
  sectionsByWeight,
  sectionTitles,
  sideNames,
  violations,
} from '@envsnap/compare/workspace';
import {
  changeText,
  distanceText,
  nameOf,
  originOf,
  sideValue,
  signOf,
} from '@envsnap/compare/workspace/formats/entry-text';
import type { SectionName } from '@envsnap/shared/address';
import { sectionNames } from '@envsnap/shared/address';
import { counted, grouped } from '@envsnap/shared/text/size';
import type { ChangeRow } from '../layout/change-rows.ts';

/** Most rows of a section (of a file, for dependencies) on a terminal. */
const rowsShown = 8;
/** How many of the likeliest causes are shown even where they are too small to count. */
const causesShown = 3;

export interface ComparisonRows {
  readonly rows: readonly ChangeRow[];
  /** Differences that are only counted: context, and what is too small to matter. */
  readonly hidden: readonly Entry[];
}

/** The rows. `cut` shortens long lists, `all` adds context and what is equal. */
export function rowsOf(report: ComparisonReport, cut: boolean, all: boolean): ComparisonRows {
  const rows: ChangeRow[][] = [policyRows(report)];
  const hidden: Entry[][] = [];
  const placeOf = ({ section, key }: Pick<Entry, 'section' | 'key'>) => `${section}\n${key}`;
  const counting = new Set([...report.counting].map(placeOf));
  const likely = new Set(
    report.causes
      .slice(0, causesShown)
      .map((cause) => placesOf(cause).map(placeOf))
      // Of a cause that counts, what counts is shown.
      .filter((places) => !places.some((place) => counting.has(place)))
      .flat(),
  );
  const isHidden = (entry: Entry) =>
    !all &&
    !repeatsItsLead(entry, report) &&
    !report.counting.has(entry) &&
    (entry.context === true || (entry.mild !== undefined && !likely.has(placeOf(entry))));
  for (const { section, entries } of sectionsByWeight(report, true)) {
    hidden.push(entries.filter(isHidden));
    const shown = entries.filter((entry) => !isHidden(entry) && (all || !repeatsItsLead(entry, report)));
    rows.push(sectionRows(section, shown, report, { cut, all }));
  }
  if (all) rows.push(equalRows(report));
  return { rows: rows.flat(), hidden: hidden.flat() };
}

/** `71 differences not shown: of the desktop (30), of the shell (12), …`; undefined where nothing is hidden. */
export function hiddenText(hidden: readonly Entry[]): string | undefined {
  if (hidden.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { contextReason = 'too small to count' } of hidden)
    counts.set(contextReason, (counts.get(contextReason) ?? 0) + 1);
  const reasons = [...counts].sort((x, y) => y[1] - x[1]);
  const listed = reasons.slice(0, 4).map(([reason, count]) => `${reason} (${grouped(count)})`);
  const others = reasons.slice(4).reduce((sum, [, count]) => sum + count, 0);
  if (others > 0) listed.push(`other reasons (${grouped(others)})`);
  return `${counted(hidden.length, 'difference')} not shown: ${listed.join(', ')}; --all shows them`;
}

function policyRows(report: ComparisonReport): ChangeRow[] {
  const checks = violations(report.policy?.checks ?? []);
  return checks.map((check, index) => ({
    title: index === 0 ? 'Policy' : '',
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
  { cut, all }: { readonly cut: boolean; readonly all: boolean },
): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (const group of groupByFile(entries)) {
    const title = rows.length === 0 ? sectionTitles[section] : '';
    if (cut && isWholeFile(group, report)) {
      rows.push(fileRow(group, title, report));
      continue;
    }
    const shown = cut && group.length > rowsShown + 1 ? group.slice(0, rowsShown) : group;
    for (const [index, entry] of shown.entries()) {
      rows.push(entryRow(entry, index === 0 ? title : '', { firstOfFile: index === 0, all }, report));
    }
    if (shown.length < group.length) rows.push(moreRow(group.length - shown.length, group[0] as Entry));
  }
  return rows;
}

function entryRow(
  entry: Entry,
  title: string,
  { firstOfFile, all }: { readonly firstOfFile: boolean; readonly all: boolean },
  report: ComparisonReport,
): ChangeRow {
  const a = sideValue(entry, 'a');
  const b = sideValue(entry, 'b');
  const counts = report.counting.has(entry);
  const origin = firstOfFile && entry.file !== undefined ? originOf(entry) : '';
  const sides =
    entry.status === 'changed' &&
    a !== undefined &&
    b !== undefined &&
    !entry.list &&
    entry.section !== 'toolchain';
  return {
    title,
    sign: signOf(entry),
    name: nameOf(entry),
    change: sides ? { a, b } : { phrase: changeText(entry, sideNames(report.comparison)) },
    distance: entry.section === 'toolchain' ? '' : distanceText(entry),
    tail: [counts ? (all ? '' : repeatedBy(entry, report)) : whyNotCounted(entry, report), origin]
      .filter((part) => part !== '')
      .join('  '),
    dim: !counts,
    entry,
  };
}

/**
 * Whether an entry differs in the same way as the one that counts for it, `program.sed` beside `program.date`, or is a further
 * package of the operating system.
 */
function repeatsItsLead(entry: Entry, report: ComparisonReport): boolean {
  const lead = report.countedWith.get(entry);
  if (lead === undefined || lead.section !== entry.section) return false;
  if (entry.section === 'dependencies') return true;
  const isShown = entry.status !== 'changed' || entry.a !== null;
  return isShown && lead.status === entry.status && lead.a === entry.a && lead.b === entry.b;
}

/** The entries that share the row of another one. */
function repeatedBy(lead: Entry, report: ComparisonReport): string {
  const others = [...report.countedWith]
    .filter(([entry, first]) => first === lead && repeatsItsLead(entry, report))
    .map(([entry]) => nameOf(entry));
  if (lead.section === 'dependencies' && others.length > 0)
    return `and ${counted(others.length, 'more package')}`;
  return others.length === 0 ? '' : `and so ${others.length === 1 ? 'is' : 'are'} ${nameList(others)}`;
}

function whyNotCounted(entry: Entry, report: ComparisonReport): string {
  if (entry.status === 'same') return '';
  const reason = reasonNotCounted(report, entry);
  if (report.countedWith.has(entry) || report.acceptedFor.has(entry)) return reason ?? '';
  return reason === null ? 'not counted' : `not counted: ${reason}`;
}

/** True when a dependency file with several packages is on one side only. */
function isWholeFile(group: readonly Entry[], report: ComparisonReport): boolean {
  const [first] = group;
  if (!first?.file || group.length < 2 || first.status === 'changed') return false;
  if (first.section !== 'dependencies' || group.some((entry) => entry.status !== first.status)) return false;
  return !report.comparison.sections.dependencies.some(
    (entry) => entry.file === first.file && entry.status !== first.status,
  );
}

function fileRow(group: readonly Entry[], title: string, report: ComparisonReport): ChangeRow {
  const first = group[0] as Entry;
  const names = sideNames(report.comparison);
  const { at } = first.status === 'removed' ? names.a : names.b;
  const counts = group.some((entry) => report.counting.has(entry));
  return {
    title,
    sign: signOf(first),
    name: first.file ?? '',
    change: { phrase: `${counted(group.length, 'package')}, only ${at}` },
    distance: '',
    tail: counts ? '' : 'not counted',
    dim: !counts,
  };
}

function moreRow(count: number, entry: Entry): ChangeRow {
  const noun =
    entry.section === 'dependencies' ? counted(count, 'more package', 'more packages') : `${count} more`;
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

function equalRows(report: ComparisonReport): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (const section of sectionNames) {
    const equal = report.comparison.sections[section].filter((entry) => entry.status === 'same');
    let first = true;
    for (const group of groupByFile(equal)) {
      for (const [index, entry] of group.entries()) {
        rows.push(
          entryRow(
            entry,
            first ? sectionTitles[section] : '',
            { firstOfFile: index === 0, all: true },
            report,
          ),
        );
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
