// The first page: whether something has changed or is failing; for an empty project, the lines to type.

import type { MachineHealth, ProjectHealth, RunHealth } from '@envsnap/shared';
import { ago } from '@envsnap/shared/text/ago';
import { counted } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { badge, clock, commandLine, moment, older, shellCommand, wrapping } from '../frame/parts.ts';
import { pickTwo } from '../frame/pick-two.ts';
import { quotaBars, quotaNames, runStrip } from '../frame/pictures.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

/** The page at the console's root. */
export function overviewPage(
  context: PageContext,
  { health }: { readonly health: ProjectHealth },
): ConsolePage {
  const body = health.machineCount === 0 ? firstScreen(context) : overview(context, health);
  return consolePage(context, { title: context.caller?.projectName ?? 'Overview', body, place: '' });
}

function firstScreen({ serverUrl, caller }: PageContext): MarkupContent {
  return html`<h1>Nothing has been captured yet</h1>
<p class="lead">Run these three commands on a machine that you want to capture, with ${caller?.role === 'viewer' ? 'a key of a member' : 'a key of this project'}:</p>
<ol class="steps"><li>${shellCommand('envsnap', 'init', '--base-url', serverUrl)}</li><li>${shellCommand('envsnap', 'capture')}</li><li>${shellCommand('envsnap', 'run', '--', 'npm', 'test')}</li></ol>
<p>The first one asks for the key, the second captures the machine, and the third runs a command and records its environment with the result. Then reload this page.</p>`;
}

function overview(context: PageContext, health: ProjectHealth): MarkupContent {
  const { machines, machineCount, runs, quotas } = health;
  return html`<h1>${headline(health)}</h1>
${attention(context, health)}
<h2>Runs</h2>
${runs.length === 0 ? html`<p class="empty">No runs yet. <code>envsnap run -- npm test</code> runs a command and records its environment with the result.</p>` : runs.map((run) => runHealth(context, run))}
${older('All runs', runs.length > 0 && linkTo(context, ['runs']), quotas.runs.used)}
<h2>Machines</h2>
${machineTable(context, machines)}
${older('All machines', machines.length < machineCount && linkTo(context, ['search']), machineCount)}
<h2>Quotas</h2>
${quotaBars(quotas)}
${commandLine(['status'], ['compare', machines[0] ? `latest:${machines[0].machineName}` : 'latest', 'local'])}`;
}

/** The main message: failures, or else changes, or else that nothing changed. */
function headline({ machines, runs }: ProjectHealth): string {
  const failing = runs.filter(({ failingSince }) => failingSince !== null);
  const departing = machines.filter(({ state }) => state === 'departs').length;
  const changed = machines.filter(({ state }) => state === 'changed').length;
  const parts = [
    failing.length === 1 ? `${failing[0]?.of} fails` : failing.length > 1 && `${failing.length} runs fail`,
    departing > 0 && `${counted(departing, 'machine')} ${departing === 1 ? 'departs' : 'depart'} from policy`,
    changed > 0 && `${counted(changed, 'machine')} changed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Everything is steady' : parts.join(', ');
}

/** Warnings for administrators: full quotas and failing webhooks. */
function attention(context: PageContext, { quotas, webhooks }: ProjectHealth): MarkupContent {
  const tight = (['snapshots', 'files', 'storageBytes', 'snapshotBytes'] as const).filter(
    (kind) => quotas[kind].used >= quotas[kind].max * 0.8,
  );
  const [first] = webhooks.ids;
  return html`${
    webhooks.failing > 0 &&
    html`<p class="notice refused">${counted(webhooks.failing, 'webhook')} ${webhooks.failing === 1 ? 'fails' : 'fail'}: <a href="${linkTo(context, webhooks.failing === 1 && first !== undefined ? ['webhooks', first] : ['webhooks'])}">see how the receiver responds</a>.</p>`
  }${tight.map(
    (kind) =>
      html`<p class="notice caution">${quotaNames[kind]}: ${Math.floor((quotas[kind].used / Math.max(1, quotas[kind].max)) * 100)}% of the quota is used. <a href="${linkTo(context, ['usage'])}">See usage</a>.</p>`,
  )}`;
}

function runHealth(context: PageContext, run: RunHealth): MarkupContent {
  const { of, last, failingSince, failedRuns, lastPassedId, cause } = run;
  const [newest] = last;
  const marks = last.toReversed().map(({ id, result, createdAt }) => ({
    result,
    link: linkTo(context, ['runs', id]),
    title: ago(createdAt, context.now),
  }));
  const state =
    failingSince === null || newest === undefined
      ? html`<span class="dim">last passed ${moment(newest?.createdAt ?? null, context)}</span>`
      : html`failing since ${clock(failingSince)}, ${counted(failedRuns, 'run')}${cause !== null && html`; likeliest: <a href="${linkTo(context, ['runs', newest.id])}">${cause.what}</a>`}${lastPassedId === null && html` <span class="dim">(no run has passed yet)</span>`}`;
  return html`<section class="health"><h3><a href="${linkTo(context, ['runs'], { of })}">${of}</a> ${badge(failingSince === null ? 'passed' : 'failed', failingSince === null ? 'passing' : 'failing')}</h3>${runStrip(of, marks)}<p>${state}</p></section>`;
}

const states = {
  steady: ['passed', 'steady'],
  changed: ['warning', 'changed'],
  departs: ['failed', 'departs from policy'],
} as const;

function machineTable(context: PageContext, machines: readonly MachineHealth[]): MarkupContent {
  return pickTwo(context, {
    label: 'Machines',
    ids: machines.map(({ snapshotId }) => snapshotId),
    columns: ['Machine', 'State', 'What changed', 'Captured'],
    rows: machines.map((machine) => [
      html`<a href="${linkTo(context, ['machines', machine.machineName])}">${wrapping(machine.machineName)}</a>`,
      badge(states[machine.state][0], states[machine.state][1]),
      changeOf(context, machine),
      moment(machine.createdAt, context),
    ]),
    attributes: (place) => {
      const { machineName, state } = machines[place] as MachineHealth;
      return html` data-machine="${machineName}" data-state="${state}"`;
    },
    empty: 'No machines here.',
    filter: true,
  });
}

function changeOf(
  context: PageContext,
  { snapshotId, previousSnapshotId, counting, cause }: MachineHealth,
): MarkupContent {
  const summary = cause?.what ?? (counting === null ? 'too much to compare here' : null);
  if (summary === null) return previousSnapshotId === null && html`<span class="dim">first snapshot</span>`;
  if (previousSnapshotId === null) return summary;
  return html`<a href="${linkTo(context, ['compare'], { a: previousSnapshotId, b: snapshotId })}">${summary}</a>`;
}
