// Finds machines, tools, packages and names of variables in the newest snapshot of each machine.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { counted } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { clipped, commandLine, moment, older, table } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

/** Where something was found: its address, and the machines that have it, by its version. */
export interface SearchHit {
  readonly key: string;
  readonly versions: readonly {
    /** Null if it has no version, or none that is shown. */
    readonly version: string | null;
    readonly machines: readonly string[];
    readonly count: number;
  }[];
}

export interface SearchResults {
  readonly machines: readonly string[];
  readonly tools: readonly SearchHit[];
  readonly packages: readonly SearchHit[];
  readonly variables: readonly SearchHit[];
  /** How many machines were searched, and how many there are. */
  readonly searched: number;
  readonly total: number;
  /** Whether more was found than these lists hold. */
  readonly isCut: boolean;
}

export interface SearchPageData {
  /** The search text; null if nothing was typed yet. */
  readonly q: string | null;
  readonly results: SearchResults | null;
  /** The machines, if nothing was typed yet. */
  readonly machines: ResponseOf<Operations['listMachines']> | null;
  /** A snapshot that is to be compared with one of the machine that is chosen here; null for none. */
  readonly chosen: string | null;
}

/** Machines with one version that are listed beside it; more of them are in a fold. */
const machinesInLine = 6;

/** The page at `search[?q=][&offset=][&with=SNAPSHOT]`. */
export function searchPage(
  context: PageContext,
  { q, results, machines, chosen }: SearchPageData,
): ConsolePage {
  const body = html`<h1>${chosen === null ? 'Search' : 'Choose the other machine'}</h1>
${chosen !== null && html`<p class="notice">It is compared with <code>${chosen}</code>.</p>`}
<form method="get" action="${linkTo(context, ['search'])}" class="inline" role="search">${chosen !== null && html`<input type="hidden" name="with" value="${chosen}">`}<label for="q">Machine, tool, package or variable</label><input id="q" name="q" type="search" value="${q}" maxlength="200" placeholder="node, zod, TZ"><button class="primary">Search</button></form>
${results !== null && q !== null && resultsOf(context, q, results, chosen)}
${machines !== null && machineList(context, machines, chosen)}
${commandLine(['history', 'runtimes.node'], ['matrix'])}`;
  return consolePage(context, { title: q === null ? 'Search' : `Search for ${q}`, body, place: 'search' });
}

function resultsOf(
  context: PageContext,
  q: string,
  results: SearchResults,
  chosen: string | null,
): MarkupContent {
  const { machines, tools, packages, variables, searched, total, isCut } = results;
  const found = machines.length + tools.length + packages.length + variables.length;
  const where = `the newest snapshots of ${counted(searched, 'machine')}${searched < total ? ` of ${total}` : ''}`;
  if (found === 0)
    return html`<p class="empty">Nothing in ${where} has “${q}” in its name. Names of variables are searched, never their values.</p>`;
  return html`<p class="lead">In ${where}.${isCut && ' There are more results than this page shows: type more of the name.'}</p>
${
  machines.length > 0 &&
  html`<h2>Machines</h2><ul class="plain">${machines.map((name) => html`<li><a href="${linkTo(context, ['machines', name], { with: chosen ?? undefined })}">${name}</a></li>`)}</ul>`
}
${hitTable(context, 'Tools', tools)}${hitTable(context, 'Packages', packages)}${hitTable(context, 'Variables', variables)}`;
}

function hitTable(context: PageContext, label: string, hits: readonly SearchHit[]): MarkupContent {
  if (hits.length === 0) return null;
  const rows = hits.map(({ key, versions }) => [
    html`<a href="${linkTo(context, ['history'], { path: key })}"><code>${clipped(key, 200)}</code></a>`,
    versions.map(({ version, machines, count }) => {
      const value = version !== null && html`<code>${clipped(version, 80)}</code> `;
      const names = html`${machines.map((name) => html`<a class="tag" href="${linkTo(context, ['machines', name])}">${name}</a> `)}${count > machines.length && html`<span class="dim">and ${count - machines.length} more</span>`}`;
      if (count <= machinesInLine) return html`<div>${value}${names}</div>`;
      return html`<details><summary>${value}<span class="dim">on ${counted(count, 'machine')}</span></summary>${names}</details>`;
    }),
  ]);
  return html`<h2>${label}</h2>${table({ label, columns: ['Name', 'Where'], rows, empty: null })}`;
}

function machineList(
  context: PageContext,
  list: ResponseOf<Operations['listMachines']>,
  chosen: string | null,
): MarkupContent {
  const picked = { with: chosen ?? undefined };
  const behind = list.offset + list.machines.length;
  return html`<h2>${counted(list.total, 'machine')}</h2>
${table({
  label: 'Machines',
  columns: ['Machine', 'Captured', 'Snapshots'],
  numbers: ['Snapshots'],
  rows: list.machines.map(({ machineName, latest, snapshots }) => [
    html`<a href="${linkTo(context, ['machines', machineName], picked)}">${machineName}</a>`,
    moment(latest.createdAt, context),
    snapshots,
  ]),
  empty: 'No machines here.',
  filter: true,
})}
${older('More machines', behind < list.total && linkTo(context, ['search'], { ...picked, offset: String(behind) }), list.total)}`;
}
