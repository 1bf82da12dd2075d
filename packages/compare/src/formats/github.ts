// A comparison for a GitHub Actions job: workflow commands that become annotations, and the job's step summary.
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions

import { visible } from '@envsnap/shared/text/visible';
import type { ComparisonReport } from '../report/report.ts';
import { comparisonView, rowText, sectionsThat } from '../report/view.ts';
import { renderMarkdown } from './markdown.ts';

const annotationsShown = 10;
export const summaryLimitBytes = 1024 * 1024;

export function renderGithubAnnotations(report: ComparisonReport): string {
  const view = comparisonView(report);
  const { unmet, policyFile, sections } = view;
  const errors = [
    ...unmet.map(({ line, message }) =>
      command('error', { file: policyFile ?? '', line: String(line), title: 'envsnap policy' }, message),
    ),
    ...sectionsThat(true, sections).flatMap(({ title, rows }) =>
      rows.map((row) => command('error', { file: row.origin, title: `envsnap: ${title}` }, rowText(row))),
    ),
  ];
  const lines = errors.slice(0, errors.length > annotationsShown ? annotationsShown - 1 : annotationsShown);
  const omitted = errors.length - lines.length;
  const title = { title: 'envsnap' };
  if (omitted > 0)
    lines.push(
      command('error', title, `${omitted} more differences count; the step summary has all of them`),
    );
  const counts = view.verdict === 'equal' ? '' : `${view.counts}. `;
  const next = view.next === null ? '' : ` Next: ${view.next.advice}.`;
  const verdict = command('notice', title, `${counts}${view.headline}${next}`);
  const notices = view.notes.map(({ message }) => command('notice', title, message));
  return `${[...lines, verdict, ...notices.slice(0, annotationsShown - 1)].join('\n')}\n`;
}

export function renderGithubSummary(report: ComparisonReport): string {
  let limit = summaryLimitBytes;
  for (;;) {
    const text = renderMarkdown(report, limit);
    const bytes = Buffer.byteLength(text);
    if (bytes <= summaryLimitBytes) return text;
    limit = Math.floor(limit / 2);
  }
}

export function command(
  name: 'error' | 'warning' | 'notice',
  properties: Record<string, string>,
  message: string,
): string {
  const list = Object.entries(properties)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
    .join(',');
  return `::${name}${list ? ` ${list}` : ''}::${escapeData(message)}`;
}

/** Shows control characters as escapes; keeps line breaks of a message in the runner's form. */
function escapeData(text: string): string {
  const harmless = text.split(/(\r\n|\r|\n)/).map((part, index) => (index % 2 === 0 ? visible(part) : part));
  return harmless.join('').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
