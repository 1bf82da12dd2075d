// A diagnosis as a person reads it, on the console and in a file: what separates the runs that failed, and what to try next.

import { type Diagnosis, type Finding, findingLimit, rateText } from '@envsnap/compare/diagnosis';
import { parseAddress } from '@envsnap/shared/address';
import { counted } from '@envsnap/shared/text/size';
import { bareDocument, documentPolicy } from '../frame/bare-document.ts';
import { badge, clipped, clock, copyBox, nextStep } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';

/** Maximum number of findings, and of leads, that are shown. */
const mostFindings = 50;
/** Maximum number of keys that are listed for one finding. */
const keysListed = 10;

interface DiagnosisPageOptions {
  /** Only runs in which this test ran; null for whole runs. */
  readonly test: string | null;
  /** The address of a value's history; null for a reader who has no access to it. */
  readonly historyLink: ((key: string) => string) | null;
  /** Actions on it, above the findings. */
  readonly actions: MarkupContent;
}

/** The diagnosis without the document around it. */
export function diagnosisMarkup(diagnosis: Diagnosis, options: DiagnosisPageOptions): MarkupContent {
  const { runs, findings, tests, suggestion, notes } = diagnosis;
  const { test, historyLink, actions } = options;
  const real = findings.filter(({ qValue }) => qValue <= findingLimit);
  const leads = findings.filter(({ qValue }) => qValue > findingLimit);
  const looked = `${counted(runs.failed, 'failing run')} against ${counted(runs.passed, 'passing run')}, ${counted(tests, 'difference')} tested`;
  const list = (some: readonly Finding[]) =>
    html`<ol class="causes">${some.slice(0, mostFindings).map((finding) => findingItem(finding, findings, historyLink))}</ol>${some.length > mostFindings ? html`<p class="dim">${some.length - mostFindings} more: <code>envsnap why --format markdown</code> lists all.</p>` : null}`;
  return html`<h1>${verdictOf(diagnosis)}</h1>
<p class="lead">${looked}${test !== null && html`, by the test <code>${clipped(test)}</code>`}.</p>
${actions}
${notes.map((note) => html`<p class="notice caution">${note.message}</p>`)}
${suggestion !== null && nextStep(null, copyBox(suggestion))}
${real.length === 0 ? null : html`<h2>Findings, likeliest first</h2>${list(real)}`}
${leads.length === 0 ? null : html`<h2>Leads that may be due to chance</h2>${list(leads)}`}`;
}

/** A diagnosis as one self-contained HTML file, for `why --format html`. It loads nothing from any host. */
export function renderDiagnosisFile(diagnosis: Diagnosis, { madeAt }: { readonly madeAt: Date }): string {
  return bareDocument({
    title: verdictOf(diagnosis),
    policy: documentPolicy("form-action 'none'"),
    body: html`<main id="main">
${diagnosisMarkup(diagnosis, { test: null, historyLink: null, actions: null })}
<footer>Made by envsnap at ${clock(madeAt.toISOString())}.</footer>
</main>`,
  });
}

function verdictOf({ runs, findings }: Diagnosis): string {
  const real = findings.filter(({ qValue }) => qValue <= findingLimit).length;
  if (real > 0)
    return `${counted(real, 'difference')} ${real === 1 ? 'separates' : 'separate'} failing from passing runs`;
  if (runs.failed > 0 && runs.passed > 0) return 'Nothing clearly separates failing from passing runs';
  return `No ${runs.failed > 0 ? 'passing runs' : runs.passed > 0 ? 'failing runs' : 'runs'} yet`;
}

function findingItem(
  finding: Finding,
  all: readonly Finding[],
  historyLink: DiagnosisPageOptions['historyLink'],
): MarkupContent {
  const { what, together, keys, keyCount, pValue, qValue, since, explainedBy } = finding;
  const explaining = explainedBy === null ? undefined : all[explainedBy];
  return html`<li><span class="what">${what}</span>
<span class="key-line"><span>failed ${share('failed', finding.inFailed, finding.ofFailed)}</span><span>passed ${share('passed', finding.inPassed, finding.ofPassed)}</span><span class="numbers" title="False-discovery rate over all that was tested">${rateText(qValue)}</span><span class="numbers" title="Fisher's exact test">p = ${pValue.toPrecision(2)}</span>${since === null ? null : html`<span>since ${clock(since)}</span>`}</span>
${together === null ? null : html`<span class="dim">${together}.</span> `}${explaining === undefined ? null : html`${badge('neutral', 'explained')} <span class="dim">by ${explaining.what}</span> `}
<span class="keys">${keys.slice(0, keysListed).map((key) => keyLink(key, historyLink))}${keyCount > keysListed ? html`<span class="dim">and ${keyCount - Math.min(keys.length, keysListed)} more</span>` : null}</span></li>\n`;
}

/** The share of the runs for which it is known, as a bar and in figures. */
function share(kind: 'failed' | 'passed', count: number, of: number): MarkupContent {
  return html`<meter class="of-${kind}" min="0" max="${Math.max(1, of)}" value="${count}" aria-label="${count} of ${of}"></meter> <span class="numbers">${count} of ${of}</span>`;
}

function keyLink(key: string, historyLink: DiagnosisPageOptions['historyLink']): MarkupContent {
  const shown = html`<code class="tag">${clipped(key, 120)}</code>`;
  const address = parseAddress(key);
  // Whether a declaration is met is not a value of a snapshot, so it has no history.
  return historyLink === null || address === undefined || address.section === 'toolchain'
    ? html`${shown} `
    : html`<a href="${historyLink(key)}">${shown}</a> `;
}
