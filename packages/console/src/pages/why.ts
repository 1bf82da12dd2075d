// What separates the runs that failed from those that passed.

import { type Diagnosis, type Finding, findingLimit, tellRate } from '@envsnap/compare/diagnosis';
import { parseAddress } from '@envsnap/shared/address';
import { counted } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { badge, clipped, commandLine, moment, options, shellCommand } from '../frame/parts.ts';
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
  /** Whether the diagnosis says what variables hold: in the answer to the form `showDiagnosis` only. */
  readonly showsValues: boolean;
  /** What separates them, as `POST /machine/diagnosis` says it. */
  readonly diagnosis: Diagnosis;
}

/** Findings, and leads, that are shown at most. */
const mostFindings = 50;
/** Keys of one finding that are listed. */
const keysListed = 10;

/** The page at `why[?of=NAME][&test=TEST]`, and the answer to its form `showDiagnosis`. */
export function whyPage(context: PageContext, data: WhyPageData): ConsolePage {
  const { of, test, diagnosis, showsValues } = data;
  const { runs, findings, tests, suggestion, notes } = diagnosis;
  const real = findings.filter(({ qValue }) => qValue <= findingLimit);
  const leads = findings.filter(({ qValue }) => qValue > findingLimit);
  const looked = `${counted(runs.failed, 'failing run')} against ${counted(runs.passed, 'passing run')}, ${counted(tests, 'difference')} tested`;
  const list = (some: readonly Finding[]) =>
    html`<ol class="causes">${some.slice(0, mostFindings).map((finding) => findingItem(context, finding, findings))}</ol>${some.length > mostFindings ? html`<p class="dim">${some.length - mostFindings} more: <code>envsnap why --format markdown</code> lists all.</p>` : null}`;
  const verdict =
    real.length > 0
      ? `${counted(real.length, 'difference')} ${real.length === 1 ? 'separates' : 'separate'} failing from passing runs`
      : runs.failed > 0 && runs.passed > 0
        ? 'Nothing clearly separates failing from passing runs'
        : `No ${runs.failed > 0 ? 'passing runs' : runs.passed > 0 ? 'failing runs' : 'runs'} yet`;
  const body = html`<h1>${verdict}</h1>
<p class="lead">${looked}${test !== null && html`, by the test <code>${clipped(test)}</code>`}.</p>
${chooser(context, data)}
${
  showsValues
    ? valuesShown
    : findings.some(({ keys }) => keys.some((key) => key.startsWith('env:')))
      ? postForm(context, 'showDiagnosis', {
          label: 'Show values of variables',
          hidden: { of: of ?? '', test: test ?? '' },
        })
      : null
}
${notes.map((note) => html`<p class="notice caution">${note.message}</p>`)}
${suggestion === null ? null : html`<p class="next"><strong>Next:</strong> ${suggestion}</p>`}
${real.length === 0 ? null : html`<h2>Findings, the likeliest first</h2>${list(real)}`}
${leads.length === 0 ? null : html`<h2>Leads that may be chance</h2>${list(leads)}`}
${commandLine(
  shellCommand(
    'envsnap',
    'why',
    ...(of === null ? [] : ['--outcome-of', of]),
    ...(test === null ? [] : ['--test', test]),
  ),
  shellCommand('envsnap', 'run', ...(of === null ? [] : ['--of', of]), '--', 'npm', 'test'),
)}`;
  return consolePage(context, { title: 'Why', body, place: 'why' });
}

function chooser(context: PageContext, { of, test, names }: WhyPageData): MarkupContent {
  if (names.length === 0) return null;
  return html`<form method="get" action="${linkTo(context, ['why'])}" class="inline"><label for="of">Runs of</label><select id="of" name="of"><option value="">every name</option>${options(
    names.map((name) => [name, name]),
    of ?? undefined,
  )}</select>${test !== null && html`<input type="hidden" name="test" value="${test}">`}<button>Show</button>${test !== null && html`<a href="${linkTo(context, ['why'], { of: of ?? undefined })}">Whole runs</a>`}<a href="${linkTo(context, ['runs'], { of: of ?? undefined })}">See these runs</a></form>`;
}

function findingItem(context: PageContext, finding: Finding, all: readonly Finding[]): MarkupContent {
  const { what, together, keys, keyCount, pValue, qValue, since, explainedBy } = finding;
  const explaining = explainedBy === null ? undefined : all[explainedBy];
  return html`<li><span class="what">${what}</span>
<span class="key-line"><span>failed ${share('failed', finding.inFailed, finding.ofFailed)}</span><span>passed ${share('passed', finding.inPassed, finding.ofPassed)}</span><span class="numbers" title="False-discovery rate over all that was tested">${tellRate(qValue)}</span><span class="numbers" title="Fisher's exact test">p = ${pValue.toPrecision(2)}</span>${since === null ? null : html`<span>since ${moment(since, context)}</span>`}</span>
${together === null ? null : html`<span class="dim">${together}.</span> `}${explaining === undefined ? null : html`${badge('neutral', 'explained')} <span class="dim">by ${explaining.what}</span> `}
<span class="keys">${keys.slice(0, keysListed).map((key) => keyLink(context, key))}${keyCount > keysListed ? html`<span class="dim">and ${keyCount - Math.min(keys.length, keysListed)} more</span>` : null}</span></li>\n`;
}

/** How many of those for which it is known: as a bar and in figures. */
function share(kind: 'failed' | 'passed', count: number, of: number): MarkupContent {
  return html`<meter class="of-${kind}" min="0" max="${Math.max(1, of)}" value="${count}" aria-label="${count} of ${of}"></meter> <span class="numbers">${count} of ${of}</span>`;
}

function keyLink(context: PageContext, key: string): MarkupContent {
  const shown = html`<code class="tag">${clipped(key, 120)}</code>`;
  const address = parseAddress(key);
  // A declaration that is met or not is no value that a snapshot holds.
  return address === undefined || address.section === 'toolchain'
    ? html`${shown} `
    : html`<a href="${linkTo(context, ['history'], { path: key })}">${shown}</a> `;
}
