// A comparison as a person reads it: verdict, likely causes with what to do, then what differs. For members and for strangers.

import type { Cause, ComparisonReport } from '@envsnap/compare';
import {
  countsLine,
  equalText,
  headlineOf,
  placesOf,
  type Side,
  violations,
  withoutTerminalHints,
} from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { fold, table, utc } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { anchorOf, differences } from './differences.ts';

/** Causes that are listed unless everything is asked for. */
const causesListed = 10;

export interface ComparisonViewOptions {
  /** Every cause, and equal entries too. */
  readonly all: boolean;
  /** The address that shows everything; null where there is none. */
  readonly allLink: string | null;
  /** The addresses of the two snapshots; null for a reader who has no access to them. */
  readonly sideLinks: { readonly a: string; readonly b: string } | null;
  /** Whose rules judged. */
  readonly judgedBy: MarkupContent;
  /** What the reader can do with it, between the causes and the differences. */
  readonly actions: MarkupContent;
}

const verdicts = {
  equal: 'Equal',
  tolerated: 'Nothing that counts differs',
  failed: 'Differs',
} as const;

/** The view without the document around it, whose main part carries the verdict. */
export function comparisonView(report: ComparisonReport, options: ComparisonViewOptions): MarkupContent {
  const { a, b, notes } = report.comparison;
  const { sideLinks } = options;
  return html`<span class="badge verdict ${report.verdict}">${verdicts[report.verdict]}</span>
<h1>${headlineOf(report)}</h1>
<p class="dim">${countsLine(report)}; ${equalText(report)}.</p>
<div class="sides">${sideBox('A', a, sideLinks?.a)}${sideBox('B', b, sideLinks?.b)}</div>
<p class="dim">${options.judgedBy}</p>
${causeList(report, options)}
${options.actions}
${expectations(report)}
${notes.map(({ code, message }) => html`<p class="dim">${withoutTerminalHints(message)}${code !== 'machine_packages' || options.all || options.allLink === null ? null : html` <a href="${options.allLink}">Show them</a>`}</p>`)}
${differences(report, options)}`;
}

function sideBox(letter: string, side: Side, link: string | undefined): MarkupContent {
  const label = side.label === letter ? null : side.label;
  const name = link === undefined ? label : html`<a href="${link}">${label}</a>`;
  const platform = [side.os, side.arch].filter((part) => part !== null).join(' ');
  const known = [
    side.label === side.machineName ? null : side.machineName,
    platform,
    side.revision,
    side.folder,
  ];
  const about = known.filter((part) => part !== null && part !== '').join(', ');
  const stored =
    side.createdAt === null ? null : html`<br><span class="dim">stored ${utc(side.createdAt)}</span>`;
  return html`<div class="side"><b>${letter}</b>${name}<br><span class="dim">${about}</span>${stored}</div>`;
}

function causeList(
  { causes, verdict }: ComparisonReport,
  { all, allLink }: ComparisonViewOptions,
): MarkupContent {
  if (causes.length === 0) return null;
  const listed = all ? causes : causes.slice(0, causesListed);
  const rest = causes.length - listed.length;
  const more = rest === 0 ? null : counted(rest, 'more cause');
  return html`<h2>${verdict === 'failed' ? 'Likely causes, the likeliest first' : 'What could matter, the likeliest first'}</h2>
<ol class="causes">${listed.map(causeItem)}</ol>
${more !== null && html`<p>${allLink === null ? html`<span class="dim">${more}, each less likely.</span>` : html`<a href="${allLink}">${more}</a>, each less likely.`}</p>`}`;
}

function causeItem(cause: Cause): MarkupContent {
  const [first] = placesOf(cause);
  const what =
    first === undefined
      ? html`<span class="what">${cause.what}</span>`
      : html`<a class="what" href="#${anchorOf(first)}">${cause.what}</a>`;
  return html`<li data-cause="${cause.section}:${cause.keys[0] ?? ''}">${what}<span class="dim">${cause.accepted === undefined ? withoutTerminalHints(cause.advice) : `accepted: ${cause.accepted}`}</span></li>\n`;
}

function expectations({ policy }: ComparisonReport): MarkupContent {
  const unmet = violations(policy?.checks ?? []);
  if (policy === null || unmet.length === 0) return null;
  return fold({
    title: 'Policy',
    remark: `${counted(unmet.length, 'expectation')} not met`,
    open: true,
    body: table({
      label: 'Policy',
      columns: ['Expectation', 'What is wrong', 'Where'],
      rows: unmet.map(({ key, message, line }) => [
        html`<code>${key}</code>`,
        message,
        html`<code>${policy.file}:${line}</code>`,
      ]),
      empty: null,
    }),
  });
}
