// A comparison for a GitHub Actions job: workflow commands that become annotations, and the job's step summary.
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions

import { visible } from '@envsnap/shared/text/visible';
import type { Entry } from '../model/model.ts';
import { sectionTitles } from '../model/model.ts';
import { type ComparisonReport, headlineOf, sectionsByWeight, violations } from '../report/report.ts';
import { countsLine } from './counts-text.ts';
import { changeWithDistance, nameOf, originOf } from './entry-text.ts';
import { renderMarkdown } from './markdown.ts';

/** Annotations of one kind that GitHub shows of a step. */
const annotationsShown = 10;
/** Most bytes of a step summary. */
export const summaryLimitBytes = 1024 * 1024;

/** Renders the workflow commands, one a line: an error for what counts, a notice for the verdict and the notes. */
export function renderGithubAnnotations(report: ComparisonReport): string {
  const errors = [...policyErrors(report), ...entryErrors(report)];
  const lines = errors.slice(0, errors.length > annotationsShown ? annotationsShown - 1 : annotationsShown);
  const left = errors.length - lines.length;
  if (left > 0) {
    lines.push(
      command(
        'error',
        { title: 'envsnap' },
        `${left} more differences count; the step summary has all of them`,
      ),
    );
  }
  const notices = report.comparison.notes.map((note) =>
    command('notice', { title: 'envsnap' }, note.message),
  );
  const counts = report.verdict === 'equal' ? '' : `${countsLine(report)}. `;
  const verdict = command('notice', { title: 'envsnap' }, `${counts}${headlineOf(report)}`);
  return `${[...lines, verdict, ...notices.slice(0, annotationsShown - 1)].join('\n')}\n`;
}

/** Renders the step summary: Markdown of at most 1 MiB in UTF-8. */
export function renderGithubSummary(report: ComparisonReport): string {
  let limit = summaryLimitBytes;
  for (;;) {
    const text = renderMarkdown(report, limit);
    const bytes = Buffer.byteLength(text);
    if (bytes <= summaryLimitBytes) return text;
    limit = Math.floor(limit / 2);
  }
}

function policyErrors(report: ComparisonReport): string[] {
  return violations(report.policy?.checks ?? []).map((check) =>
    command(
      'error',
      { file: report.policy?.file ?? '', line: String(check.line), title: 'envsnap policy' },
      check.message,
    ),
  );
}

function entryErrors(report: ComparisonReport): string[] {
  return sectionsByWeight(report)
    .flatMap(({ entries }) => entries)
    .filter((entry) => report.counting.has(entry))
    .map((entry) => command('error', propertiesOf(entry), `${nameOf(entry)}: ${changeWithDistance(entry)}`));
}

function propertiesOf(entry: Entry): Record<string, string> {
  const file = originOf(entry);
  return { ...(file ? { file } : {}), title: `envsnap: ${sectionTitles[entry.section]}` };
}

/** One workflow command, escaped as the runner's own toolkit does it. */
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

/** Control characters become visible; line breaks of a message are kept as the runner writes them. */
function escapeData(text: string): string {
  const harmless = text.split(/(\r\n|\r|\n)/).map((part, index) => (index % 2 === 0 ? visible(part) : part));
  return harmless.join('').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
