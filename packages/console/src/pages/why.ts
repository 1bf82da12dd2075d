// The page about differences between failed and passed runs.

import type { Diagnosis } from '@envsnap/compare/diagnosis';
import { diagnosisMarkup } from '../diagnosis/diagnosis-view.ts';
import { consolePage } from '../frame/document.ts';
import { commandLine, oneOf } from '../frame/parts.ts';
import { postForm, valuesShown } from '../frame/post-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface WhyPageData {
  /** Only runs of this name; null for all. */
  readonly of: string | null;
  /** Only runs in which this test ran, and how it ended there; null for whole runs. */
  readonly test: string | null;
  /** Names of runs to choose from. */
  readonly names: readonly string[];
  /** Whether the diagnosis shows values of variables: in the response to the form `showDiagnosis` only. */
  readonly showsValues: boolean;
  /** The response of `POST /machine/diagnosis`. */
  readonly diagnosis: Diagnosis;
}

/** The page at `why[?of=NAME][&test=TEST]`, and the response to its form `showDiagnosis`. */
export function whyPage(context: PageContext, data: WhyPageData): ConsolePage {
  const { of, test, diagnosis, showsValues } = data;
  const hasVariables = diagnosis.findings.some(({ keys }) => keys.some((key) => key.startsWith('env:')));
  const values = showsValues
    ? valuesShown
    : hasVariables &&
      postForm(context, 'showDiagnosis', {
        label: 'Show values of variables',
        hidden: { of: of ?? '', test: test ?? '' },
      });
  const body = html`${diagnosisMarkup(diagnosis, {
    test,
    historyLink: (path) => linkTo(context, ['history'], { path }),
    actions: html`${chooser(context, data)}${values}`,
  })}
${commandLine(
  ['why', ...(of === null ? [] : ['--outcome-of', of]), ...(test === null ? [] : ['--test', test])],
  ['run', ...(of === null ? [] : ['--of', of]), '--', 'npm', 'test'],
)}`;
  return consolePage(context, { title: 'Why', body, place: 'why' });
}

function chooser(context: PageContext, { of, test, names }: WhyPageData): MarkupContent {
  if (names.length === 0) return null;
  return html`<form method="get" action="${linkTo(context, ['why'])}" class="inline">${oneOf(
    ['of', 'Runs of', 'every name'],
    names.map((name) => [name, name]),
    of,
  )}${test !== null && html`<input type="hidden" name="test" value="${test}">`}<button>Show</button>${test !== null && html`<a href="${linkTo(context, ['why'], { of: of ?? undefined })}">Whole runs</a>`}<a href="${linkTo(context, ['runs'], { of: of ?? undefined })}">See these runs</a></form>`;
}
