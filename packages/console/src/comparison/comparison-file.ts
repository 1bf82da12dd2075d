// A comparison as one self-contained HTML file, for `--format html`. It loads nothing from any host.

import type { ComparisonReport } from '@envsnap/compare';
import { bareDocument, documentPolicy } from '../frame/bare-document.ts';
import { clock } from '../frame/parts.ts';
import { html } from '../markup.ts';
import { comparisonMarkup } from './comparison-view.ts';

interface ComparisonFileOptions {
  /** Every cause, and equal entries too. Default false: equal entries are only counted. */
  readonly all?: boolean;
  readonly madeAt: Date;
}

export function renderComparisonFile(
  report: ComparisonReport,
  { all = false, madeAt }: ComparisonFileOptions,
): string {
  const { a, b, showsValues } = report.comparison;
  const view = comparisonMarkup(report, {
    all,
    allLink: null,
    sideLinks: null,
    judgedBy: html`Sections that count: ${report.failOn.join(', ') || 'none'}.`,
    actions: null,
  });
  return bareDocument({
    title: `${a.label} and ${b.label}`,
    policy: documentPolicy("form-action 'none'"),
    body: html`<main id="main" data-verdict="${report.verdict}">
${view}
<footer>Made by envsnap at ${clock(madeAt.toISOString())}. ${showsValues ? 'Contains values of variables.' : 'Contains no values of variables.'}</footer>
</main>`,
  });
}
