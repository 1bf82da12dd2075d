// A comparison as a person reads it, on the console, on a share and in a file: the cause and its repair first, then what counts, and
// everything else behind one fold.

import type { Cause, ComparisonReport } from '@envsnap/compare';
import {
  type ComparisonView,
  causesListed,
  comparisonView,
  nextStepOf,
  placesOf,
  repairText,
  type Side,
  sideNames,
  withoutTerminalHints,
} from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { clock, commandBox, copyBox, fold, liveFilter, nextStep, table } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { anchorOf, countingRows, kindSwitches, otherRows, roomFor } from './difference-rows.ts';

interface ComparisonPageOptions {
  /** Every cause, and equal entries too. */
  readonly all: boolean;
  /** The address that shows everything; null if there is none. */
  readonly allLink: string | null;
  /** The addresses of the two snapshots; null for a reader who has no access to them. */
  readonly sideLinks: { readonly a: string; readonly b: string } | null;
  /** Whose rules were applied. */
  readonly judgedBy: MarkupContent;
  /** Actions on it, between the causes and the differences. */
  readonly actions: MarkupContent;
}

const verdicts = { equal: 'Equal', tolerated: 'Tolerated', failed: 'Differs' } as const;

/** The comparison without the document around it, whose main part carries the verdict. */
export function comparisonMarkup(report: ComparisonReport, options: ComparisonPageOptions): MarkupContent {
  const { all, allLink, sideLinks } = options;
  const view = comparisonView(report, { machinePackages: all, equal: all });
  const room = roomFor(all || allLink === null);
  return html`<span class="badge verdict ${view.verdict}">${verdicts[view.verdict]}</span>
<h1>${view.headline}</h1>
<p class="dim">${view.counts}; ${view.equal}.</p>
${nextBox(report)}
<div class="sides">${sideBox('A', view.a, sideLinks?.a)}${sideBox('B', view.b, sideLinks?.b)}</div>
<p class="dim">${options.judgedBy}</p>
${view.verdict === 'failed' && causeList(view, options)}
${options.actions}
${expectations(view)}
<h2>Differences that count</h2>
${kindSwitches(view)}${liveFilter('what differs')}
<div>${countingRows(view, room, allLink)}${otherRows(view, room, all ? null : allLink, view.verdict === 'failed' ? null : causeList(view, options))}</div>
${view.notes.map(({ code, message }) => html`<p class="dim">${withoutTerminalHints(message)}${code !== 'machine_packages' || all || allLink === null ? null : html` <a href="${allLink}">Show them</a>`}</p>`)}`;
}

/** The repair, to be copied: commands, or the advice, if only a person can decide how. */
export function nextBox(report: ComparisonReport): MarkupContent {
  const next = nextStepOf(report);
  if (next === undefined) return null;
  const { where, commands } = repairText(next.repair, sideNames(report.comparison));
  const advice = withoutTerminalHints(next.advice);
  if (commands.length === 0) return nextStep(null, copyBox(advice));
  const isSaid = commands.every((command) => advice.includes(command));
  return nextStep(isSaid ? `run ${where}:` : `${advice}. Run ${where}:`, commands.map(commandBox));
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
    side.createdAt === null ? null : html`<br><span class="dim">stored ${clock(side.createdAt)}</span>`;
  return html`<div class="side"><b>${letter}</b>${name}<br><span class="dim">${about}</span>${stored}</div>`;
}

function causeList(
  { causes, verdict }: ComparisonView,
  { all, allLink }: ComparisonPageOptions,
): MarkupContent {
  if (causes.length === 0) return null;
  const listed = all ? causes : causes.slice(0, causesListed);
  const rest = causes.length - listed.length;
  const more = rest === 0 ? null : counted(rest, 'more cause');
  const heading =
    verdict === 'failed'
      ? html`<h2>Likely causes, likeliest first</h2>`
      : html`<h3>What could matter, likeliest first</h3>`;
  return html`${heading}
<ol class="causes">${listed.map((cause) => causeItem(cause, anchorOf))}</ol>
${more !== null && html`<p>${allLink === null ? html`<span class="dim">${more}, each less likely.</span>` : html`<a href="${allLink}">${more}</a>, each less likely.`}</p>`}`;
}

/** A cause with its advice; `anchor` gives the address of its row, if the page has it. */
export function causeItem(cause: Cause, anchor: typeof anchorOf | null): MarkupContent {
  const [first] = placesOf(cause);
  const what =
    first === undefined || anchor === null
      ? html`<span class="what">${cause.what}</span>`
      : html`<a class="what" href="#${anchor(first)}">${cause.what}</a>`;
  const said =
    cause.evidence === undefined
      ? null
      : html`<span class="dim">The output says <q>${cause.evidence}</q>. </span>`;
  const advice =
    cause.accepted === undefined ? withoutTerminalHints(cause.advice) : `accepted: ${cause.accepted}`;
  return html`<li data-cause="${cause.section}:${cause.keys[0] ?? ''}">${what}${said}<span class="dim">${advice}</span></li>\n`;
}

function expectations({ unmet, policyFile }: ComparisonView): MarkupContent {
  if (unmet.length === 0) return null;
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
        html`<code>${policyFile}:${line}</code>`,
      ]),
      empty: null,
    }),
  });
}
