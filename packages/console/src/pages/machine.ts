// One machine: its snapshots, the newest first, with what changed at each. Two can be picked and compared.

import { environmentOf } from '@envsnap/compare/workspace';
import { type Operations, type ResponseOf, runOutcome, type ShortCause } from '@envsnap/shared';
import { counted } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { badge, commandLine, exactMoment, revisionText, shellCommand, table } from '../frame/parts.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface SnapshotChange {
  readonly id: string;
  /** The previous snapshot of the same kind (run or not). Null for the first. */
  readonly previousId: string | null;
  /** How many differences count; null if the comparison takes too much time. */
  readonly counting: number | null;
  readonly cause: ShortCause | null;
}

export interface MachinePageData {
  readonly machineName: string;
  readonly list: ResponseOf<Operations['listSnapshots']>;
  readonly changes: readonly SnapshotChange[];
  /** A snapshot that was chosen on another page, to be compared with one of these; null for none. */
  readonly chosen: string | null;
}

/** The page at `machines/NAME[?after=][&with=SNAPSHOT]`. */
export function machinePage(context: PageContext, data: MachinePageData): ConsolePage {
  const { machineName, list, chosen } = data;
  const changes = new Map(data.changes.map((change) => [change.id, change]));
  const { snapshots } = list;
  const pick = (side: 'a' | 'b', id: string, isFirst: boolean) =>
    html`<label class="pick"><input type="radio" name="${side}" value="${id}"${isFirst && html` checked`}> ${side.toUpperCase()}</label>`;
  const rows = snapshots.map((snapshot, place) => {
    const outcome = runOutcome(snapshot.metadata);
    const { id } = snapshot;
    return [
      html`<span class="numbers">${chosen === null && pick('a', id, place === Math.min(1, snapshots.length - 1))}${pick('b', id, place === 0)}</span>`,
      html`<a href="${linkTo(context, [outcome === undefined ? 'snapshots' : 'runs', id])}">${exactMoment(snapshot.createdAt, context)}</a>`,
      revisionText(environmentOf(snapshot).revision),
      outcome && html`${badge(outcome.result, outcome.result)} <span class="dim">${outcome.of}</span>`,
      changeText(context, changes.get(id)),
    ];
  });
  const body = html`<h1>${machineName}</h1>
<p class="lead">${counted(list.total, 'snapshot')}, the newest first. What changed is against the snapshot before.</p>
<form method="get" action="${linkTo(context, ['compare'])}">${chosen !== null && html`<input type="hidden" name="a" value="${chosen}"><p class="notice">Choose the snapshot to compare with <code>${chosen}</code>.</p>`}
<div class="actions"><button class="primary">Compare A with B</button>${chosen === null && snapshots[0] && html`<a href="${linkTo(context, ['search'], { with: snapshots[0].id })}">Compare the newest with another machine…</a>`}</div>
${table({
  label: `Snapshots of ${machineName}`,
  columns: ['Pick', 'Stored', 'Commit', 'Run', 'What changed'],
  rows,
  attributes: (place) => html` data-snapshot="${snapshots[place]?.id}"`,
  empty: 'No snapshots here.',
})}</form>
${list.next !== null && html`<p><a href="${linkTo(context, ['machines', machineName], { after: list.next, with: chosen ?? undefined })}">Older snapshots</a></p>`}
${commandLine(shellCommand('envsnap', 'compare', `latest:${machineName}`, 'local'), shellCommand('envsnap', 'history', 'runtimes.node', '--machine', machineName))}`;
  return consolePage(context, { title: machineName, body, place: '' });
}

function changeText(context: PageContext, change: SnapshotChange | undefined): MarkupContent {
  if (change === undefined) return null;
  const { id, previousId, counting, cause } = change;
  if (previousId === null) return html`<span class="dim">first snapshot</span>`;
  const text =
    counting === null
      ? 'too much to compare here'
      : counting === 0
        ? 'nothing that counts'
        : `${counted(counting, 'difference')}: ${cause?.what ?? ''}`;
  return html`<a href="${linkTo(context, ['compare'], { a: previousId, b: id })}">${text}</a>`;
}
