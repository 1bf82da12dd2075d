// One machine: its snapshots, newest first, with what changed at each. Two can be picked and compared.

import { environmentOf } from '@envsnap/compare/workspace';
import { type Operations, type ResponseOf, runOutcome, type ShortCause } from '@envsnap/shared';
import { counted } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { badge, commandLine, exactMoment, older, revisionText } from '../frame/parts.ts';
import { pickTwo } from '../frame/pick-two.ts';
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
  const rows = snapshots.map((snapshot) => {
    const outcome = runOutcome(snapshot.metadata);
    const { id } = snapshot;
    return [
      html`<a href="${linkTo(context, [outcome === undefined ? 'snapshots' : 'runs', id])}">${exactMoment(snapshot.createdAt, context)}</a>`,
      revisionText(environmentOf(snapshot).revision),
      outcome && html`${badge(outcome.result, outcome.result)} <span class="dim">${outcome.of}</span>`,
      changeText(context, changes.get(id)),
    ];
  });
  const body = html`<h1>${machineName}</h1>
<p class="lead">${counted(list.total, 'snapshot')}, newest first. Changes are relative to the previous snapshot.</p>
${pickTwo(context, {
  label: `Snapshots of ${machineName}`,
  columns: ['Stored', 'Commit', 'Run', 'What changed'],
  rows,
  ids: snapshots.map(({ id }) => id),
  chosen,
  more:
    chosen === null &&
    snapshots[0] &&
    html`<a href="${linkTo(context, ['search'], { with: snapshots[0].id })}">Compare the newest with another machine…</a>`,
  attributes: (place) => html` data-snapshot="${snapshots[place]?.id}"`,
  empty: 'No snapshots here.',
})}
${older('Older snapshots', list.next && linkTo(context, ['machines', machineName], { after: list.next, with: chosen ?? undefined }), list.total)}
${commandLine(['compare', `latest:${machineName}`, 'local'], ['history', 'runtimes.node', '--machine', machineName])}`;
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
