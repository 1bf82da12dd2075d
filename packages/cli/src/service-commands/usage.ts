// envsnap usage …: quotas with bars, the request history as a bar chart, the live feed

import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest, Usage, UsageHistory } from '@envsnap/shared';
import { grouped, size } from '@envsnap/shared/text/size';
import { jsonText, visible } from '@envsnap/shared/text/visible';
import { boolean, integer, option, string } from '@oclif/core/flags';
import { bar, renderRows, renderTable, when } from '../render/layout/table.ts';
import { onInterrupt, waitingFor } from '../terminal/interrupt.ts';
import type { Screen, Style } from '../terminal/terminal.ts';
import { serviceCommand } from './service-command.ts';

export const usageCommands = {
  usage: serviceCommand({
    summary: 'Show what the project holds, and its quotas.',
    ask: async ({ client }) => (await client()).usage.get(),
    show: renderUsage,
  }),
  'usage:requests': serviceCommand({
    summary: 'Show how many requests the project made, by period and endpoint.',
    examples: ['envsnap usage requests --period hour --from 2026-02-01'],
    flags: {
      period: option({
        options: ['hour', 'day', 'week', 'month'] as const,
        default: 'day' as const,
        summary: 'Length of a period (UTC).',
      })(),
      from: string({ summary: 'Start (ISO 8601); by default 30 days before the end.', helpValue: 'TIME' }),
      to: string({ summary: 'End (ISO 8601); by default now.', helpValue: 'TIME' }),
    },
    async ask({ flags: { period, from, to }, client }) {
      return (await client()).usage.history({ period, from, to });
    },
    show: renderRequestHistory,
  }),
  'usage:live': serviceCommand({
    summary: 'Show the last requests of the project; --follow continues until Ctrl-C.',
    description:
      'Each request for the feed counts against the rate limit. --follow sends one every 5 seconds by default.',
    flags: {
      follow: boolean({ char: 'f', summary: 'Keep showing new requests.', exclusive: ['json'] }),
      limit: integer({
        helpValue: 'N',
        char: 'n',
        summary: 'How many of the last requests to show.',
        default: 100,
        min: 1,
        max: 100,
      }),
      interval: integer({
        helpValue: 'N',
        summary: 'Seconds between two requests for the feed; by default 5.',
        min: 1,
        max: 3600,
        dependsOn: ['follow'],
      }),
      'json-lines': boolean({ summary: 'Print each request as one line of JSON.', exclusive: ['json'] }),
    },
    async ask({ flags, client: connect, command }) {
      // Only once, because a key on standard input can be read only once.
      const client = await connect();
      const load = async () => (await client.usage.live()).requests;
      const show = (request: LoggedRequest): void => {
        if (flags['json-lines']) command.printAsIs(jsonText(request, 0));
        else command.print(renderRequest(request, command.screen));
      };
      // From the first line on, Ctrl-C ends the feed with the exit code of an interruption.
      if (flags.follow) onInterrupt(() => undefined);
      const first = await load();
      const requests = first.slice(0, flags.limit);
      if (!flags.follow && !flags['json-lines']) {
        command.print(renderRequests(requests, command.screen));
        return { requests };
      }
      for (const request of requests.toReversed()) show(request);
      for (let known = first; flags.follow; ) {
        await waitingFor(() => sleep((flags.interval ?? 5) * 1000));
        const now = await load();
        for (const request of newRequests(known, now).toReversed()) show(request);
        known = now;
      }
      return { requests };
    },
  }),
};

function renderUsage(usage: Usage, screen: Screen): string {
  const { resources, storage, snapshotStorage, quotas } = usage;
  const row = (name: string, used: number, most: number, show = (value: number) => String(value)) => {
    const share = most > 0 ? used / most : used > 0 ? 1 : 0;
    const style: Style = share >= 1 ? 'red' : share >= 0.8 ? 'yellow' : 'green';
    return [name, show(used), show(most), { text: bar(share, 20), style }, `${Math.round(share * 100)}%`];
  };
  const table = renderTable(
    [
      { header: '' },
      { header: 'USED', align: 'right' },
      { header: 'LIMIT', align: 'right' },
      { header: '' },
      { header: '', align: 'right' },
    ],
    [
      row('snapshots', resources.snapshots, quotas.maxSnapshots),
      row('runs', resources.runs, quotas.maxRuns),
      row('their storage', snapshotStorage.usedBytes, snapshotStorage.maxBytes, size),
      row('files', resources.files, quotas.maxFiles),
      row('their storage', storage.usedBytes, quotas.maxStorageBytes, size),
    ],
    screen,
  );
  const { maxRequestsPerMinute, maxRequestsPerDay } = quotas;
  return [
    table,
    `API keys: ${resources.apiKeys}`,
    `Requests of a key: at most ${maxRequestsPerMinute} a minute and ${maxRequestsPerDay} a day.\n`,
  ].join('\n');
}

