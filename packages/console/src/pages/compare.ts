// Two environments side by side, for members of the project.

import type { ComparisonReport } from '@envsnap/compare';
import { comparisonMarkup } from '../comparison/comparison-view.ts';
import { consolePage } from '../frame/document.ts';
import { commandLine, shellCommand } from '../frame/parts.ts';
import { shareForm } from '../frame/share-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface ComparePageData {
  /** The comparison, under the policy in B if there is one; `comparison.a.id` and `b.id` are set. */
  readonly report: ComparisonReport;
  /** Why the policy in B cannot be used; null if it can, or if B has none. */
  readonly policyProblem: string | null;
  /** Show every cause, and equal entries too. */
  readonly all: boolean;
}

/**
 * The page at `compare?a=&b=[&all=1]`. Form: `createShare`. Holds at most about 1 MB, with `all` about 10 MB beside the causes.
 * The cost grows with the size of both sides: render it off the server's thread.
 */
export function comparePage(context: PageContext, data: ComparePageData): ConsolePage {
  const { report, all } = data;
  const { a, b } = report.comparison;
  const ids = { a: a.id ?? '', b: b.id ?? '' };
  const link = (query: Readonly<Record<string, string>>) => linkTo(context, ['compare'], query);
  const view = comparisonMarkup(report, {
    all,
    allLink: link({ ...ids, all: '1' }),
    sideLinks: { a: linkTo(context, ['snapshots', ids.a]), b: linkTo(context, ['snapshots', ids.b]) },
    judgedBy: judgedBy(data),
    actions: html`${report.differences.length === 0 ? null : html`<h2>Prove it</h2><p class="dim">This runs your command in mixtures of both environments until it finds the difference that breaks it:</p>${shellCommand('envsnap', 'bisect', ids.a, ids.b, '--', 'npm', 'test')}`}
<div class="actions">${shareForm(context, { kind: 'comparison', ...ids })}<a href="${link({ a: ids.b, b: ids.a })}">Swap A and B</a>${all ? html`<a href="${link(ids)}">Only what differs</a>` : null}</div>`,
  });
  const body = html`${view}
${commandLine(['compare', ids.a, ids.b])}`;
  return consolePage(context, {
    title: `${a.label} and ${b.label}`,
    body,
    place: null,
    verdict: report.verdict,
  });
}

function judgedBy({ report, policyProblem }: ComparePageData): MarkupContent {
  const { b } = report.comparison;
  if (policyProblem !== null)
    return html`The policy in B cannot be used, so envsnap’s default rules decide what counts: ${policyProblem}`;
  if (report.policy === null) return 'B has no policy, so envsnap’s default rules decide what counts.';
  return html`Using the policy in B (${b.machineName}): <code>${report.policy.file}</code>.`;
}
