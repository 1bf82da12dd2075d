// Usage: quotas with bars, the request history as a bar chart, the live feed.

import type { LoggedRequest, Usage, UsageHistory } from '@envsnap/shared';
import { grouped, size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen, Style } from '../../terminal/terminal.ts';
import { bar, renderRows, renderTable, when } from '../layout/table.ts';

/** Renders what the project holds beside what it may hold. */
export function renderUsage(usage: Usage, screen: Screen): string {
  const { resources, storage, snapshotStorage, quotas } = usage;
  const row = (name: string, used: number, most: number, show = (value: number) => String(value)) => {
    const share = most > 0 ? used / most : used > 0 ? 1 : 0;
    const style: Style = share >= 1 ? 'red' : share >= 0.8 ? 'yellow' : 'green';
    return [name, show(used), show(most), { text: bar(share, 20), style }, `${Math.round(share * 100)} %`];
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
export function renderRequestHistory(history: UsageHistory, screen: Screen): string {
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

/** Renders the last requests as a table, the newest first. */
export function renderRequests(requests: readonly LoggedRequest[], screen: Screen): string {
  if (requests.length === 0) return 'No requests yet.\n';
  return renderRows(screen, requests, [
    ['WHEN', (request) => when(request.createdAt, screen)],
    ['METHOD', (request) => request.method],
    ['PATH', (request) => request.path, { shrinks: true }],
    ['STATUS', (request) => ({ text: String(request.statusCode), style: statusStyle(request.statusCode) })],
    ['TOOK', (request) => `${request.responseTimeMs} ms`, { align: 'right' }],
  ]);
}

/** Renders one request as a line, for a feed that goes on. */
export function renderRequest(request: LoggedRequest, screen: Screen): string {
  const status = screen.paint(statusStyle(request.statusCode), String(request.statusCode));
  return `${visible(request.createdAt)}  ${visible(request.method).padEnd(6)}  ${status}  ${visible(request.path)}  ${request.responseTimeMs} ms`;
}
