// Two environments side by side: causes first, then what differs.

import type { ComparisonReport } from '@envsnap/compare';
import { headlineOf, sectionsByWeight, sectionTitles } from '@envsnap/compare/workspace';
import { consolePage } from '../frame/document.ts';
import { commandLine, shellCommand } from '../frame/parts.ts';
import { html } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface ComparePageData {
  /** The comparison, judged by the policy that B carries where it carries one; `comparison.a.id` and `b.id` are set. */
  readonly report: ComparisonReport;
  /** Why the policy that B carries cannot be used; null where it can, or where B carries none. */
  readonly policyProblem: string | null;
  /** Everything, equal entries too. */
  readonly all: boolean;
}

/** The page at `compare?a=&b=[&all=1]`. Form: `createShare`. Costs with the size of both sides: render it off the server's thread. */
export function comparePage(context: PageContext, { report, all }: ComparePageData): ConsolePage {
  const { a, b } = report.comparison;
  const ids = { a: a.id ?? '', b: b.id ?? '' };
  const causes = report.causes.map(
    ({ section, keys, what, advice }) =>
      html`<li data-cause="${section}:${keys[0]}">${what} <span class="dim">${advice}</span></li>`,
  );
  const sections = sectionsByWeight(report, all).map(
    ({ section, entries }) =>
      html`<h2>${sectionTitles[section]}</h2><ul>${entries.slice(0, 200).map((entry) => html`<li>${entry.key}</li>`)}</ul>`,
  );
  const body = html`<h1>${headlineOf(report)}</h1><ol>${causes}</ol>${sections}
<p><a href="${linkTo(context, ['compare'], { ...ids, all: '1' })}">Show everything</a></p>
${commandLine(shellCommand('envsnap', 'compare', ids.a, ids.b))}`;
  return consolePage(context, {
    title: `${a.label} and ${b.label}`,
    body,
    place: null,
    verdict: report.verdict,
  });
}
