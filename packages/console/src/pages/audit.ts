// Who did what, to what, when and from where.

import { type AuditEntry, auditAction, type Operations, type ResponseOf } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { clipped, commandLine, exactMoment, options, shellCommand, table } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface AuditPageData {
  readonly list: ResponseOf<Operations['listAuditEntries']>;
  /** Only entries of this action; null for all. */
  readonly action: AuditEntry['action'] | null;
}

/** The page at `audit[?action=&after=]`, for those who may list the entries. */
export function auditPage(context: PageContext, { list, action }: AuditPageData): ConsolePage {
  const rows = list.entries.map((entry) => [
    exactMoment(entry.createdAt, context),
    html`<code class="numbers">${entry.action}</code>`,
    actorOf(entry),
    html`${entry.target.type} ${entry.target.name ?? (entry.target.id === null ? null : html`<code>${entry.target.id}</code>`)}`,
    detailsOf(entry.details),
    entry.clientAddress && html`<code>${entry.clientAddress}</code>`,
  ]);
  const body = html`<h1>Audit log</h1>
<form method="get" action="${linkTo(context, ['audit'])}" class="inline"><label for="action">Action</label><select id="action" name="action"><option value="">all</option>${options(
    auditAction.options.map((name) => [name, name]),
    action ?? undefined,
  )}</select><button>Show</button></form>
${table({ label: 'Audit log', columns: ['When', 'Action', 'Who', 'What', 'Details', 'From'], rows, empty: 'No entries.', filter: true })}
${list.next === null ? null : html`<p><a href="${linkTo(context, ['audit'], { action: action ?? undefined, after: list.next })}">Older entries</a></p>`}
${commandLine(shellCommand('envsnap', 'audit', ...(action === null ? [] : ['--action', action])), shellCommand('envsnap', 'audit', '--all', '--format', 'jsonl'))}`;
  return consolePage(context, { title: 'Audit log', body, place: 'audit' });
}

function actorOf({ actor }: AuditEntry): MarkupContent {
  if (actor.type !== 'key') return actor.label === null ? actor.type : `${actor.type} ${actor.label}`;
  return html`${actor.label ?? html`<code>${actor.apiKeyId}</code>`} <span class="dim">${actor.role}</span>`;
}

function detailsOf(details: AuditEntry['details']): MarkupContent {
  return Object.entries(details).map(
    ([name, value]) =>
      html`<span class="detail"><span class="dim">${name}</span> ${clipped(textOf(value))}</span> `,
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value);
}
