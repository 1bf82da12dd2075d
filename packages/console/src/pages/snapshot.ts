// The page of one snapshot.

import { environmentOf } from '@envsnap/compare/workspace';
import { runOutcome, type Snapshot, type SnapshotSummary } from '@envsnap/shared';
import { ago } from '@envsnap/shared/text/ago';
import { consolePage } from '../frame/document.ts';
import { commandLine, exactMoment, options } from '../frame/parts.ts';
import { cut } from '../frame/pictures.ts';
import { postForm, valuesShown } from '../frame/post-form.ts';
import { shareForm } from '../frame/share-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';
import { environmentView } from '../snapshot/environment-view.ts';

export interface SnapshotPageData {
  readonly snapshot: Snapshot;
  /** Whether the values of variables are shown: in the response to the form `showValues` only. */
  readonly showsValues: boolean;
  /** Other snapshots to compare it with: the newest ones of this machine, and the newest of all. */
  readonly others: readonly SnapshotSummary[];
}

/**
 * The page at `snapshots/ID`, and the response to its form `showValues`. Other forms: `createShare`, `deleteSnapshot`. Holds at
 * most about 1 MB. The cost grows with the size of the snapshot: render it off the server's thread.
 */
export function snapshotPage(context: PageContext, data: SnapshotPageData): ConsolePage {
  const { snapshot, showsValues } = data;
  const { id, machineName, createdAt } = snapshot;
  const params = { id };
  const body = html`<h1><a href="${linkTo(context, ['machines', machineName])}">${machineName}</a></h1>
<p class="dim">Stored ${exactMoment(createdAt, context)}, <code>${id}</code></p>
<div class="actions">
${compareForm(context, data)}
${shareForm(context, { kind: 'snapshot', snapshotId: id })}
${showsValues ? null : postForm(context, 'showValues', { label: 'Show values of variables', params })}
${postForm(context, 'deleteSnapshot', { label: 'Delete', params, warning: 'Deletes this snapshot. It disappears from runs, histories and comparisons.' })}
</div>
${showsValues ? valuesShown : null}
<p class="dim">Each name links to the history of its value.</p>
${environmentView(snapshot, { showsValues, historyLink: linkTo(context, ['history'], { machine: machineName, path: '' }) })}
${commandLine(
  ['snapshot', 'show', id, ...(showsValues ? ['--show-values'] : [])],
  ['compare', id, 'local'],
  ['snapshot', 'export', id, '--format', 'mise'],
)}`;
  return consolePage(context, { title: machineName, body, place: '' });
}

function compareForm(context: PageContext, { snapshot, others }: SnapshotPageData): MarkupContent {
  const choices = others
    .filter(({ id }, place) => id !== snapshot.id && place === others.findIndex((other) => other.id === id))
    .map((other) => {
      const run = runOutcome(other.metadata);
      const parts = [
        other.machineName === snapshot.machineName ? 'this machine' : cut(other.machineName, 40),
        ago(other.createdAt, context.now),
        cut(environmentOf(other).revision ?? '', 24),
        run && `${cut(run.of, 20)} ${run.result}`,
      ];
      return [other.id, parts.filter(Boolean).join(', ')] as const;
    });
  if (choices.length === 0) return null;
  return html`<form method="get" action="${linkTo(context, ['compare'])}"><input type="hidden" name="b" value="${snapshot.id}"><select name="a" aria-label="Compare with">${options(choices)}</select> <button>Compare</button> <a href="${linkTo(context, ['search'], { with: snapshot.id })}">Another…</a></form>`;
}
