// What a project holds beside what it may hold, and how often it was asked for something.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { grouped, size } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { commandLine, definitions, shellCommand, table } from '../frame/parts.ts';
import { barChart, usedBar } from '../frame/pictures.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface UsagePageData {
  readonly usage: ResponseOf<Operations['getUsage']>;
  /** By day. */
  readonly history: ResponseOf<Operations['getUsageHistory']>;
}

/** Refused for what the caller may not do, or for too many requests. */
const refusals = new Set([403, 429]);
const endpointsShown = 20;

/** The page at `usage`. */
export function usagePage(context: PageContext, { usage, history }: UsagePageData): ConsolePage {
  const { resources, storage, quotas } = usage;
  const days = daysOf(history);
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const refused = days.reduce((sum, day) => sum + day.refused, 0);
  const counted = days.filter((day) => day.total > 0).toReversed();
  const body = html`<h1>Usage</h1>
<h2>Quotas</h2>
<div class="quotas">${usedBar('Snapshots', { used: resources.snapshots, max: quotas.maxSnapshots }, grouped)}${usedBar('Runs', { used: resources.runs, max: quotas.maxRuns }, grouped)}${usedBar('Files', { used: resources.files, max: quotas.maxFiles }, grouped)}${usedBar('Storage for files', { used: storage.usedBytes, max: quotas.maxStorageBytes }, size)}</div>
<p class="dim">A full quota of runs refuses nothing: the oldest runs leave.</p>
${definitions([
  ['Keys', grouped(resources.apiKeys)],
  ['Requests of a key a minute, at most', grouped(quotas.maxRequestsPerMinute)],
  ['Requests of a key a day, at most', grouped(quotas.maxRequestsPerDay)],
])}
<h2>Requests a day</h2>
<p class="lead">${grouped(total)} in ${days.length} days (UTC), ${grouped(refused)} of them refused.</p>
${barChart(`Requests a day, ${grouped(total)} in all; the table below has the figures`, days)}
<p class="key-line"><span><svg viewBox="0 0 16 16" aria-hidden="true"><rect class="bar-total" width="16" height="16"/></svg> requests</span><span><svg viewBox="0 0 16 16" aria-hidden="true"><rect class="bar-refused" width="16" height="16"/></svg> refused: not allowed, or too many</span></p>
<details class="fold"><summary><h2>Figures by day</h2></summary>${table({
    label: 'Requests a day',
    columns: ['Day', 'Requests', 'Refused'],
    numbers: ['Requests', 'Refused'],
    rows: counted.map((day) => [day.label, grouped(day.total), grouped(day.refused)]),
    empty: 'No requests.',
  })}</details>
<h2>By endpoint</h2>
${endpointTable(history)}
${commandLine(shellCommand('envsnap', 'usage'), shellCommand('envsnap', 'usage', 'requests'))}`;
  return consolePage(context, { title: 'Usage', body, place: 'usage' });
}

/** Every day of the counted time, also those without a request. */
function daysOf({ from, to, data }: UsagePageData['history']) {
  const day = 86_400_000;
  const first = Math.floor(Date.parse(from) / day);
  const last = Math.floor(Date.parse(to) / day);
  return Array.from({ length: Math.min(100, last - first + 1) }, (_, place) => {
    const label = new Date((first + place) * day).toISOString().slice(0, 10);
    const found = Object.hasOwn(data, label) ? data[label] : undefined;
    const refused = (found?.endpoints ?? [])
      .filter(({ statusCode }) => refusals.has(statusCode))
      .reduce((sum, { count }) => sum + count, 0);
    return { label, total: found?.total ?? 0, refused };
  });
}

function endpointTable({ data }: UsagePageData['history']) {
  const sums = new Map<string, { path: string; status: number; count: number; ms: number }>();
  for (const { path, statusCode, count, avgResponseMs } of Object.values(data).flatMap(
    ({ endpoints }) => endpoints,
  )) {
    const key = `${statusCode} ${path}`;
    const sum = sums.get(key) ?? { path, status: statusCode, count: 0, ms: 0 };
    sums.set(key, { ...sum, count: sum.count + count, ms: sum.ms + count * avgResponseMs });
  }
  const busiest = [...sums.values()].sort((x, y) => y.count - x.count);
  return table({
    label: 'Requests by endpoint',
    columns: ['Endpoint', 'Status', 'Requests', 'Mean time'],
    numbers: ['Status', 'Requests', 'Mean time'],
    rows: busiest
      .slice(0, endpointsShown)
      .map(({ path, status, count, ms }) => [
        html`<code>${path}</code>`,
        status,
        grouped(count),
        `${Math.round(ms / count)} ms`,
      ]),
    empty: 'No requests.',
  });
}
