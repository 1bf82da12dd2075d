// A project's usage and quotas, and its requests.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { grouped } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { commandLine, definitions, table } from '../frame/parts.ts';
import { type DayCount, dayChart, quotaBars } from '../frame/pictures.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface UsagePageData {
  readonly usage: ResponseOf<Operations['getUsage']>;
  /** By day. */
  readonly history: ResponseOf<Operations['getUsageHistory']>;
}

/** Refused because of the caller's role, or too many requests. */
const refusals = new Set([403, 429]);
const endpointsShown = 20;
const dayMs = 86_400_000;

/** The page at `usage`. */
export function usagePage(context: PageContext, { usage, history }: UsagePageData): ConsolePage {
  const { resources, storage, snapshotStorage, quotas } = usage;
  const days = daysOf(history);
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const refused = days.reduce((sum, day) => sum + day.failed, 0);
  const body = html`<h1>Usage</h1>
<h2>Quotas</h2>
${quotaBars({
  snapshots: { used: resources.snapshots, max: quotas.maxSnapshots },
  runs: { used: resources.runs, max: quotas.maxRuns },
  files: { used: resources.files, max: quotas.maxFiles },
  storageBytes: { used: storage.usedBytes, max: quotas.maxStorageBytes },
  snapshotBytes: { used: snapshotStorage.usedBytes, max: snapshotStorage.maxBytes },
})}
<p class="dim">Runs are never refused: beyond the quota, a new run replaces the oldest.</p>
${definitions([
  ['Keys', grouped(resources.apiKeys)],
  ['Maximum requests of a key per minute', grouped(quotas.maxRequestsPerMinute)],
  ['Maximum requests of a key per day', grouped(quotas.maxRequestsPerDay)],
])}
<h2>Requests a day</h2>
<p class="lead">${grouped(total)} in ${days.length} days (UTC), ${grouped(refused)} of them refused because they were not allowed or too many.</p>
${dayChart({ title: 'Requests a day', names: ['requests', 'refused'], days })}
<h2>By endpoint</h2>
${endpointTable(history)}
${commandLine(['usage'], ['usage', 'requests'])}`;
  return consolePage(context, { title: 'Usage', body, place: 'usage' });
}

/** Every day of the counted time, including those without a request. */
function daysOf({ from, to, data }: UsagePageData['history']): DayCount[] {
  const first = Math.floor(Date.parse(from) / dayMs);
  const last = Math.floor(Date.parse(to) / dayMs);
  return Array.from({ length: Math.min(100, last - first + 1) }, (_, place) => {
    const day = new Date((first + place) * dayMs).toISOString().slice(0, 10);
    const found = Object.hasOwn(data, day) ? data[day] : undefined;
    const failed = (found?.endpoints ?? [])
      .filter(({ statusCode }) => refusals.has(statusCode))
      .reduce((sum, { count }) => sum + count, 0);
    return { day, total: found?.total ?? 0, failed };
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
        `${grouped(Math.round(ms / count))} ms`,
      ]),
    empty: 'No requests.',
  });
}
