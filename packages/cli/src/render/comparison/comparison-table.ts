// A comparison for a person at a terminal or reading a log: the cause first, differences grouped and aligned, then
// counts and what to do next.

import {
  type ComparisonReport,
  type ComparisonView,
  comparisonView,
  uncheckedExpectations,
} from '@envsnap/compare/workspace';
import { sideText } from '@envsnap/compare/workspace/formats/entry-text';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { Screen, Style } from '../../terminal/terminal.ts';
import { layOutRows } from '../layout/change-rows.ts';
import { shortIds } from '../layout/short-ids.ts';
import { wrapWords } from '../layout/wrap-words.ts';
import { rowsOf } from './comparison-rows.ts';

export interface TableOptions {
  /** Shows context and equal entries too, and cuts no list. */
  readonly all?: boolean;
  /** The root of the project that was captured now, relative to the working folder, where it lies above it. */
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
  const above = [...head(view, screen), ...projectLine(options.found, screen), '', ...body];
  const { lines, next } = foot(report, view, hidden, screen);
  const { length } = [...above, ...lines, ...next];
  // The cause has scrolled away, and the prompt takes a line too.
  const isLong = length >= (screen.rows ?? Number.POSITIVE_INFINITY);
  const again = isLong ? ['', ...headlineOf(view, screen)] : [];
  return `${[...above, ...lines, ...again, ...next].join('\n')}\n`;
}

function headlineOf(view: ComparisonView, screen: Screen): string[] {
  const { verdict, notes } = view;
  const unsure = verdict === 'equal' && notes.length > 0;
  const style: Style = verdict === 'failed' ? 'red' : verdict === 'tolerated' || unsure ? 'yellow' : 'green';
  return wrapWords(visible(view.headline), screen.columns).map((line) => screen.paint(['bold', style], line));
}

function head(view: ComparisonView, screen: Screen): string[] {
  const { a, b } = view;
  const short = screen.interactive ? shortIds([a.label, b.label]) : (label: string) => label;
  const labels = { a: visible(short(a.label)), b: visible(short(b.label)) };
  const width = Math.max(stringWidth(labels.a), stringWidth(labels.b));
  const side = (letter: 'a' | 'b') => {
    const { createdAt } = view[letter];
    const moment = createdAt ? `, ${createdAt.slice(0, 16).replace('T', ' ')}` : '';
    const margin = 3 + width + 2;
    const text = visible(sideText(view[letter]) + moment);
    const label = labels[letter];
    const name = letter.toUpperCase();
    if (screen.columns - margin < 24) {
      const lines = wrapWords(`${name}  ${label}  ${text}`, screen.columns);
      return lines.map((line, index) =>
        index === 0 ? screen.paint('bold', name) + line.slice(1) : `   ${line}`,
      );
    }
    const [first = '', ...rest] = wrapWords(text, screen.columns - margin);
    const padding = ' '.repeat(width - stringWidth(label));
    return [
      `${screen.paint('bold', name)}  ${label}${padding}  ${first}`,
      ...rest.map((line) => ' '.repeat(margin) + line),
    ];
  };
  return [...headlineOf(view, screen), ...side('a'), ...side('b')];
}

function projectLine(found: string | undefined, screen: Screen): string[] {
  if (found === undefined) return [];
  return wrapWords(`Project: ${visible(found)}; --dir . takes this folder alone.`, screen.columns).map(
    (line) => screen.paint('dim', line),
  );
}

function foot(
  report: ComparisonReport,
  view: ComparisonView,
  hidden: string | undefined,
  screen: Screen,
): { readonly lines: string[]; readonly next: string[] } {
  const wrapped = (text: string, style: Style, indent = 0) =>
    wrapWords(visible(text), screen.columns - indent).map(
      (line, index) => ' '.repeat(index === 0 ? 0 : indent) + screen.paint(style, line),
    );
  const lines = [
    ...(hidden === undefined ? [] : wrapped(`${hidden}.`, 'dim')),
    // Without a note, two redacted values would look equal. Packages of the machine are shown above.
    ...view.notes
      .filter(({ code }) => code !== 'machine_packages')
      .flatMap((note) => wrapped(`Note: ${note.message}`, 'dim', 6)),
  ];
  if (view.verdict === 'equal') return { lines: [...lines, ...wrapped(`${view.equal}.`, 'dim')], next: [] };
  const { counts } = view;
  const equal = `; ${view.equal}.`;
  const summary =
    stringWidth(counts + equal) <= screen.columns
      ? [screen.paint('bold', counts) + screen.paint('dim', equal)]
      : wrapped(counts + equal, 'bold');
  const [first = '', ...rest] = wrapWords(visible(`${nextStep(report, view)}.`), screen.columns - 6);
  const next = [`${screen.paint('bold', 'Next:')} ${first}`, ...rest.map((line) => `      ${line}`)];
  return { lines: [...lines, ...summary], next };
}

function nextStep(report: ComparisonReport, view: ComparisonView): string {
  const advice = view.next?.advice;
  const unchecked = uncheckedExpectations(report.policy?.checks ?? []);
  if (advice === undefined && report.verdict === 'tolerated' && unchecked > 0)
    return `capture B where the policy can be checked (${counted(unchecked, 'expectation')} could not be), then compare again`;
  if (advice === undefined && report.verdict === 'tolerated')
    return 'nothing to do; --fail-on decides what counts';
  return `${advice ?? 'look at the differences above'}, then compare again`;
}
