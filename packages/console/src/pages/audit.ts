// Who did what, to what, when and from where.

import { type AuditEntry, auditAction, type Operations, type ResponseOf } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { clipped, clock, commandLine, exactMoment, older, oneOf, table } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface AuditPageData {
  readonly list: ResponseOf<Operations['listAuditEntries']>;
  /** Only entries of this action; null for all. */
  readonly action: AuditEntry['action'] | null;
  /** Only entries of this actor: the id of a key, or another value that the list accepts; null for all. */
  readonly actor: string | null;
  /** Only entries from this day on, and up to its end; null for all. */
  readonly from: string | null;
  readonly to: string | null;
  /** The keys of the project, to choose from and to name others by. */
  readonly keys: ResponseOf<Operations['listKeys']>['keys'];
}

/** The page at `audit[?action=&actor=&from=&to=&after=]`, for those who may list the entries. */
export function auditPage(context: PageContext, { list, keys, ...filter }: AuditPageData): ConsolePage {
  const { action, actor, from, to } = filter;
  const names = new Map(keys.map(({ id, label, prefix }) => [id, label ?? `${prefix}…`]));
  if (actor !== null && isId.test(actor) && !names.has(actor)) names.set(actor, actor);
  const actors = [...names, ...others.map((name) => [name, name] as const)];
  const actions = auditAction.options.map((name) => [name, name] as const);
  const rows = list.entries.map((entry) => [
    exactMoment(entry.createdAt, context),
    html`<code class="numbers">${entry.action}</code>`,
    actorOf(entry),
    html`${entry.target.type} ${entry.target.name ?? (entry.target.id === null ? null : named(entry.target.id, names))}`,
    detailsOf(entry.details, names),
    entry.clientAddress && html`<code>${entry.clientAddress}</code>`,
  ]);
  const query = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, value ?? undefined]));
  const body = html`<h1>Audit log</h1>
<form method="get" action="${linkTo(context, ['audit'])}" class="inline">${oneOf(['actor', 'Who', 'anyone'], actors, actor)}${oneOf(['action', 'Action', 'all'], actions, action)}<span class="dates"><label for="from">From</label><input id="from" name="from" type="date" value="${from}"><label for="to">to</label><input id="to" name="to" type="date" value="${to}"></span><button>Show</button></form>
${table({ label: 'Audit log', columns: ['When', 'Action', 'Who', 'What', 'Details', 'From'], rows, empty: 'No entries.', filter: true })}
${older('Older entries', list.next && linkTo(context, ['audit'], { ...query, after: list.next }), list.total)}
${commandLine(['audit', ...(action === null ? [] : ['--action', action])], ['audit', '--all', '--format', 'jsonl'])}`;
  return consolePage(context, { title: 'Audit log', body, place: 'audit' });
}

function actorOf({ actor }: AuditEntry): MarkupContent {
  if (actor.type !== 'key') return actor.label === null ? actor.type : `${actor.type} ${actor.label}`;
  return html`${actor.label ?? html`<code>${actor.apiKeyId}</code>`} <span class="dim">${actor.role}</span>`;
}

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const others = ['operator', 'server', 'unknown'] as const;

/** The label of a key. If it has none, enough of its id to find it. */
function named(id: string, names: ReadonlyMap<string, string>): MarkupContent {
  return names.get(id) ?? html`<code title="${id}">${id.slice(0, 8)}</code>`;
}

function detailsOf(details: AuditEntry['details'], names: ReadonlyMap<string, string>): MarkupContent {
  return Object.entries(details).map(
    ([name, value]) =>
      html`<span class="detail"><span class="dim">${name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</span> ${[value].flat().map((each) => html`${detailOf(each, names)} `)}</span> `,
  );
}

function detailOf(value: unknown, names: ReadonlyMap<string, string>): MarkupContent {
  const plain = Array.isArray(value) ? value.join(', ') : value;
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain);
  if (isId.test(text)) return named(text, names);
  return isMoment.test(text) ? clock(text) : clipped(text);
}