/** Renders the history: a bar for each period, then the endpoints by number of calls. */
function renderRequestHistory(history: UsageHistory, screen: Screen): string {
  const periods = Object.entries(history.data).sort(([a], [b]) => (a < b ? -1 : 1));
  if (periods.length === 0) return `No requests from ${visible(history.from)} to ${visible(history.to)}.\n`;
  const most = Math.max(...periods.map(([, period]) => period.total));
  const width = Math.max(10, Math.min(60, screen.columns - 40));
  const chart = renderRows(screen, periods, [
    [visible(history.period).toUpperCase(), ([key]) => key],
    ['REQUESTS', ([, { total }]) => grouped(total), { align: 'right' }],
    ['', ([, { total }]) => ({ text: bar(total / most, width), style: 'cyan' })],
  ]);
  return `${chart}\n${renderEndpoints(history, screen)}`;
}

function renderEndpoints(history: UsageHistory, screen: Screen): string {
  const byEndpoint = new Map<string, { path: string; statusCode: number; count: number; totalMs: number }>();
  for (const { endpoints } of Object.values(history.data)) {
    for (const { path, statusCode, count, avgResponseMs } of endpoints) {
      const key = `${statusCode} ${path}`;
      const sum = byEndpoint.get(key) ?? { path, statusCode, count: 0, totalMs: 0 };
      sum.count += count;
      sum.totalMs += count * avgResponseMs;
      byEndpoint.set(key, sum);
    }
  }
  const rows = [...byEndpoint.values()].sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
  return renderRows(screen, rows, [
    ['ENDPOINT', ({ path }) => path, { shrinks: true }],
    ['STATUS', ({ statusCode }) => ({ text: String(statusCode), style: statusStyle(statusCode) })],
    ['REQUESTS', ({ count }) => grouped(count), { align: 'right' }],
    ['AVERAGE', ({ count, totalMs }) => `${(totalMs / count).toFixed(1)} ms`, { align: 'right' }],
  ]);
}

function statusStyle(status: number): Style {
  return status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
}

function renderRequests(requests: readonly LoggedRequest[], screen: Screen): string {
  if (requests.length === 0) return 'No requests yet.\n';
  return renderRows(screen, requests, [
    ['WHEN', (request) => when(request.createdAt, screen)],
    ['METHOD', (request) => request.method],
    ['PATH', (request) => request.path, { shrinks: true }],
    ['STATUS', (request) => ({ text: String(request.statusCode), style: statusStyle(request.statusCode) })],
    ['TOOK', (request) => `${request.responseTimeMs} ms`, { align: 'right' }],
  ]);
}

/** Renders one request as a line, for a live feed. */
function renderRequest(request: LoggedRequest, screen: Screen): string {
  const status = screen.paint(statusStyle(request.statusCode), String(request.statusCode));
  return `${visible(request.createdAt)}  ${visible(request.method).padEnd(6)}  ${status}  ${visible(request.path)}  ${request.responseTimeMs} ms`;
}

/** The requests that only the later response has; both newest first. Equal requests are matched by their number. */
export function newRequests(
  earlier: readonly LoggedRequest[],
  later: readonly LoggedRequest[],
): LoggedRequest[] {
  const known = earlier.map((request) => JSON.stringify(request));
  const isNew = (request: LoggedRequest) => {
    const place = known.indexOf(JSON.stringify(request));
    if (place >= 0) known.splice(place, 1);
    return place < 0;
  };
  // From the oldest, so that the newest of several equal ones count as new.
  return later.toReversed().filter(isNew).reverse();
}
