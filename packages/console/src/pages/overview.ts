// The first page: machines and newest runs; for an empty project, the lines to type.

import { environmentOf } from '@envsnap/compare/workspace';
import type { Operations, ResponseOf, SnapshotSummary } from '@envsnap/shared';
import { grouped } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { commandLine, moment, options, shellCommand, table } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';
import { runTable } from './runs.ts';

export interface OverviewPageData {
  readonly machines: ResponseOf<Operations['listMachines']>;
  /** The newest runs: snapshots that have an outcome, the newest first. */
  readonly runs: readonly SnapshotSummary[];
}

/** The page at the console's root, `[?offset=]` for further machines. */
export function overviewPage(context: PageContext, { machines, runs }: OverviewPageData): ConsolePage {
  const body = machines.total === 0 ? firstScreen(context) : overview(context, machines, runs);
  return consolePage(context, { title: context.caller?.projectName ?? 'Machines', body, place: '' });
}

function firstScreen({ serverUrl, caller }: PageContext): MarkupContent {
  return html`<h1>Nothing has been captured yet</h1>
<p class="lead">Type these three lines on a machine that you want to capture, with ${caller?.role === 'viewer' ? 'a key of a member' : 'a key of this project'}:</p>
<ol class="steps"><li>${shellCommand('envsnap', 'init', '--base-url', serverUrl)}</li><li>${shellCommand('envsnap', 'capture')}</li><li>${shellCommand('envsnap', 'run', '--', 'npm', 'test')}</li></ol>
<p>The first line asks for the key. The second captures the machine. The third runs a command and records its environment with the result. Then reload this page.</p>`;
}

function overview(
  context: PageContext,
  list: OverviewPageData['machines'],
  runs: readonly SnapshotSummary[],
): MarkupContent {
  const { machines, total, offset } = list;
  const rows = machines.map(({ machineName, snapshots, latest }) => [
    html`<a href="${linkTo(context, ['snapshots', latest.id])}">${machineName}</a>`,
    systemOf(latest),
    environmentOf(latest).revision,
    moment(latest.createdAt, context),
    grouped(snapshots),
  ]);
  const sides = machines.map(({ machineName, latest }) => [latest.id, machineName] as const);
  const behind = offset + machines.length;
  return html`<h1>Machines</h1>
${sides.length < 2 ? null : html`<form method="get" action="${linkTo(context, ['compare'])}" class="inline"><label for="a">Compare</label><select id="a" name="a">${options(sides)}</select><label for="b">with</label><select id="b" name="b">${options(sides, sides[1]?.[0])}</select><button>Compare</button></form>`}
${table({ label: 'Machines', columns: ['Machine', 'System', 'Revision', 'Captured', 'Snapshots'], numbers: ['Snapshots'], rows, empty: 'No machines here.', filter: true })}
${behind >= total ? null : html`<p><a href="${linkTo(context, [], { offset: String(behind) })}">More machines</a></p>`}
<h2>Newest runs</h2>
${runTable(context, runs)}
${runs.length === 0 ? null : html`<p><a href="${linkTo(context, ['runs'])}">All runs</a></p>`}
${commandLine(shellCommand('envsnap', 'snapshot', 'list'), shellCommand('envsnap', 'compare', machines[0] ? `latest:${machines[0].machineName}` : 'latest', 'local'))}`;
}

function systemOf(snapshot: SnapshotSummary): string {
  const { os, arch, system } = environmentOf(snapshot);
  const known = [[os, arch].filter((part) => part !== null).join(' '), system.distribution ?? system.distro];
  return known.filter((part) => part !== undefined && part !== '').join(', ');
}
