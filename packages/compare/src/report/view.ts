// The view of a comparison for people: sentences, causes, the next step, and rows with their reasons. Formats print it.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { counted, grouped } from '@envsnap/shared/text/size';
import type { Repair } from '../causes/repair.ts';
import { type SideNames, sideNames } from '../causes/side-names.ts';
import { changeText, distanceText, nameOf, originOf, sideValue, signOf } from '../formats/entry-text.ts';
import { type Entry, sectionTitles } from '../model/model.ts';
import { unmetOf, violations } from './expectations.ts';
import { notCounted } from './not-counted.ts';
import { type ComparisonReport, headlineOf, nextStepOf, sectionsByWeight } from './report.ts';

/**
 * One entry in words: each side's text (undefined if none may be shown), the file that it comes from or that declares it (else
 * empty), and why it does not count (null if it counts or does not differ).
 */
export type ViewRow = ReturnType<typeof viewRow>;

export interface ViewSection {
  readonly section: SectionName;
  readonly title: string;
  readonly rows: readonly ViewRow[];
}

/** Equal entries are left out unless they were requested. */
export type ComparisonView = ReturnType<typeof comparisonView>;

export const causesListed = 10;

/** `machinePackages`: also show packages of the operating system that programs do not load. `equal`: also show equal entries. */
export function comparisonView(report: ComparisonReport, { machinePackages = false, equal = false } = {}) {
  const { comparison, policy } = report;
  const names = sideNames(comparison);
  const section = (name: SectionName, entries: readonly Entry[]): ViewSection => ({
    section: name,
    title: sectionTitles[name],
    rows: entries.map((entry) => viewRow(report, entry, names)),
  });
  return {
    verdict: report.verdict,
    a: comparison.a,
    b: comparison.b,
    names,
    headline: headlineOf(report),
    counts: countsLine(report),
    equal: equalText(report),
    next: nextStepOf(report) ?? null,
    causes: report.causes,
    unmet: unmetOf(report),
    policyFile: policy?.file ?? null,
    sections: sectionsByWeight(report, machinePackages).map(({ section: name, entries }) =>
      section(name, entries),
    ),
    equalSections: (equal ? sectionNames : []).flatMap((name) => {
      const entries = comparison.sections[name].filter(({ status }) => status === 'same');
      return entries.length === 0 ? [] : [section(name, entries)];
    }),
    notes: comparison.notes,
    failOn: report.failOn,
    showsValues: comparison.showsValues,
  };
}

function viewRow(report: ComparisonReport, entry: Entry, names: SideNames) {
  return {
    entry,
    sign: signOf(entry),
    name: nameOf(entry),
    a: sideValue(entry, 'a'),
    b: sideValue(entry, 'b'),
    change: changeText(entry, names),
    distance: distanceText(entry),
    origin: originOf(entry),
    notCounted: notCounted(report, entry),
  };
}

export function sectionsThat(counts: boolean, sections: readonly ViewSection[]): ViewSection[] {
  return sections.flatMap((section) => {
    const rows = section.rows.filter((row) => (row.notCounted === null) === counts);
    return rows.length === 0 ? [] : [{ ...section, rows }];
  });
}

export function changeOf({ change, distance, notCounted: why }: ViewRow): string {
  const remarks = [distance, why?.text ?? ''].filter((part) => part !== '');
  return [change, ...remarks.map((part) => `(${part})`)].join(' ');
}

export function rowText(row: ViewRow): string {
  return `${row.name}: ${changeOf(row)}`;
}

const reasonsNamed = 4;

export function reasonsText(rows: readonly ViewRow[]): string {
  const counts = new Map<string, number>();
  for (const { notCounted: why } of rows)
    if (why !== null) counts.set(why.group, (counts.get(why.group) ?? 0) + 1);
  const reasons = [...counts].sort((x, y) => y[1] - x[1]);
  const others = reasons.slice(reasonsNamed).reduce((sum, [, count]) => sum + count, 0);
  return [
    ...reasons.slice(0, reasonsNamed).map(([reason, count]) => `${reason} (${grouped(count)})`),
    ...(others > 0 ? [`other reasons (${grouped(others)})`] : []),
  ].join(', ');
}

export function uncountedText(count: number): string {
  return `${counted(count, 'difference does', 'differences do')} not count`;
}

/** The commands, and where to run them: `on ben`, `on both sides`. No commands if only a person can decide. */
export function repairText(
  repair: Repair | null,
  { a, b }: SideNames,
): { readonly where: string; readonly commands: readonly string[] } {
  if (repair === null) return { where: '', commands: [] };
  const where = repair.side === 'both' ? 'on both sides' : (repair.side === 'a' ? a : b).at;
  return { where, commands: repair.commands };
}

const nouns: Record<SectionName, readonly [one: string, many: string]> = {
  os: ['operating system', 'operating systems'],
  arch: ['architecture', 'architectures'],
  system: ['system fact', 'system facts'],
  facts: ['fact', 'facts'],
  runtimes: ['runtime', 'runtimes'],
  toolchain: ['declared version', 'declared versions'],
  checkout: ['place of the checkout', 'places of the checkout'],
  dependencies: ['package', 'packages'],
  installed: ['installed package', 'installed packages'],
  env: ['variable', 'variables'],
  paths: ['path list', 'path lists'],
};

export function countsLine(report: ComparisonReport): string {
  const violated = violations(report.policy?.checks ?? []).length;
  const perSection = sectionNames
    .map((section) => ({
      section,
      count: [...report.counting].filter((entry) => entry.section === section).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ section, count }) => counted(count, ...nouns[section]));
  const parts: string[] = [];
  if (violated > 0) parts.push(`${counted(violated, 'expectation')} of ${report.policy?.file} not met`);
  const accepted = report.acceptedFor.size;
  const joined = report.countedWith.size;
  const uncounted = report.differences.length - report.counting.size - joined - accepted;
  if (report.counting.size > 0) {
    const [verb, it] = report.counting.size === 1 ? ['counts', 'it'] : ['count', 'them'];
    parts.push(`${counted(report.counting.size, 'difference')} ${verb} (${perSection.join(', ')})`);
    if (joined > 0) parts.push(`${grouped(joined)} ${joined === 1 ? 'follows' : 'follow'} from ${it}`);
    if (uncounted > 0) parts.push(`${grouped(uncounted)} ${uncounted === 1 ? 'does' : 'do'} not count`);
  } else {
    const none = `${parts.length === 0 ? 'No' : 'no'} difference`;
    if (uncounted > 0)
      parts.push(`${none} counts, ${grouped(uncounted)} ${uncounted === 1 ? 'does' : 'do'} not`);
    else parts.push(accepted > 0 ? `${none} counts` : none);
  }
  if (accepted > 0) parts.push(`${grouped(accepted)} accepted`);
  return parts.join(', ');
}

function equalText(report: ComparisonReport): string {
  const { counts } = report.comparison;
  const equal = sectionNames.reduce((sum, name) => sum + counts[name].same, 0);
  const ignored = sectionNames.reduce((sum, name) => sum + counts[name].ignored, 0);
  return `${counted(equal, 'entry', 'entries')} equal${ignored > 0 ? `, ${grouped(ignored)} ignored` : ''}`;
}
